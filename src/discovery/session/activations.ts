import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { ActivationReason, ChatEvent } from './logEntry.ts';

/** Characters of the search words that are stored with a tool. */
export const wordsLimit = 100;

export interface Activation {
	readonly wireName: string;
	readonly reason: ActivationReason;
	/** What was searched for, if anything. */
	readonly words?: string;
	/** The turn in which the tool was last loaded or called. */
	readonly lastTurn: number;
	/** Grows with every use of any tool: the order of use within a turn. */
	readonly lastUse: number;
}

/** The result of loading some tools, by wire name. */
export interface ActivationOutcome {
	readonly added: readonly string[];
	/** Already active; only marked as used. */
	readonly renewed: readonly string[];
	/** Evicted to make room for the added ones. */
	readonly evicted: readonly string[];
	/** Not added: no other tool may be evicted for them. */
	readonly refused: readonly string[];
}

/** A bound on the activated tools. */
export interface Limit {
	readonly size: number;
	readonly counts: (wireName: string) => boolean;
	/** Whether a tool that counts must not be evicted for another. */
	readonly isProtected: (activation: Activation) => boolean;
}

/**
 * The tools that one chat has activated, computed from its log. Immutable. Activations are sticky, with two limits. Beyond the cap ({@link capOf})
 * the least recently used tool is evicted, but never one that was loaded or called in the current turn or since the user last loaded something by
 * hand. Beyond the room of the next request ({@link roomFor}) the least recently used tool is evicted too, but none that was loaded or called since
 * the last request, because the model is about to be told that it has it, and none that was called in this turn. What does not fit beside these is
 * refused. If the user leaves less room, tools called in this turn are evicted last. Always-loaded tools are never activated; tools that become
 * always loaded, or that do not exist now, do not count. Tools are known by their wire names, so activations survive changes of the catalog.
 */
export interface Activations {
	/** By wire name, in the order of activation. */
	readonly tools: ReadonlyMap<string, Activation>;
	readonly turn: number;
	/** Uses so far: the number of the next one. */
	readonly uses: number;
	/** Beyond the cap, only tools last used before this number may be evicted. */
	readonly protectedFrom: number;
	/** Number of the first use after the last request. */
	readonly sinceRequest: number;
	/** Wire names called in this turn, active or not. */
	readonly called: ReadonlySet<string>;
}

export const nothingActive: Activations = {
	tools: new Map(),
	turn: 0,
	uses: 0,
	protectedFrom: 0,
	sinceRequest: 0,
	called: new Set(),
};

/** Adds one entry. */
export function withActivity(active: Activations, entry: ChatEvent): Activations {
	switch (entry.kind) {
		case 'turn':
			return { ...active, turn: active.turn + 1, called: nothingActive.called, protectedFrom: active.uses };
		case 'request':
			return { ...active, sinceRequest: active.uses };
		case 'byHand':
			return { ...active, protectedFrom: active.uses };
		case 'reset':
			return { ...active, tools: nothingActive.tools };
		case 'use': {
			const called = new Set([...active.called, entry.wireName]);
			return withUse({ ...active, called }, [entry.wireName]);
		}
		case 'load': {
			const { tools, renewed, reason, words } = entry;
			const names = tools.map(({ wireName }) => wireName);
			return withUse(active, [...renewed, ...names], { reason, ...(words !== undefined && { words }) });
		}
		case 'evict':
		case 'unload':
		case 'drop':
			return without(active, entry.wireNames);
		default:
			return active;
	}
}

/** With `why`, tools that are not active become active. */
function withUse(
	active: Activations,
	wireNames: readonly string[],
	why?: Pick<Activation, 'reason' | 'words'>,
): Activations {
	const tools = new Map(active.tools);
	let { uses } = active;
	for (const wireName of wireNames) {
		const activation = tools.get(wireName) ?? (why && { wireName, ...why });
		if (activation) tools.set(wireName, { ...activation, lastTurn: active.turn, lastUse: uses++ });
	}
	return { ...active, tools, uses };
}

