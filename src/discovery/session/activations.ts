import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import type { ActivationReason, Happening } from './logEntry.ts';

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
	/** Not added: everything else in the set belongs to this turn. */
	readonly refused: readonly string[];
	/** No room in the next request. Those that were active are also in `evicted`. */
	readonly crowded: readonly string[];
}

/** Room for activated tools in the next request. */
export interface RequestRoom {
	readonly size: number;
	/** Wire names of active or requested tools that would take room in that request. */
	readonly inRequest: ReadonlySet<string>;
}

const boundless: RequestRoom = { size: Number.POSITIVE_INFINITY, inRequest: new Set() };

/**
 * The tools that one chat has activated, computed from its log. Immutable. Activations are sticky, with two bounds. Beyond the cap the least recently used
 * tool is evicted, but never one that was loaded or called in the current turn or since the user last loaded something by hand. Beyond the room of the next
 * request the least recently used tool is evicted too, but none that was loaded or called since the last request, because the model is about to be told
 * that it has it, and none that was called in this turn: what does not fit beside it is refused. If the user leaves less room, called tools are evicted
 * last. Always-loaded tools are never activated; tools that become always loaded, or that do not exist now, neither count nor get evicted by the cap. Tools
 * are known by their wire names, so activations survive changes of the catalog.
 */
export interface Activations {
	/** By wire name, in the order of activation. */
	readonly tools: ReadonlyMap<string, Activation>;
	readonly turn: number;
	/** Uses so far: the number of the next one. */
	readonly uses: number;
	/** Beyond the cap, only tools last used before this number may be evicted. */
	readonly heldFrom: number;
	/** Number of the first use after the last request. */
	readonly sinceRequest: number;
	/** Wire names called in this turn, active or not. */
	readonly called: ReadonlySet<string>;
}

export const nothingActive: Activations = {
	tools: new Map(),
	turn: 0,
	uses: 0,
	heldFrom: 0,
	sinceRequest: 0,
	called: new Set(),
};

/** Adds one entry. */
export function withActivity(active: Activations, entry: Happening): Activations {
	switch (entry.kind) {
		case 'turn':
			return { ...active, turn: active.turn + 1, called: nothingActive.called, heldFrom: active.uses };
		case 'request':
			return { ...active, sinceRequest: active.uses };
		case 'byHand':
			return { ...active, heldFrom: active.uses };
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

/** The most activated tools, and which of them count. */
export interface Cap {
	readonly size: number;
	readonly counts: (wireName: string) => boolean;
}

/** Tools of a disabled or removed server do not count, so they take no place from others. */
export function capOf(surface: ToolSurface): Cap {
	const always = new Set(surface.loaded.map(({ wireName }) => wireName));
	return {
		size: surface.policy.maxActiveSchemas ?? Number.POSITIVE_INFINITY,
		counts: (name) => !always.has(name) && surface.exists(name),
	};
}

/**
 * What comes of loading tools, best first. The last ones are left out if this turn has filled the cap or the next request has no room.
 */
export function toLoad(
	active: Activations,
	asked: readonly string[],
	cap: Cap,
	room = boundless,
): ActivationOutcome {
	const { fitting, crowded } = allotted(active, asked, room);
	const evicted = crowded.filter((name) => active.tools.has(name));
	const left = without(active, crowded);
	const renewed = fitting.filter((name) => left.tools.has(name));
	const next = withUse(left, renewed);
	const counted = countedByUse(next, cap);
	const free = counted.filter((name) => (next.tools.get(name)?.lastUse ?? 0) < next.heldFrom);
	let count = counted.length;
	const [added, refused]: [string[], string[]] = [[], []];
	for (const name of fitting.filter((one) => !next.tools.has(one))) {
		const victim = count >= cap.size ? free.shift() : undefined;
		if (victim !== undefined) evicted.push(victim);
		else if (count >= cap.size) {
			refused.push(name);
			continue;
		}
		added.push(name);
		count += (cap.counts(name) ? 1 : 0) - (victim === undefined ? 0 : 1);
	}
	const used = [...byUse(without(next, evicted)), ...added];
	evicted.push(...overflowing(used, active, room));
	return { added, renewed, evicted, refused, crowded };
}

/** What the cap evicts, the least recently used first, tools called in this turn last. */
export function overCap(active: Activations, cap: Cap): readonly string[] {
	const counted = countedByUse(active, cap);
	return counted.slice(0, Math.max(0, counted.length - cap.size));
}

/** What does not fit into the next request, in the same order. */
export function overRoom(active: Activations, room: RequestRoom): readonly string[] {
	return overflowing(byUse(active), active, room);
}

function overflowing(
	used: readonly string[],
	active: Activations,
	{ size, inRequest }: RequestRoom,
): readonly string[] {
	const taking = used.filter((name) => inRequest.has(name));
	return leaving(taking, active).slice(0, Math.max(0, taking.length - size));
}

/**
 * Divides the room of the next request: first to tools loaded since the last request or called in this turn, then to the requested ones in their
 * order.
 */
function allotted(
	{ tools, called, sinceRequest }: Activations,
	asked: readonly string[],
	{ size, inRequest }: RequestRoom,
) {
	const wanted = new Set(asked);
	const isCalled = (wireName: string) => called.has(wireName) && tools.has(wireName);
	const kept = [...tools.values()].filter(
		({ wireName, lastUse }) =>
			inRequest.has(wireName) && (isCalled(wireName) || (lastUse >= sinceRequest && !wanted.has(wireName))),
	);
	let left = size - kept.length;
	const [fitting, crowded]: [string[], string[]] = [[], []];
	for (const wireName of wanted) {
		const fits = !inRequest.has(wireName) || isCalled(wireName) || left-- > 0;
		(fits ? fitting : crowded).push(wireName);
	}
	return { fitting, crowded };
}

/** From the least to the most recently used. */
export function byUse({ tools }: Activations): readonly string[] {
	return [...tools.values()].sort((a, b) => a.lastUse - b.lastUse).map(({ wireName }) => wireName);
}

/** Tools that count towards the cap, in order of eviction. */
function countedByUse(active: Activations, { size, counts }: Cap): readonly string[] {
	return Number.isFinite(size) ? leaving(byUse(active).filter(counts), active) : [];
}

/** Tools in order of eviction: those called in this turn last. */
function leaving(names: readonly string[], { called }: Activations): readonly string[] {
	const isCalled = (name: string) => called.has(name);
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
