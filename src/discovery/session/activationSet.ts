import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';

/**
 * Why a tool was loaded. `search`, `name`, `server`: a search for words, for the tool's name or for its server. `user`: by hand. `call`: the model
 * called it without a search, because it still had the definition. Before the model was asked: `prefetch` by the words of the user's message,
 * `reference` by a name in it.
 */
export type ActivationReason = 'search' | 'name' | 'server' | 'user' | 'call' | 'prefetch' | 'reference';

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
 * The tools that one chat has activated, in order of activation. Activations are sticky, with two bounds. Beyond `cap` the least recently used tool is
 * evicted, but never one that was loaded or called in the current turn or since the user last loaded something by hand. Beyond the room of the next
 * request the least recently used tool is evicted too, but none that was loaded or called since the last request, because the model is about to be told
 * that it has it, and none that was called in this turn: what does not fit beside it is refused. If the user leaves less room, called tools are evicted
 * last. Always-loaded tools are never activated; tools that become always loaded, or that do not exist now, neither count nor get evicted by the cap. The set holds wire names, so it survives
 * changes of the catalog.
 */
export class ActivationSet {
	#cap = Number.POSITIVE_INFINITY;
	/** Wire names that do not count towards the cap. */
	#exempt: ReadonlySet<string> = new Set();
	#turn = 0;
	/** In the order of activation. */
	readonly #active = new Map<string, Activation>();
	/** Number of the next use. */
	#clock = 0;
	/** Beyond the cap, only tools last used before this number may be evicted. */
	#heldFrom = 0;
	/** Number of the first use after the last request. */
	#sinceRequest = 0;
	/** Wire names called in this turn, active or not. */
	readonly #called = new Set<string>();

	constructor(cap: number | null) {
		this.bound(cap);
	}

	/**
	 * Changes both bounds. `cap`: most tools; `null`: unbounded. `exempt`: wire names that do not count: always-loaded tools, and tools that do not exist now. Returns what is evicted: the least recently used first, tools called
	 * in this turn last.
	 */
	bound(cap: number | null, exempt: ReadonlySet<string> = new Set()): readonly string[] {
		this.#cap = cap ?? Number.POSITIVE_INFINITY;
		this.#exempt = exempt;
		return this.#shrink();
	}

	get size(): number {
		return this.#active.size;
	}

