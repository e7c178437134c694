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
	/** Grows with every use of a tool: the order of use within one turn. Absent in what earlier versions kept. */
	readonly lastUse?: number;
	/** What its definition was when the model was last told of it: see `fingerprint.ts`. Absent in what earlier versions kept. */
	readonly fingerprint?: string;
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
}

/**
 * The tools activated in one chat session, in the order in which they came. Sticky and bounded: beyond `cap` the least recently
 * used one goes, but never one that was loaded or called in the current turn. Pinned tools are not activated at all, so they
 * neither count nor go. It holds wire names, so it lives on while the catalog changes.
 */
export class ActivationSet {
	#cap: number;
	#turn: number;
	/** In the order of activation. */
	readonly #active = new Map<string, Activation & { readonly lastUse: number }>();
	/** The next use. */
	#clock: number;

	/** `cap`: most tools; `null`: no bound. `activations`: what an earlier session held, in order of activation. */
	constructor(cap: number | null, activations: readonly Activation[] = []) {
		this.#cap = cap ?? Number.POSITIVE_INFINITY;
		const use = [...activations].sort(
			(a, b) => a.lastTurn - b.lastTurn || (a.lastUse ?? 0) - (b.lastUse ?? 0),
		);
		this.#turn = use.at(-1)?.lastTurn ?? 0;
		this.#clock = use.length;
		for (const activation of activations) {
			this.#active.set(activation.wireName, { ...activation, lastUse: use.indexOf(activation) });
		}
		this.#shrink();
	}

	/** Another bound; `null`: none. What does not fit goes, least recently used first. */
	set cap(cap: number | null) {
		this.#cap = cap ?? Number.POSITIVE_INFINITY;
		this.#shrink();
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
	}

	/** Activates tools, best first; the later ones are refused where the turn has filled the set. */
	activate(wireNames: readonly string[], reason: ActivationReason, words?: string): ActivationOutcome {
		const distinct = [...new Set(wireNames)];
		const renewed = distinct.filter((name) => this.touch(name));
		const outcome = { added: [] as string[], renewed, evicted: [] as string[], refused: [] as string[] };
		for (const wireName of distinct.filter((name) => !this.has(name))) {
			if (this.#active.size >= this.#cap && !this.#evict(outcome.evicted)) {
				outcome.refused.push(wireName);
				continue;
			}
			const why = { reason, ...(words !== undefined && { words }) };
			this.#active.set(wireName, { wireName, ...why, lastTurn: this.#turn, lastUse: this.#clock++ });
			outcome.added.push(wireName);
		}
		return outcome;
	}

	/** Renews a tool that was called or found again; whether it is active. */
	touch(wireName: string): boolean {
		const activation = this.#active.get(wireName);
		if (!activation) return false;
		this.#active.set(wireName, { ...activation, lastTurn: this.#turn, lastUse: this.#clock++ });
		return true;
	}

	/** Keeps what an active tool's definition is. */
	stamp(wireName: string, fingerprint: string): void {
		const activation = this.#active.get(wireName);
		if (activation) this.#active.set(wireName, { ...activation, fingerprint });
	}

	/** Whether there was such a tool. */
	remove(wireName: string): boolean {
		return this.#active.delete(wireName);
	}

	clear(): void {
		this.#active.clear();
	}

	#shrink(): void {
		for (const name of this.byUse.slice(0, Math.max(0, this.size - this.#cap))) this.#active.delete(name);
	}

	/** Evicts the least recently used tool of earlier turns into `evicted`; whether there was one. */
	#evict(evicted: string[]): boolean {
		const victim = this.byUse.find((name) => this.#active.get(name)?.lastTurn !== this.#turn);
		if (victim === undefined) return false;
		this.#active.delete(victim);
		evicted.push(victim);
		return true;
	}
}
