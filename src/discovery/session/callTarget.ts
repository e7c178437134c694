import { listText, nameLimit, oneLine, sentence } from '../../common/text.ts';
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
import { type ChatState, isInText, isLoaded } from './nextHead.ts';

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
			readonly input: Input;
			/** The provider never saw the schema, so the arguments must be checked before the call. */
			readonly unchecked: boolean;
			/** Nothing has loaded the tool: the session must `discover` it once the arguments are valid. */
			readonly undiscovered?: true;
	  }
	/** Must not run; the message is for the model. */
	| { readonly kind: 'refused'; readonly message: string };

/** Tells the model that it called a deferred tool without a search. */
function notLoaded(name: string): string {
	return (
		`Error: Tool '${oneLine(name, nameLimit)}' is not yet loaded. ` +
		`Use the '${searchToolsName}' tool to discover and load it first, then call it again.`
	);
}

type Input = Readonly<Record<string, unknown>>;

/** Where a call leads. `synthetic`: tools that the extension answers itself. `explains`: an unknown name gets the closest names. */
export function resolveCall(
	chat: ChatState,
	synthetic: readonly SyntheticTool[],
	{ name: calledName, input: givenInput }: { readonly name: string; readonly input: Input },
	explains: boolean,
): CallTarget {
	const { surface, turn, logState } = chat;
	const { enabled, onUndiscoveredCall } = surface.policy;
	const name = unwrappedName(calledName);
	const syntheticTool = synthetic.find((tool) => tool.name === name);
	if (syntheticTool) return { kind: 'synthetic', tool: syntheticTool };
	if (enabled && turn?.hosted?.some((tool) => tool.name === name)) return { kind: 'hosted' };
	const discovers = surface.deferred.length > 0;
	const canReadResources = enabled && logState.readsResources;
	// Accepted with every way of loading: earlier results of this chat may have told the model to call this way.
	const isWrapped = name === callToolName && (discovers || canReadResources);
	const call = isWrapped
		? unwrappedCall(givenInput)
		: ({ ok: true, name: calledName, input: givenInput } as const);
	if (!call.ok) return refused(call.message);
	const { input } = call;
	if (canReadResources && unwrappedName(call.name) === readResourceName)
		return calledResource(input, surface);
	const resolution = resolveTool(call.name, surface, new EarlierTools(surface, logState.tools));
	switch (resolution.kind) {
		case 'waiting':
			return refused(`Error: ${quarantinedText(resolution.tool.wireName)}`);
		case 'ambiguous':
			return refused(severalTools(call.name, resolution.candidates));
		case 'unknown':
			return refused(unknownTool(call.name, explains ? resolution.closest : [], discovers));
	}
	const { tool } = resolution;
	const unchecked = isWrapped || isInText(chat, tool.wireName) || logState.redefined.has(tool.wireName);
	if (isLoaded(chat, tool)) return { kind: 'tool', tool, input, unchecked };
	return onUndiscoveredCall === 'activate'
		? { kind: 'tool', tool, input, unchecked: true, undiscovered: true }
		: refused(notLoaded(call.name));
}

function refused(message: string): CallTarget {
	return { kind: 'refused', message };
}

/** The tool that a name means in a chat. A model may write `server:tool` or the bare name instead of the wire name. */
function resolveTool(
	name: string,
	surface: ToolSurface,
	earlier: EarlierTools,
): NameResolution | { readonly kind: 'waiting'; readonly tool: CatalogTool } {
	const exact = surface.get(name);
	const resolution = earlier.resolve(name, exact);
	const waiting = exact ? undefined : quarantinedTool(name, surface.quarantined);
	// A bare name must not reach another server's tool because the intended one is quarantined. A full name identifies one tool.
	const isFullMatch =
		resolution.kind === 'found' &&
		isFullName(name, resolution.tool) &&
		!(waiting && isFullName(name, waiting));
	return waiting && !isFullMatch ? { kind: 'waiting', tool: waiting } : resolution;
}

/** Candidates that an error lists. */
const maxNamedCandidates = 20;

function severalTools(name: string, candidates: readonly CatalogTool[]): string {
	const names = candidates.map((tool) => tool.wireName);
	return `Error: More than one tool is called '${oneLine(name, nameLimit)}': ${listText(names, maxNamedCandidates)}. Call one by its full name.`;
}

/** Tells the model that no tool has this name. `discovers`: it can search. */
function unknownTool(name: string, closest: readonly CatalogTool[], discovers: boolean): string {
	const names = closest.map((tool) => tool.wireName).join(', ');
	const hint = names ? ` Closest names: ${names}.` : '';
	const advice = discovers ? ` Use the '${searchToolsName}' tool to find one.` : '';
	return `Error: There is no tool '${oneLine(name, nameLimit)}'.${hint}${advice}`;
}

/** The resource that a call wants to read, or an error for the model. Only the connection knows whether the server allows the address. */
function calledResource({ server, uri }: Input, surface: ToolSurface): CallTarget {
	const serverName = typeof server === 'string' ? namedServer(surface, server) : undefined;
	if (serverName === undefined) {
		const message =
			typeof server === 'string'
				? unknownServer(surface, server)
				: "Provide 'server', the name of the server.";
		return refused(`Error: ${message}`);
	}
	if (typeof uri !== 'string' || uri.trim() === '')
		return refused("Error: Provide 'uri', the address of the resource.");
	return { kind: 'resource', server: serverName, uri: uri.trim() };
}

/** Tells the model how to read a linked resource of this server. */
export function readResourceHint(server: string, loading: Loading): string {
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
	const shownName = oneLine(name, nameLimit);
	const resolution = resolveTool(name, surface, earlier);
	if (resolution.kind === 'found') return { ok: true, tool: resolution.tool };
	if (resolution.kind === 'waiting') return { ok: false, message: quarantinedText(resolution.tool.id) };
	const candidates = resolution.kind === 'ambiguous' ? resolution.candidates : resolution.closest;
	const hint = candidates.map((tool) => callableName(tool, surface.names)).join(', ');
	const message =
		resolution.kind === 'ambiguous'
			? `More than one tool is called '${shownName}': ${hint}.`
			: `There is no tool '${shownName}'.${hint ? ` Closest: ${hint}.` : ''}`;
	return { ok: false, message };
}
