import { weakMemo } from '../../common/memo.ts';
import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { ChatMessage } from '../catalog/message.ts';
import type { Loading } from '../catalog/policy.ts';
import { readResourceDefinition, readResourceName, searchToolsName } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { activatedTools, type Limit, roomFor } from './activations.ts';
import type { NewHeadReason, RequestCost, RequestSent } from './logEntry.ts';
import type { LogState } from './logState.ts';
import { extendedPrefix, frozenPrefix, isSameDefinition, type PromptPrefix } from './promptPrefix.ts';
import { requestCost } from './toolTokens.ts';

/** The model of a turn, and how loaded tools reach it. */
export interface TurnOptions {
	/** Another model has another cache, so the head may change. */
	readonly model: string;
	readonly loading: Loading;
	/** Most tools per request; absent: unlimited. */
	readonly maxTools?: number | undefined;
	/** No language model is asked: no tokens are used or saved. */
	readonly isByRules?: true;
	/** Why the provider would not be sent a tool, as a sentence; `undefined`: it would. */
	readonly refusalOf?: (tool: ToolDefinition) => string | undefined;
	/** Tools answered by the owner of the turn; sent after `search_tools` while discovery is on. */
	readonly hosted?: readonly ToolDefinition[];
}

/** The next request, and what to show the user about it. */
export interface NextRequest extends Pick<PromptPrefix, 'paragraph' | 'tools'> {
	/** The conversation, including notes. Read it only when sending: trimming may still change it. */
	readonly messages: readonly ChatMessage[];
	/** See `ChatRequest`. */
	readonly searchTool?: string;
	/** Tools evicted since the last request, as people know them. */
	readonly evicted: readonly string[];
	/** Changed tools that the model was told about, as `server:tool`. */
	readonly changed: readonly string[];
}

/** Everything that the next request depends on, at one moment. */
export interface ChatState {
	readonly logState: LogState;
	/** Definitions inside results, by wire name. */
	readonly inResults: ReadonlyMap<string, ToolDefinition>;
	readonly surface: ToolSurface;
	readonly turn: TurnOptions | undefined;
}

export function loadingOf({ turn, logState }: Pick<ChatState, 'turn' | 'logState'>): Loading {
	return turn?.loading ?? logState.loading ?? 'append';
}

/** The head of the next request. Like all that is computed of a state and asked for often, once per state. */
export const nextHead = weakMemo((chat: ChatState): PromptPrefix => {
	const { surface, turn, logState } = chat;
	const loaded = loadedTools(chat);
	// While discovery is off nothing is frozen: requests are exactly what they would be without it.
	if (!surface.policy.enabled) return frozenPrefix(surface, loadingOf(chat), [], loaded);
	const defined = definedInResults(chat);
	const { extended } = keptHead(chat);
	if (extended) {
		const sent = logState.head?.tools.length ?? 0;
		const tools = extended.tools.filter(({ name }, i) => i < sent || !defined.has(name));
		return tools.length === extended.tools.length ? extended : { ...extended, tools };
	}
	const untold = loaded.filter(({ wireName }) => !defined.has(wireName));
	return frozenPrefix(surface, loadingOf(chat), turn?.hosted ?? [], untold, lateTools(chat));
});

/** Whether the next request keeps the head of the last one. */
export function keepsHead(chat: ChatState): boolean {
	return chat.surface.policy.enabled && keptHead(chat).extended !== undefined;
}

/** The cost of the tool definitions in the next request. The status bar, the code lens, the context page and `/context` all show it. */
export const nextCost = weakMemo((chat: ChatState): RequestCost => {
	return requestCost(chat.surface, nextHead(chat), chat.inResults);
});

/** The next request as a log entry. */
export function sentRequest(chat: ChatState): RequestSent {
	const head = nextHead(chat);
	const { logState, surface, turn } = chat;
	const reason = newHeadReason(chat);
	const added = head.tools.slice(logState.head?.tools.length);
	return {
		kind: 'request',
		...nextCost(chat),
		...(turn?.isByRules && { isByRules: true }),
		...(reason !== undefined && { anew: reason, ...(surface.policy.enabled && { head }) }),
		...(reason === undefined && added.length > 0 && { added }),
	};
}

/** Why the next request starts with a new head; `undefined`: it does not. */
function newHeadReason(chat: ChatState): NewHeadReason | undefined {
	if (!chat.surface.policy.enabled) return 'off';
	if (!chat.logState.head) return chat.logState.anew;
	return keepsHead(chat) ? undefined : 'configured';
}

/** The last head with everything that is loaded, whether or not results define it; none if the next request needs a new head. */
const keptHead = weakMemo((chat: ChatState): { readonly extended: PromptPrefix | undefined } => {
	const { logState, surface, turn } = chat;
	if (!logState.head) return { extended: undefined };
	const parts = { surface, hosted: turn?.hosted ?? [], loaded: loadedTools(chat), late: lateTools(chat) };
	return { extended: extendedPrefix(logState.head, { ...parts, lingering: logState.lingering }) };
});

function loadedTools({ surface, logState }: ChatState): readonly CatalogTool[] {
	return [...surface.loaded, ...activatedTools(logState.active, surface)];
}

