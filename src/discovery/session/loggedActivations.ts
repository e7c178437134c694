import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import {
	type ActivationOutcome,
	type ActivationReason,
	ActivationSet,
	type RequestRoom,
} from './activationSet.ts';
import type { ChatLog } from './chatLog.ts';
import { isSameTool } from './earlierTools.ts';
import type { Happening, LogEntry, Reader } from './logEntry.ts';
import { knownAs, loggedTool } from './notes.ts';

/** Loaded tools that are kept while no server offers them: as many as fit into one request. */
const keptGone = 64;

interface LoadOptions {
	/** The search words that matched. */
	readonly words?: string | undefined;
	/** Room in the next request. */
	readonly room: RequestRoom;
	/** Who must still be told about evictions. */
	readonly untold: readonly Reader[];
}

/** The activations of a chat. Every change has an entry in the log, so that another window arrives at the same set. */
export class LoggedActivations {
	readonly set: ActivationSet;
	readonly #log: ChatLog;

	constructor(log: ChatLog) {
		this.#log = log;
		this.set = new ActivationSet(null);
		for (const entry of log.entries) replay(this.set, entry);
	}

	/** Appends an entry that may change them. */
	append(happening: Happening): void {
		replay(this.set, happening);
		this.#log.append(happening);
	}

	/** Records a call; returns whether the tool is activated. */
	use({ wireName, server, name }: CatalogTool): boolean {
		this.append({ kind: 'use', wireName, server, name });
		return this.set.has(wireName);
	}

	/** The one place that activates tools, as far as there is room. */
	load(
		tools: readonly CatalogTool[],
		reason: ActivationReason,
		surface: ToolSurface,
		{ words, room, untold }: LoadOptions,
	): ActivationOutcome & { readonly loaded: readonly CatalogTool[] } {
		const names = tools.map(({ wireName }) => wireName);
		const outcome = this.set.activate(names, reason, words, room);
		const loaded = tools.filter(({ wireName }) => outcome.added.includes(wireName));
		const { renewed, evicted } = outcome;
		if (loaded.length + renewed.length > 0) {
			const why = { reason, ...(words !== undefined && { words }) };
			this.#log.append({ kind: 'load', tools: loaded.map(loggedTool), renewed, ...why });
		}
		this.#evicted(evicted, surface, untold);
		return { ...outcome, loaded };
	}

	/** Evicts what does not fit into the next request. */
	fitInto(room: RequestRoom, surface: ToolSurface): void {
		this.#evicted(this.set.fitInto(room), surface, ['user', 'model']);
	}

	/** Applies the bounds of a new surface. Tools of a disabled or removed server take no place from those that exist. */
	follow(surface: ToolSurface): void {
		const always = surface.loaded.map(({ wireName }) => wireName);
		const gone = this.set.byUse.filter((name) => !surface.exists(name));
		const evicted = this.set.bound(surface.policy.maxActiveSchemas, new Set([...always, ...gone]));
		this.#evicted(evicted, surface, ['user', 'model']);
	}

	/** Drops tools whose name now belongs to another server, and those that have been gone the longest. */
	dropLost(surface: ToolSurface): void {
		const isOther = (wireName: string) => {
			const [tool, now] = [this.#log.seen.loaded.get(wireName), surface.get(wireName)];
			return tool && now && !isSameTool(tool, now);
		};
		const { byUse } = this.set;
		const gone = byUse.filter((name) => !surface.get(name));
		const lost = [...byUse.filter(isOther), ...gone.slice(0, Math.max(0, gone.length - keptGone))];
		if (lost.length > 0) this.append({ kind: 'drop', wireNames: lost });
	}

	/** Unloads tools for the user; returns those that were loaded. */
	unload(tools: readonly CatalogTool[]): readonly CatalogTool[] {
		const removed = tools.filter(({ wireName }) => this.set.has(wireName));
		if (removed.length === 0) return removed;
		const wireNames = removed.map(({ wireName }) => wireName);
		this.append({ kind: 'unload', wireNames, names: removed.map(({ id }) => id) });
		return removed;
	}

	#evicted(evicted: readonly string[], surface: ToolSurface, untold: readonly Reader[]): void {
		const named = surface.nameable(evicted);
		const names = named.map((name) => knownAs(name, { surface, seen: this.#log.seen }));
		if (names.length > 0) this.#log.append({ kind: 'evict', wireNames: named, names, untold });
		// Names outside the chat's toolset must not be told now. They are told once the chat leaves the toolset.
		const wireNames = evicted.filter((name) => !named.includes(name));
		if (wireNames.length > 0)
			this.#log.append({ kind: 'evict', wireNames, names: [], untold: ['user', 'model'] });
	}
}

/** Repeats an entry's effect on a set of activations. Evictions come from the log. */
export function replay(active: ActivationSet, entry: Happening | LogEntry): void {
	switch (entry.kind) {
		case 'turn':
			active.beginTurn();
			break;
		case 'request':
			active.requestSent();
			break;
		case 'byHand':
			active.release();
			break;
		case 'reset':
			active.clear();
			break;
		case 'use':
			active.call(entry.wireName);
			break;
		case 'load': {
			const names = entry.tools.map(({ wireName }) => wireName);
			active.activate([...entry.renewed, ...names], entry.reason, entry.words);
			break;
		}
		case 'evict':
		case 'unload':
		case 'drop':
			for (const name of entry.wireNames) active.remove(name);
			break;
	}
}
