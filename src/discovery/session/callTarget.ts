import { listed, nameLimit, oneLine, sentence } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { Loading } from '../catalog/policy.ts';
import {
	callToolName,
	readResourceName,
	type SyntheticTool,
	searchToolsName,
	unwrappedCall,
} from '../catalog/syntheticTool.ts';
import {
	isFullName,
	type NameResolution,
	namedServer,
	type ToolNames,
	unknownServer,
} from '../catalog/toolNames.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { EarlierTools } from './earlierTools.ts';

/** The tool that a name means, or may mean, of those that wait for the user to accept them. */
export function quarantinedTool(name: string, quarantined: ToolNames): CatalogTool | undefined {
	const resolution = quarantined.resolve(name);
	if (resolution.kind === 'unknown') return undefined;
	return resolution.kind === 'found' ? resolution.tool : resolution.candidates[0];
}

/** What a model is told that calls such a tool. `name`: by which it knows the tool. */
export function quarantinedText(name: string): string {
	return (
		sentence`The definition of '${name}' has changed since the user accepted it: it is not called until the user accepts the change. ` +
		"Do not call it again. Tell the user to review it in the view 'Servers' of Discovery, or with the command 'Discovery: Review Changed Tools…'."
	);
}

/** What a call by a model leads to. */
export type CallTarget =
	| { readonly kind: 'synthetic'; readonly tool: SyntheticTool }
	/** Whoever runs the turn answers it. */
	| { readonly kind: 'hosted' }
	/** Reads a resource of a server that the chat may use. */
	| { readonly kind: 'resource'; readonly server: string; readonly uri: string }
	| {
			readonly kind: 'tool';
			readonly tool: CatalogTool;
			readonly input: Readonly<Record<string, unknown>>;
			/** The provider has seen no schema for the arguments: they are to be checked before the call. */
			readonly unchecked: boolean;
			/** Nothing has loaded the tool: the session is to `discover` it, once the arguments are found to fit. */
			readonly undiscovered?: true;
	  }
	/** Not to be called; the message is for the model. */
	| { readonly kind: 'refused'; readonly message: string };

/** What a model is told that calls a deferred tool without having searched for it. */
export function notLoaded(name: string): string {
	return (
		`Error: Tool '${oneLine(name, nameLimit)}' is not yet loaded. ` +
		`Use the '${searchToolsName}' tool to discover and load it first, then call it again.`
	);
}

/** The tool that a model means. */
export interface CalledTool {
	/** As the model has written it. */
	readonly name: string;
	readonly tool: CatalogTool;
	readonly input: Readonly<Record<string, unknown>>;
	/** It is called through the synthetic tool that calls others. */
	readonly isWrapped: boolean;
}

/** Which tool of a server a call means, or what to tell the model. `explains`: with the closest names where there is no such tool. */
export function calledTool(
	name: string,
	input: Readonly<Record<string, unknown>>,
	surface: ToolSurface,
	earlier: EarlierTools,
	explains: boolean,
): ({ readonly ok: true } & CalledTool) | { readonly ok: false; readonly message: string } {
	const discovers = surface.deferred.length > 0;
	// Whatever the way of loading is now: earlier results of this chat may say that this is how to call.
	const isWrapped = name === callToolName && discovers;
	const meant = isWrapped ? unwrappedCall(input) : ({ ok: true, name, input } as const);
	if (!meant.ok) return meant;
	const exact = surface.get(meant.name);
	// Before names that are not exact: what is quarantined must not lead to another server's tool of that name.
	const waiting = exact ? undefined : quarantinedTool(meant.name, surface.quarantined);
	if (waiting) return { ok: false, message: `Error: ${quarantinedText(waiting.wireName)}` };
	// A model may write `server:tool`, or the bare name, for the wire name that it was given.
	const resolution: NameResolution = exact
		? { kind: 'found', tool: exact }
		: earlier.resolve(meant.name, surface);
	if (resolution.kind === 'ambiguous') {
		return { ok: false, message: severalTools(meant.name, resolution.candidates) };
	}
	if (resolution.kind === 'found' && !earlier.meansAnother(meant.name, resolution.tool)) {
		return { ok: true, name: meant.name, tool: resolution.tool, input: meant.input, isWrapped };
	}
	const closest = explains ? surface.names.closest(meant.name) : [];
	return { ok: false, message: unknownTool(meant.name, closest, discovers) };
}

