import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { ChatMessage } from '../catalog/message.ts';
import type { Loading } from '../catalog/policy.ts';
import { readResourceDefinition, readResourceName, searchToolsName } from '../catalog/syntheticTool.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { type ActivationSet, activatedTools, type RequestRoom } from './activationSet.ts';
import type { RequestSent, WhyAnew } from './logEntry.ts';
import { extendedPrefix, frozenPrefix, isSameDefinition, type PromptPrefix } from './promptPrefix.ts';
import type { Seen } from './seen.ts';
import { requestCost } from './toolTokens.ts';

/** Who answers the turns that follow, and how loaded tools reach it. */
export interface TurnOptions {
	/** Another model has another cache, so the prompt may begin anew. */
	readonly model: string;
	readonly loading: Loading;
	/** Most tools that the model takes in a request; any number if absent. */
	readonly maxTools?: number | undefined;
	/** No language model is asked: what is sent costs and saves no tokens. */
	readonly isByRules?: true;
	/** Why the model would not be sent a tool, as a sentence; `undefined`: it would. */
	readonly refusalOf?: (tool: ToolDefinition) => string | undefined;
	/** Tools that whoever runs the turn answers itself; sent behind `search_tools`, while discovery is on. */
	readonly hosted?: readonly ToolDefinition[];
}

/** What the model is sent next, and what the user is to know of it. */
export interface NextRequest extends Pick<PromptPrefix, 'paragraph' | 'tools'> {
	/** The conversation, with what the model was to know besides. */
	readonly messages: readonly ChatMessage[];
	/** See `ChatRequest`. */
	readonly searchTool?: string;
	/** Unloaded since the last request, by wire name: there was no room, or a call took a tool back that had been evicted. */
	readonly evicted: readonly string[];
	/** Loaded tools of which the model was told that they have changed: `server:tool`. */
	readonly changed: readonly string[];
}

/** All that the next request of a chat depends on. */
export interface ChatState {
	readonly seen: Seen;
	/** Definitions that stand in results, by wire name. */
	readonly inResults: ReadonlyMap<string, ToolDefinition>;
	readonly surface: ToolSurface;
	readonly active: ActivationSet;
	readonly turn: TurnOptions | undefined;
}

/** How loaded tools reach the model. */
export function loadingOf({ turn, seen }: Pick<ChatState, 'turn' | 'seen'>): Loading {
	return turn?.loading ?? seen.loading ?? 'append';
}

/** How the next request would begin. */
export function nextHead(chat: ChatState): PromptPrefix {
	const { surface, turn } = chat;
	const loaded = loadedTools(chat);
	// While discovery is off nothing is kept, so that requests are what they would be without it.
	if (!surface.policy.enabled) return frozenPrefix(surface, loadingOf(chat), [], loaded);
	const told = toldInResults(chat);
	const extended = extendedHead(chat, loaded, told);
	if (extended) return extended;
	const untold = loaded.filter(({ wireName }) => !told.has(wireName));
	return frozenPrefix(surface, loadingOf(chat), turn?.hosted ?? [], untold, lateTools(chat));
}

/** Whether the next request begins as the last one did. */
export function goesOn(chat: ChatState): boolean {
	return chat.surface.policy.enabled && extendedHead(chat) !== undefined;
}

/** The next request as the log keeps it. `head`: {@link nextHead}. */
export function sentRequest(chat: ChatState, head: PromptPrefix): RequestSent {
	const { seen, surface, turn, inResults } = chat;
	const anew = whyAnew(chat);
	const added = head.tools.slice(seen.head?.tools.length);
	return {
		kind: 'request',
		...requestCost(surface, head.tools, inResults, head.paragraph),
		...(turn?.isByRules && { isByRules: true }),
		...(anew !== undefined && { anew, ...(surface.policy.enabled && { head }) }),
		...(anew === undefined && added.length > 0 && { added }),
	};
}

/** Why the next request does not begin as the last one did; `undefined` where it does. */
function whyAnew(chat: ChatState): WhyAnew | undefined {
	if (!chat.surface.policy.enabled) return 'off';
	if (!chat.seen.head) return chat.seen.anew;
	return goesOn(chat) ? undefined : 'configured';
}

function extendedHead(
	chat: ChatState,
	loaded = loadedTools(chat),
	told: ReadonlySet<string> = new Set(),
): PromptPrefix | undefined {
	const { seen, surface, turn } = chat;
	if (!seen.head) return undefined;
	const parts = { surface, hosted: turn?.hosted ?? [], loaded, told, late: lateTools(chat) };
	return extendedPrefix(seen.head, { ...parts, lingering: seen.lingering });
}