	/** A snapshot, in the order of activation. */
	get activations(): readonly Activation[] {
		return [...this.#active.values()];
	}

	/** From the least to the most recently used. */
	get byUse(): readonly string[] {
		return [...this.#active.values()].sort((a, b) => a.lastUse - b.lastUse).map(({ wireName }) => wireName);
	}

	has(wireName: string): boolean {
		return this.#active.has(wireName);
	}

	/** Starts a turn: tools that earlier turns loaded may now be evicted. */
	beginTurn(): void {
		this.#turn++;
		this.#called.clear();
		this.release();
	}

	/** Lets everything loaded so far be evicted, within this turn too. */
	release(): void {
		this.#heldFrom = this.#clock;
	}

	/** Notes that a request was sent: the tools in it may be evicted for the next one. */
	requestSent(): void {
		this.#sinceRequest = this.#clock;
	}

	/** Activates tools, best first. Leaves out the last ones if this turn has filled the set or the next request has no `room`. */
	activate(
		wireNames: readonly string[],
		reason: ActivationReason,
		words?: string,
		room = boundless,
	): ActivationOutcome {
		const { fitting, crowded } = this.#allot(wireNames, room);
		const evicted = crowded.filter((name) => this.remove(name));
		const renewed = fitting.filter((name) => this.touch(name));
		const outcome = { added: [] as string[], renewed, evicted, refused: [] as string[], crowded };
		for (const wireName of fitting.filter((name) => !this.has(name))) {
			if (this.size >= this.#cap && this.#counted.length >= this.#cap && !this.#evict(evicted)) {
				outcome.refused.push(wireName);
				continue;
			}
			const why = { reason, ...(words !== undefined && { words }) };
			this.#active.set(wireName, { wireName, ...why, lastTurn: this.#turn, lastUse: this.#clock++ });
			outcome.added.push(wireName);
		}
		evicted.push(...this.fitInto(room));
		return outcome;
	}

	/**
	 * Evicts what does not fit into the next request and returns it, least recently used first. A tool called in this turn is evicted only if
	 * always-loaded tools have taken its room.
	 */
	fitInto({ size, inRequest }: RequestRoom): readonly string[] {
		const taking = this.#leaving(this.byUse.filter((name) => inRequest.has(name)));
		const gone = taking.slice(0, Math.max(0, taking.length - size));
		for (const name of gone) this.#active.delete(name);
		return gone;
	}

	/**
	 * Divides the room of the next request: first to tools loaded since the last request or called in this turn, then to the requested ones in their
	 * order.
	 */
	#allot(asked: readonly string[], { size, inRequest }: RequestRoom) {
		const wanted = new Set(asked);
		const isCalled = (wireName: string) => this.#called.has(wireName) && this.has(wireName);
		const kept = [...this.#active.values()].filter(
			({ wireName, lastUse }) =>
				inRequest.has(wireName) &&
				(isCalled(wireName) || (lastUse >= this.#sinceRequest && !wanted.has(wireName))),
		);
		let left = size - kept.length;
		const [fitting, crowded]: [string[], string[]] = [[], []];
		for (const wireName of wanted) {
			const fits = !inRequest.has(wireName) || isCalled(wireName) || left-- > 0;
			(fits ? fitting : crowded).push(wireName);
		}
		return { fitting, crowded };
	}

	/** Marks a tool as called, which protects it for the rest of the turn. Returns whether it is active. */
	call(wireName: string): boolean {
		this.#called.add(wireName);
		return this.touch(wireName);
	}

	/** Marks a tool as used. Returns whether it is active. */
	touch(wireName: string): boolean {
		const activation = this.#active.get(wireName);
		if (!activation) return false;
		this.#active.set(wireName, { ...activation, lastTurn: this.#turn, lastUse: this.#clock++ });
		return true;
	}

	/** Returns whether the tool was active. */
	remove(wireName: string): boolean {
		return this.#active.delete(wireName);
	}

	clear(): void {
		this.#active.clear();
	}

	/** Tools in order of eviction: those called in this turn last. */
	#leaving(names: readonly string[]): readonly string[] {
		const isCalled = (name: string) => this.#called.has(name);
		return [...names.filter((name) => !isCalled(name)), ...names.filter(isCalled)];
	}

	/** Tools that count towards the cap, in order of eviction. */
	get #counted(): readonly string[] {
		return this.#leaving(this.byUse.filter((name) => !this.#exempt.has(name)));
	}

	#shrink(): readonly string[] {
		const counted = this.#counted;
		const gone = counted.slice(0, Math.max(0, counted.length - this.#cap));
		for (const name of gone) this.#active.delete(name);
		return gone;
	}

	/** Evicts the least recently used tool that may go into `evicted`. Returns whether there was one. */
	#evict(evicted: string[]): boolean {
		const isFree = ({ lastUse }: { readonly lastUse: number }) => lastUse < this.#heldFrom;
		const victim = this.#counted.find((name) => isFree(this.#active.get(name) ?? { lastUse: 0 }));
		if (victim === undefined) return false;
		this.#active.delete(victim);
		evicted.push(victim);
		return true;
	}
}

/** Activated tools that exist now and are not always loaded, in order of activation. */
export function activatedTools(active: ActivationSet, surface: ToolSurface): readonly CatalogTool[] {
	const eager = new Set(surface.loaded);
	return active.activations
		.map(({ wireName }) => surface.get(wireName))
		.filter((tool) => tool !== undefined)
		.filter((tool) => !eager.has(tool));
}

/** An activated tool and why it was loaded. */
export interface ActivatedTool {
	readonly tool: CatalogTool;
	readonly activation: Activation;
}

/** {@link activatedTools}, the most recently used first. */
export function activationsByUse(active: ActivationSet, surface: ToolSurface): readonly ActivatedTool[] {
	const tools = new Map(activatedTools(active, surface).map((tool) => [tool.wireName, tool]));
	const activations = new Map(active.activations.map((one) => [one.wireName, one]));
	return active.byUse.toReversed().flatMap((name) => {
		const [tool, activation] = [tools.get(name), activations.get(name)];
		return tool && activation ? [{ tool, activation }] : [];
	});
}