/** With `call` the tools never change: the note about the link explains how to read it. */
function lateTools(chat: ChatState): readonly ToolDefinition[] {
	return chat.logState.readsResources && loadingOf(chat) !== 'call' ? [readResourceDefinition] : [];
}

/** Wire names whose definitions are inside results and so are not sent again. */
const definedInResults = weakMemo((chat: ChatState): ReadonlySet<string> => {
	// Without `search_tools` the provider ignores definitions in results.
	if (loadingOf(chat) === 'append' || !canSearch(chat)) return new Set();
	return new Set(chat.inResults.keys());
});

/** Whether the model can search. It keeps the tool while deferred tools are temporarily away. */
export function canSearch(chat: ChatState): boolean {
	if (chat.surface.deferred.length > 0) return true;
	return headHasTool(chat, searchToolsName) && keepsHead(chat);
}

function headHasTool({ logState }: ChatState, wireName: string): boolean {
	return logState.head?.tools.some(({ name }) => name === wireName) ?? false;
}

/** Whether the model can call a tool. With `call` the schema is in a text that may have been trimmed. */
export function knowsTool(chat: ChatState, wireName: string): boolean {
	const isTold = chat.logState.head?.loading === 'native' && definedInResults(chat).has(wireName);
	return isTold || headHasTool(chat, wireName);
}

/** Whether a tool is loaded, or the model still has its definition although it was evicted: it can be called without a new search. */
export function isLoaded(chat: ChatState, tool: CatalogTool): boolean {
	const { surface, logState } = chat;
	return (
		surface.loaded.includes(tool) ||
		logState.active.tools.has(tool.wireName) ||
		knowsTool(chat, tool.wireName)
	);
}

/** Whether the model knows a tool only from the text of a result. */
export function isInText(chat: ChatState, wireName: string): boolean {
	return loadingOf(chat) === 'call' && canSearch(chat) && !headHasTool(chat, wireName);
}

/** Room in the next request. `inResult`: definitions of tools that are about to be loaded come in a result and take none. */
export function requestRoom(chat: ChatState, inResult = false): Limit {
	const { surface } = chat;
	const { active } = chat.logState;
	const { always, most } = bounds(chat);
	const defined = definedInResults(chat);
	const eager = new Set(surface.loaded);
	return roomFor(active, Math.max(0, most - always), (name) => {
		const tool = surface.get(name);
		const isNew = inResult && !active.tools.has(name);
		return tool !== undefined && !isNew && !defined.has(name) && !eager.has(tool);
	});
}

export function isCrowded(chat: ChatState): boolean {
	return nextHead(chat).tools.length > bounds(chat).most;
}

/** The number of tools that are always in a request, and the maximum. One search must fit, unless the model takes no more. */
function bounds(chat: ChatState): { readonly always: number; readonly most: number } {
	const { surface, turn } = chat;
	const { maxRequestTools, maxSearchResults } = surface.policy;
	const defined = definedInResults(chat);
	const loaded = surface.loaded.filter(({ wireName }) => !defined.has(wireName));
	const { tools, synthetic } = nextHead(chat);
	const late = tools.slice(synthetic).some(({ name }) => name === readResourceName) ? 1 : 0;
	const always = synthetic + late + loaded.length;
	const most = Math.max(maxRequestTools, always + maxSearchResults);
	return { always, most: Math.min(turn?.maxTools ?? most, most) };
}

/** A definition inside a result, updated for a new head: the current one, or `undefined` if the tool is gone or not loaded. */
export function updatedDefinition(
	{ surface, logState }: ChatState,
	definition: ToolDefinition,
): ToolDefinition | undefined {
	const tool = surface.get(definition.name);
	if (!tool || !(surface.loaded.includes(tool) || logState.active.tools.has(definition.name)))
		return undefined;
	const now = toolDefinition(tool);
	return isSameDefinition(definition, now) ? definition : now;
}

/**
 * Server tools as the model knows them: in the head that the next request keeps, and in results. A new head has the current tools, and with `native`
 * it updates the results, too. A schema in a text stays as it is.
 */
export const knownTools = weakMemo((chat: ChatState): ReadonlyMap<string, ToolDefinition> => {
	const { logState, inResults, surface } = chat;
	const { head, redefined, active } = logState;
	const isKept = keepsHead(chat);
	const headTools = isKept && head ? head.tools.slice(head.synthetic) : [];
	const isLoaded = (name: string) =>
		active.tools.has(name) || surface.loaded.some(({ wireName }) => wireName === name);
	const resultTools = [...definedInResults(chat)].flatMap((name) => {
		const definition = inResults.get(name);
		const isCurrent = loadingOf(chat) === 'call' ? isLoaded(name) : isKept;
		return definition && isCurrent ? [definition] : [];
	});
	const serverTools = headTools.filter(({ name }) => name !== readResourceName);
	return new Map([
		...serverTools.map((one) => [one.name, redefined.get(one.name) ?? one] as const),
		...resultTools.map((one) => [one.name, redefined.get(one.name) ?? one] as const),
	]);
});