function loadedTools({ surface, active }: ChatState): readonly CatalogTool[] {
	return [...surface.loaded, ...activatedTools(active, surface)];
}

/** With `call` the tools never change: the note on the link says how to call it. */
function lateTools(chat: ChatState): readonly ToolDefinition[] {
	return chat.seen.readsResources && loadingOf(chat) !== 'call' ? [readResourceDefinition] : [];
}

/** Wire names of tools whose definitions stand in results, so that they are not sent again. */
function toldInResults(chat: ChatState): ReadonlySet<string> {
	// Where nothing can be searched any more, nobody reads definitions out of results.
	if (loadingOf(chat) === 'append' || !searches(chat)) return new Set();
	return new Set(chat.inResults.keys());
}

/** Whether the model can search: while what it could find is away, it still has the tool. */
export function searches(chat: ChatState): boolean {
	if (chat.surface.deferred.length > 0) return true;
	return sends(chat, searchToolsName) && goesOn(chat);
}

/** Whether a tool is among the tools of the last request. */
function sends({ seen }: ChatState, wireName: string): boolean {
	return seen.head?.tools.some(({ name }) => name === wireName) ?? false;
}

/** Whether a model knows how to call a tool. With `call` it reads that in a text, which may have gone from the conversation. */
export function knowsTool(chat: ChatState, wireName: string): boolean {
	const isTold = chat.seen.head?.loading === 'native' && toldInResults(chat).has(wireName);
	return isTold || sends(chat, wireName);
}

/** Whether the model can know a tool from the text of a result alone. */
export function isInText(chat: ChatState, wireName: string): boolean {
	return loadingOf(chat) === 'call' && searches(chat) && !sends(chat, wireName);
}

/**
 * Room in the next request for tools that are activated, and for those that are about to be. `inResult`: the definitions of these come
 * in a result, so only what is activated takes room.
 */
export function requestRoom(
	chat: ChatState,
	asked: readonly CatalogTool[] = [],
	inResult = false,
): RequestRoom {
	const { surface, active } = chat;
	const { always, most } = bounds(chat);
	const told = toldInResults(chat);
	const eager = new Set(surface.loaded);
	const inRequest = [...activatedTools(active, surface), ...(inResult ? [] : asked)]
		.filter((tool) => !told.has(tool.wireName) && !eager.has(tool))
		.map(({ wireName }) => wireName);
	return { size: Math.max(0, most - always), inRequest: new Set(inRequest) };
}

/** Whether the next request would have more tools than it may. */
export function isCrowded(chat: ChatState): boolean {
	return nextHead(chat).tools.length > bounds(chat).most;
}

/** How many tools of a request are always there, and how many there may be: one search has room, unless the model takes no more. */
function bounds(chat: ChatState): { readonly always: number; readonly most: number } {
	const { surface, turn } = chat;
	const { maxRequestTools, maxSearchResults } = surface.policy;
	const told = toldInResults(chat);
	const loaded = surface.loaded.filter(({ wireName }) => !told.has(wireName));
	const { tools, synthetic } = nextHead(chat);
	const late = tools.slice(synthetic).some(({ name }) => name === readResourceName) ? 1 : 0;
	const always = synthetic + late + loaded.length;
	const most = Math.max(maxRequestTools, always + maxSearchResults);
	return { always, most: Math.min(turn?.maxTools ?? most, most) };
}

/**
 * A definition that stands in a result as it is to stand there where the request begins anew: as the tool is now, or `undefined` where it is
 * gone or not loaded any more.
 */
export function standingDefinition(
	{ surface, active }: ChatState,
	definition: ToolDefinition,
): ToolDefinition | undefined {
	const tool = surface.get(definition.name);
	if (!tool || !(surface.loaded.includes(tool) || active.has(definition.name))) return undefined;
	const now = toolDefinition(tool);
	return isSameDefinition(definition, now) ? definition : now;
}

/** Tools of servers that the model has before it, in results too; none where the next request begins anew and has them as they are. */
export function sentTools(chat: ChatState): readonly ToolDefinition[] {
	const { seen, inResults } = chat;
	if (!seen.head || !goesOn(chat)) return [];
	const told = toldInResults(chat);
	const standing = seen.head.loading === 'native' ? [...inResults.values()] : [];
	const joined = seen.head.tools.slice(seen.head.synthetic).filter(({ name }) => name !== readResourceName);
	return [...joined, ...standing.filter(({ name }) => told.has(name))];
}