/** Tools that a name may mean, of which a model is told. */
const namedCandidates = 20;

function severalTools(name: string, candidates: readonly CatalogTool[]): string {
	const names = candidates.map((tool) => tool.wireName);
	return `Error: More than one tool is called '${oneLine(name, nameLimit)}': ${listed(names, namedCandidates)}. Call one by its full name.`;
}

/** What a model is told that calls what nothing goes by. `discovers`: it can search. */
function unknownTool(name: string, closest: readonly CatalogTool[], discovers: boolean): string {
	const names = closest.map((tool) => tool.wireName).join(', ');
	const hint = names ? ` Closest names: ${names}.` : '';
	const advice = discovers ? ` Use the '${searchToolsName}' tool to find one.` : '';
	return `Error: There is no tool '${oneLine(name, nameLimit)}'.${hint}${advice}`;
}

/** The resource that a model means to read, or what to tell it. Whether the server lets that address be read, its connection knows. */
export function calledResource(
	{ server, uri }: Readonly<Record<string, unknown>>,
	surface: ToolSurface,
): CallTarget {
	const named = typeof server === 'string' ? namedServer(surface, server) : undefined;
	if (named === undefined) {
		const message =
			typeof server === 'string' ? unknownServer(surface, server) : "Give 'server', the name of the server.";
		return { kind: 'refused', message: `Error: ${message}` };
	}
	if (typeof uri !== 'string' || uri.trim() === '')
		return { kind: 'refused', message: "Error: Give 'uri', the address of the resource." };
	return { kind: 'resource', server: named, uri: uri.trim() };
}

/** What a model is told that gets a link to a resource of this server. */
export function howToRead(server: string, loading: Loading): string {
	const call = { server, uri: '…' };
	return loading === 'call'
		? `What it links to can be read with ${callToolName}: ${JSON.stringify({ name: readResourceName, arguments: call })}.`
		: `What it links to can be read with ${readResourceName}: ${JSON.stringify(call)}.`;
}

/** What a caller of another chat is told: JSON, or where it has failed, a sentence. */
export interface ToolAnswer {
	readonly text: string;
	readonly failed: boolean;
}

/** `server:tool`, as people read it, where that can be said as it is and leads to this tool alone; else the wire name, which always does. */
export function callableName(tool: CatalogTool, names: ToolNames): string {
	const resolution = names.resolve(tool.id);
	const isOwn = resolution.kind === 'found' && resolution.tool.wireName === tool.wireName;
	return isOwn && oneLine(tool.id, nameLimit) === tool.id ? tool.id : tool.wireName;
}

/** The tool that a name leads to, or what to tell who gave it. `earlier`: what the caller may have been told before. */
export function callableTool(
	name: unknown,
	surface: ToolSurface,
	earlier: EarlierTools = new EarlierTools(),
): { readonly ok: true; readonly tool: CatalogTool } | { readonly ok: false; readonly message: string } {
	if (typeof name !== 'string' || !name.trim()) {
		return { ok: false, message: "Give the name of a tool as 'tool', such as server:tool." };
	}
	const { names, quarantined } = surface;
	const resolution = earlier.resolve(name, surface);
	const waiting = quarantinedTool(name, quarantined);
	// A full name leads to one tool; a bare one must not lead to another server's because one is quarantined.
	if (waiting && !(resolution.kind === 'found' && isFullName(name, resolution.tool))) {
		return { ok: false, message: quarantinedText(waiting.id) };
	}
	if (resolution.kind === 'found') return { ok: true, tool: resolution.tool };
	const candidates = resolution.kind === 'ambiguous' ? resolution.candidates : resolution.closest;
	const hint = candidates.map((tool) => callableName(tool, names)).join(', ');
	const asked = oneLine(name, nameLimit);
	if (resolution.kind === 'ambiguous') {
		return { ok: false, message: `More than one tool is called '${asked}': ${hint}.` };
	}
	return { ok: false, message: `There is no tool '${asked}'.${hint ? ` Closest: ${hint}.` : ''}` };
}

export function failedAnswer(text: string): ToolAnswer {
	return { text, failed: true };
}

export function jsonAnswer(text: string): ToolAnswer {
	return { text, failed: false };
}
