import { type CatalogTool, toolDefinition } from '../catalog/catalog.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { type ActivationOutcome, byUse, capOf, planLoading, toolsBeyondLimit } from './activations.ts';
import type { ChatLog } from './chatLog.ts';
import { isSameTool } from './earlierTools.ts';
import type { ActivationReason } from './logEntry.ts';
import { type ChatState, isCrowded, requestRoom } from './nextHead.ts';
import { knownAs } from './notes.ts';

/** Loaded tools that are kept while no server offers them: as many as fit into one request. */
const maxGoneTools = 64;

/** A chat, in whose log every change of its loaded tools is an entry. Its surface and its state may change at any time. */
export interface DiscoveringChat {
	readonly log: ChatLog;
	readonly surface: ToolSurface;
	readonly state: ChatState;
}

interface LoadOptions {
	/** The search words that matched. */
	readonly words?: string | undefined;
	/** A result brings the definitions, so they take no room among the tools of the request. */
	readonly inResult?: boolean;
}

/** Loads tools unless they are always loaded, as far as there is room. Nothing else loads tools. */
export function load(
	chat: DiscoveringChat,
	tools: readonly CatalogTool[],
	reason: ActivationReason,
	{ words, inResult = false }: LoadOptions = {},
): ActivationOutcome & { readonly loaded: readonly CatalogTool[] } {
	const { log, surface, state } = chat;
	const { active } = state.logState;
	const deferred = [...new Set(tools)].filter((tool) => !surface.loaded.includes(tool));
	const names = deferred.map(({ wireName }) => wireName);
	const outcome = planLoading(active, names, [capOf(active, surface), requestRoom(state, inResult)]);
	const { added, renewed, evicted } = outcome;
	const loaded = deferred.filter(({ wireName }) => added.includes(wireName));
	if (loaded.length + renewed.length > 0) {
		const details = { reason, ...(words !== undefined && { words }) };
		const logged = loaded.map(({ wireName, server, name }) => ({ wireName, server, name }));
		log.append({ kind: 'load', tools: logged, renewed, ...details });
	}
	evict(chat, evicted);
	return { ...outcome, loaded };
}

/** Records definitions that a result brings: they take no room among the tools of the request. */
export function recordDefinitions(
	{ log }: DiscoveringChat,
	tools: readonly CatalogTool[],
): readonly ToolDefinition[] {
	const definitions = tools.map(toolDefinition);
	if (tools.length > 0) log.append({ kind: 'brought', definitions });
	return definitions;
}

/** Evicts what the next request has no room for. */
export function evictBeyondRoom(chat: DiscoveringChat): void {
	const { log, state } = chat;
	if (!isCrowded(state)) return;
	if (log.state.head) log.append({ kind: 'anew', why: 'limit' });
	evict(chat, toolsBeyondLimit(log.state.active, requestRoom(chat.state)));
}

/** Records evictions. Nobody is told names outside the chat's toolset. */
function evict({ log, surface }: DiscoveringChat, wireNames: readonly string[]): void {
	if (wireNames.length === 0) return;
	const names = surface.nameable(wireNames).map((name) => knownAs(name, { surface, logState: log.state }));
	log.append({ kind: 'evict', wireNames, names });
}

/** Applies the cap of a new surface. */
export function keepWithinCap(chat: DiscoveringChat): void {
	const { active } = chat.log.state;
	evict(chat, toolsBeyondLimit(active, capOf(active, chat.surface)));
}

/** Drops tools whose name now belongs to another server, and the ones that disappeared longest ago. */
export function dropGoneTools({ log, surface }: DiscoveringChat): void {
	const isOther = (wireName: string) => {
		const [tool, now] = [log.state.loaded.get(wireName), surface.get(wireName)];
		return tool && now && !isSameTool(tool, now);
	};
	const used = byUse(log.state.active);
	const gone = used.filter((name) => !surface.get(name));
	const wireNames = [...used.filter(isOther), ...gone.slice(0, Math.max(0, gone.length - maxGoneTools))];
	if (wireNames.length > 0) log.append({ kind: 'drop', wireNames });
}
