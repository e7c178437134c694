import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { type ActivationOutcome, beyond, byUse, capOf, type Limit, toLoad } from './activations.ts';
import type { ChatLog } from './chatLog.ts';
import { isSameTool } from './earlierTools.ts';
import type { ActivationReason } from './logEntry.ts';
import { knownAs } from './notes.ts';

/** Loaded tools that are kept while no server offers them: as many as fit into one request. */
const keptGone = 64;

/** A chat, in whose log every change of its loaded tools is an entry. */
export interface DiscoveringChat {
	readonly log: ChatLog;
	readonly surface: ToolSurface;
}

/** The one place that loads tools, as far as there is room. `words`: the search words that matched. */
export function load(
	{ log, surface }: DiscoveringChat,
	tools: readonly CatalogTool[],
	reason: ActivationReason,
	{ words, room }: { readonly words?: string | undefined; readonly room: Limit },
): ActivationOutcome & { readonly loaded: readonly CatalogTool[] } {
	const names = tools.map(({ wireName }) => wireName);
	const outcome = toLoad(log.seen.active, names, [capOf(log.seen.active, surface), room]);
	const { added, renewed, evicted } = outcome;
	const loaded = tools.filter(({ wireName }) => added.includes(wireName));
	if (loaded.length + renewed.length > 0) {
		const why = { reason, ...(words !== undefined && { words }) };
		const logged = loaded.map(({ wireName, server, name }) => ({ wireName, server, name }));
		log.append({ kind: 'load', tools: logged, renewed, ...why });
	}
	evict({ log, surface }, evicted);
	return { ...outcome, loaded };
}

/** Records evictions. Nobody is told names outside the chat's toolset. */
export function evict({ log, surface }: DiscoveringChat, wireNames: readonly string[]): void {
	if (wireNames.length === 0) return;
	const names = surface.nameable(wireNames).map((name) => knownAs(name, { surface, seen: log.seen }));
	log.append({ kind: 'evict', wireNames, names });
}

/** Applies the cap of a new surface. */
export function keepWithinCap({ log, surface }: DiscoveringChat): void {
	evict({ log, surface }, beyond(log.seen.active, capOf(log.seen.active, surface)));
}

/** Drops tools whose name now belongs to another server, and the ones that disappeared longest ago. */
export function dropLost({ log, surface }: DiscoveringChat): void {
	const isOther = (wireName: string) => {
		const [tool, now] = [log.seen.loaded.get(wireName), surface.get(wireName)];
		return tool && now && !isSameTool(tool, now);
	};
	const used = byUse(log.seen.active);
	const gone = used.filter((name) => !surface.get(name));
	const wireNames = [...used.filter(isOther), ...gone.slice(0, Math.max(0, gone.length - keptGone))];
	if (wireNames.length > 0) log.append({ kind: 'drop', wireNames });
}
