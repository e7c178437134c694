import type { CatalogTool } from '../catalog/catalog.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';

/**
 * Why a tool was loaded: words were searched, it was named, its server was, the user loaded it, or the model called it, having its
 * definition before it all the same; or before the model was asked: the user's message spoke for it, or named it.
 */
export type ActivationReason = 'search' | 'name' | 'server' | 'user' | 'call' | 'prefetch' | 'reference';

/** Characters of the words that are kept with what they loaded. */
export const wordsLimit = 100;

/** One activated tool. */
export interface Activation {
	readonly wireName: string;
	readonly reason: ActivationReason;
	/** What was searched for, where there was a search. */
	readonly words?: string;
	/** The turn in which the tool was last loaded or called. */
	readonly lastTurn: number;
	/** Grows with every use of a tool: the order of use within one turn. */
	readonly lastUse: number;
}

/** What an attempt to activate tools did, by wire name. */
export interface ActivationOutcome {
	readonly added: readonly string[];
	/** Active before; only renewed. */
	readonly renewed: readonly string[];
	/** Made room for the added ones. */
	readonly evicted: readonly string[];
	/** Did not fit: everything else in the set belongs to this turn. */
	readonly refused: readonly string[];
	/** Did not fit into the next request; those that were active are among `evicted`. */
	readonly crowded: readonly string[];
}

/** How many activated tools the next request has room for. */
export interface RequestRoom {
	readonly size: number;
	/** Wire names of tools, active or to be activated, that would be among the tools of that request. */
	readonly inRequest: ReadonlySet<string>;
}

const boundless: RequestRoom = { size: Number.POSITIVE_INFINITY, inRequest: new Set() };

/**
 * The tools activated in one chat session, in the order in which they came. Sticky, and bounded twice. Beyond `cap` the least recently
 * used one goes, but never one that was loaded or called in the current turn, or since a person has last loaded something by hand. Beyond
 * the room of the next request the least recently used one goes as well, but none that was loaded or called since the last request: the
 * model is about to be told that it has it. Nor does a tool go that was called in this turn: what does not fit beside it is refused.
 * Where the user has left less room meanwhile, those that were called go last. Tools that are always loaded are not activated at all, and
 * those that were before they became so neither count nor go. It holds wire names, so it lives on while the catalog changes.
 */
export class ActivationSet {
	#cap: number;
	/** Always loaded, by wire name. */
	#exempt: ReadonlySet<string>;
	#turn = 0;
	/** In the order of activation. */
	readonly #active = new Map<string, Activation>();
	/** Counts the uses: the number of the next one. */
	#clock = 0;
	/** Tools that were last used at this count or later stay where the cap is reached: only older ones make room. */
	#heldFrom = 0;
	/** The first use after the last request. */
	#sinceRequest = 0;
	/** Wire names of the tools that were called in this turn, active or not. */
	readonly #called = new Set<string>();

	/** `cap`: most tools; `null`: no bound. `exempt`: tools that are always loaded, by wire name. */
	constructor(cap: number | null, exempt: ReadonlySet<string> = new Set()) {
		this.#cap = cap ?? Number.POSITIVE_INFINITY;
		this.#exempt = exempt;
	}

	/** Another bound (`null`: none), and other tools that are always loaded. Returns what no longer fits and goes: the least recently used first, and what was called in this turn last. */
	bound(cap: number | null, exempt: ReadonlySet<string> = new Set()): readonly string[] {
		this.#cap = cap ?? Number.POSITIVE_INFINITY;
		this.#exempt = exempt;
		return this.#shrink();
	}

	/** How many turns there were. */
	get turn(): number {
		return this.#turn;
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

	/** Begins a turn: what earlier turns loaded may now make room. */
	beginTurn(): void {
		this.#turn++;
		this.#called.clear();
		this.release();
	}

	/** What was loaded so far may make room, in this turn too. */
	release(): void {
		this.#heldFrom = this.#clock;
	}

	/** A request is sent: from now on what it had may make room in the next. */
	requestSent(): void {
		this.#sinceRequest = this.#clock;
	}

	/** Activates tools, best first; the later ones are left out where the turn has filled the set, or the next request has no `room`. */
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
	 * Evicts what the next request has no room for, and returns it, the least recently used first. A tool that was called in this turn goes
	 * only where what is always loaded has taken its room meanwhile.
	 */
	fitInto({ size, inRequest }: RequestRoom): readonly string[] {
		const taking = this.#leaving(this.byUse.filter((name) => inRequest.has(name)));
		const gone = taking.slice(0, Math.max(0, taking.length - size));
		for (const name of gone) this.#active.delete(name);
		return gone;
	}

	/**
	 * Shares out the room of the next request: first to what was loaded since the last one or called in this turn, then to what is asked
	 * for, in its order.
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

	/** Renews a tool that was called, which keeps its place for the rest of the turn; whether it is active. */
	call(wireName: string): boolean {
		this.#called.add(wireName);
		return this.touch(wireName);
	}

	/** Renews a tool that was found again; whether it is active. */
	touch(wireName: string): boolean {
		const activation = this.#active.get(wireName);
		if (!activation) return false;
		this.#active.set(wireName, { ...activation, lastTurn: this.#turn, lastUse: this.#clock++ });
		return true;
	}

	/** Whether there was such a tool. */
	remove(wireName: string): boolean {
		return this.#active.delete(wireName);
	}

	clear(): void {
		this.#active.clear();
	}

	/** Tools in the order in which they go: those that were called in this turn last. */
	#leaving(names: readonly string[]): readonly string[] {
		const isCalled = (name: string) => this.#called.has(name);
		return [...names.filter((name) => !isCalled(name)), ...names.filter(isCalled)];
	}

	/** Tools that count, in the order in which they go. */
	get #counted(): readonly string[] {
		return this.#leaving(this.byUse.filter((name) => !this.#exempt.has(name)));
	}

	#shrink(): readonly string[] {
		const counted = this.#counted;
		const gone = counted.slice(0, Math.max(0, counted.length - this.#cap));
		for (const name of gone) this.#active.delete(name);
		return gone;
	}

	/** Evicts the least recently used tool that may make room into `evicted`; whether there was one. */
	#evict(evicted: string[]): boolean {
		const isFree = ({ lastUse }: { readonly lastUse: number }) => lastUse < this.#heldFrom;
		const victim = this.#counted.find((name) => isFree(this.#active.get(name) ?? { lastUse: 0 }));
		if (victim === undefined) return false;
		this.#active.delete(victim);
		evicted.push(victim);
		return true;
	}
}

/** Activated tools that exist now and are not loaded anyway, in the order of activation. */
export function activatedTools(active: ActivationSet, surface: ToolSurface): readonly CatalogTool[] {
	const eager = new Set(surface.loaded);
	return active.activations
		.map(({ wireName }) => surface.get(wireName))
		.filter((tool) => tool !== undefined)
		.filter((tool) => !eager.has(tool));
}

/** An activated tool with why it was loaded. */
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
