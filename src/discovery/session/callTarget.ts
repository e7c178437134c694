import { listed, nameLimit, oneLine, sentence } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { unwrappedName } from '../catalog/nameSpellings.ts';
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

/** The quarantined tool that a name means or may mean. */
export function quarantinedTool(name: string, quarantined: ToolNames): CatalogTool | undefined {
	const resolution = quarantined.resolve(name);
	if (resolution.kind === 'unknown') return undefined;
	return resolution.kind === 'found' ? resolution.tool : resolution.candidates[0];
}

/** Tells the model that a tool is quarantined. `name`: as the model knows it. */
function quarantinedText(name: string): string {
	return (
		sentence`The definition of '${name}' has changed since the user accepted it, so it cannot be called until the user accepts the change. ` +
		"Do not call it again. Ask the user to review it in Discovery's Servers view, or with the command 'Discovery: Review Changed Tools…'."
	);
}

/** Where a model's call leads. */
export type CallTarget =
	| { readonly kind: 'synthetic'; readonly tool: SyntheticTool }
	/** The owner of the turn answers it. */
	| { readonly kind: 'hosted' }
	/** Reads a resource of a server that this chat may use. */
	| { readonly kind: 'resource'; readonly server: string; readonly uri: string }
	| {
			readonly kind: 'tool';
			readonly tool: CatalogTool;
			readonly input: Readonly<Record<string, unknown>>;
			/** The provider never saw the schema, so the arguments must be checked before the call. */
			readonly unchecked: boolean;
			/** Nothing has loaded the tool: the session must `discover` it once the arguments are valid. */
			readonly undiscovered?: true;
	  }
	/** Must not run; the message is for the model. */
	| { readonly kind: 'refused'; readonly message: string };

/** Tells the model that it called a deferred tool without a search. */
export function notLoaded(name: string): string {
	return (
		`Error: Tool '${oneLine(name, nameLimit)}' is not yet loaded. ` +
		`Use the '${searchToolsName}' tool to discover and load it first, then call it again.`
	);
}

/** A tool named in a call. */
export interface CalledTool {
	/** As the model wrote it. */
	readonly name: string;
	readonly tool: CatalogTool;
	readonly input: Readonly<Record<string, unknown>>;
	/** Called through the synthetic tool `call_tool`. */
	readonly isWrapped: boolean;
}

/** Resolves a call to a server's tool, or to an error for the model. `explains`: the error names the closest tools. */
export function calledTool(
	name: string,
	input: Readonly<Record<string, unknown>>,
	surface: ToolSurface,
	earlier: EarlierTools,
	explains: boolean,
): ({ readonly ok: true } & CalledTool) | { readonly ok: false; readonly message: string } {
	const discovers = surface.deferred.length > 0;
	// Accepted with every way of loading: earlier results of this chat may have told the model to call this way.
	const isWrapped = unwrappedName(name) === callToolName && discovers;
	const meant = isWrapped ? unwrappedCall(input) : ({ ok: true, name, input } as const);
	if (!meant.ok) return meant;
	const exact = surface.get(meant.name);
	// Checked before inexact names: the name of a quarantined tool must not lead to another server's tool.
	const waiting = exact ? undefined : quarantinedTool(meant.name, surface.quarantined);
	if (waiting) return { ok: false, message: `Error: ${quarantinedText(waiting.wireName)}` };
	// A model may write `server:tool` or the bare name instead of the wire name.
	const resolution: NameResolution = exact ? { kind: 'found', tool: exact } : earlier.resolve(meant.name);
	if (resolution.kind === 'ambiguous') {
		return { ok: false, message: severalTools(meant.name, resolution.candidates) };
	}
	if (resolution.kind === 'found' && !earlier.meansAnother(meant.name, resolution.tool)) {
		return { ok: true, name: meant.name, tool: resolution.tool, input: meant.input, isWrapped };
	}
	const closest = explains ? surface.names.closest(meant.name) : [];
	return { ok: false, message: unknownTool(meant.name, closest, discovers) };
}

/** Candidates that an error lists. */
const namedCandidates = 20;

function severalTools(name: string, candidates: readonly CatalogTool[]): string {
	const names = candidates.map((tool) => tool.wireName);
	return `Error: More than one tool is called '${oneLine(name, nameLimit)}': ${listed(names, namedCandidates)}. Call one by its full name.`;
}

/** Tells the model that no tool has this name. `discovers`: it can search. */
function unknownTool(name: string, closest: readonly CatalogTool[], discovers: boolean): string {
	const names = closest.map((tool) => tool.wireName).join(', ');
	const hint = names ? ` Closest names: ${names}.` : '';
	const advice = discovers ? ` Use the '${searchToolsName}' tool to find one.` : '';
	return `Error: There is no tool '${oneLine(name, nameLimit)}'.${hint}${advice}`;
}

/** The resource that a call wants to read, or an error for the model. Only the connection knows whether the server allows the address. */
export function calledResource(
	{ server, uri }: Readonly<Record<string, unknown>>,
	surface: ToolSurface,
): CallTarget {
	const named = typeof server === 'string' ? namedServer(surface, server) : undefined;
	if (named === undefined) {
		const message =
			typeof server === 'string'
				? unknownServer(surface, server)
				: "Provide 'server', the name of the server.";
		return { kind: 'refused', message: `Error: ${message}` };
	}
	if (typeof uri !== 'string' || uri.trim() === '')
		return { kind: 'refused', message: "Error: Provide 'uri', the address of the resource." };
	return { kind: 'resource', server: named, uri: uri.trim() };
}

/** Tells the model how to read a linked resource of this server. */
export function howToRead(server: string, loading: Loading): string {
	const call = { server, uri: '…' };
	return loading === 'call'
		? `To read what it links to, use ${callToolName}: ${JSON.stringify({ name: readResourceName, arguments: call })}.`
		: `To read what it links to, use ${readResourceName}: ${JSON.stringify(call)}.`;
}

/** `server:tool` if that is printable as is and resolves to this tool alone; otherwise the wire name, which always resolves. */
export function callableName(tool: CatalogTool, names: ToolNames): string {
	const resolution = names.resolve(tool.id);
	const isOwn = resolution.kind === 'found' && resolution.tool.wireName === tool.wireName;
	return isOwn && oneLine(tool.id, nameLimit) === tool.id ? tool.id : tool.wireName;
}

/** The tool that a name resolves to, or an error for the caller. `earlier`: tools that the caller may have been told about. */
export function callableTool(
	name: unknown,
	surface: ToolSurface,
	earlier = new EarlierTools(surface),
): { readonly ok: true; readonly tool: CatalogTool } | { readonly ok: false; readonly message: string } {
	if (typeof name !== 'string' || !name.trim()) {
		return { ok: false, message: "Provide the name of a tool as 'tool', such as server:tool." };
	}
	const { names, quarantined } = surface;
	const resolution = earlier.resolve(name);
	const waiting = quarantinedTool(name, quarantined);
	// A full name identifies one tool. A bare name must not reach another server's tool because the intended one is quarantined.
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