function without(active: Activations, wireNames: readonly string[]): Activations {
	const tools = new Map(active.tools);
	for (const name of wireNames) tools.delete(name);
	return { ...active, tools };
}

/** The most activated tools. Those of a disabled or removed server do not count, so they take no place from others. */
export function capOf(active: Activations, surface: ToolSurface): Limit {
	const always = new Set(surface.loaded.map(({ wireName }) => wireName));
	return {
		size: surface.policy.maxActiveSchemas ?? Number.POSITIVE_INFINITY,
		counts: (name) => !always.has(name) && surface.exists(name),
		isProtected: ({ lastUse }) => lastUse >= active.protectedFrom,
	};
}

/** Room for `size` activated tools in the next request. `counts`: whether a tool takes room in it. */
export function roomFor(active: Activations, size: number, counts: Limit['counts']): Limit {
	const holds: Limit['isProtected'] = ({ wireName, lastUse }) =>
		lastUse >= active.sinceRequest || active.called.has(wireName);
	return { size, counts, isProtected: holds };
}

/** What comes of loading tools, best first, within all limits. */
export function planLoading(
	active: Activations,
	requested: readonly string[],
	limits: readonly Limit[],
): ActivationOutcome {
	const uniqueNames = [...new Set(requested)];
	const renewed = uniqueNames.filter((name) => active.tools.has(name));
	const { tools } = active;
	let evictable = byEviction(withUse(active, renewed));
	const [added, evicted, refused]: [string[], string[], string[]] = [[], [], []];
	for (const name of uniqueNames.filter((one) => !tools.has(one))) {
		const victims: string[] = [];
		const isFull = limits.some(({ size, counts, isProtected: holds }) => {
			const counted = counts(name) ? evictable.filter((one) => counts(one) && !victims.includes(one)) : [];
			if (!counts(name) || counted.length < size) return false;
			const victim = counted.find((one) => {
				const activation = renewed.includes(one) ? undefined : tools.get(one);
				return activation && !holds(activation);
			});
			if (victim !== undefined) victims.push(victim);
			return victim === undefined;
		});
		(isFull ? refused : added).push(name);
		if (isFull) continue;
		evicted.push(...victims);
		evictable = [...evictable.filter((one) => !victims.includes(one)), name];
	}
	return { added, renewed, evicted, refused };
}

/** What is beyond a limit, in order of eviction. */
export function toolsBeyondLimit(active: Activations, { size, counts }: Limit): readonly string[] {
	const counted = byEviction(active).filter(counts);
	return counted.slice(0, Math.max(0, counted.length - size));
}

/** From the least to the most recently used. */
export function byUse({ tools }: Activations): readonly string[] {
	return [...tools.values()].sort((a, b) => a.lastUse - b.lastUse).map(({ wireName }) => wireName);
}

/** Tools in order of eviction: those called in this turn last. */
function byEviction(active: Activations): readonly string[] {
	const names = byUse(active);
	const isCalled = (name: string) => active.called.has(name);
	return [...names.filter((name) => !isCalled(name)), ...names.filter(isCalled)];
}

/** Activated tools that exist now and are not always loaded, in order of activation. */
export function activatedTools({ tools }: Activations, surface: ToolSurface): readonly CatalogTool[] {
	const eager = new Set(surface.loaded);
	return [...tools.keys()].flatMap((wireName) => {
		const tool = surface.get(wireName);
		return tool && !eager.has(tool) ? [tool] : [];
	});
}

/** An activated tool and why it was loaded. */
export interface ActivatedTool {
	readonly tool: CatalogTool;
	readonly activation: Activation;
}

/** {@link activatedTools}, the most recently used first. */
export function activationsByUse(active: Activations, surface: ToolSurface): readonly ActivatedTool[] {
	const tools = new Set(activatedTools(active, surface));
	return byUse(active)
		.toReversed()
		.flatMap((name) => {
			const [tool, activation] = [surface.get(name), active.tools.get(name)];
			return tool && activation && tools.has(tool) ? [{ tool, activation }] : [];
		});
}
