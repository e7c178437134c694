import type { ActivationOutcome } from '../../../../src/discovery/session/activations.ts';

/** What the activations of a chat should be, kept as plainly as can be: two lists of names, and the turn of each name's last use. */
export class NaiveActivations {
	/** As they came. */
	order: string[] = [];
	/** From the least to the most recently used. */
	use: string[] = [];
	readonly turns = new Map<string, number>();
	turn = 0;
	/** Used since the turn began, or since what there was may make room. */
	readonly held = new Set<string>();
	/** Called in this turn: these go last. */
	readonly called = new Set<string>();
	cap: number | null;
	/** Always loaded: these neither count nor go. */
	pinned: readonly string[] = [];

	constructor(cap: number | null) {
		this.cap = cap;
	}

	/** In the order in which they go: from the least to the most recently used, and what was called in this turn last. */
	get counted(): readonly string[] {
		const counted = this.use.filter((name) => !this.pinned.includes(name));
		return [
			...counted.filter((name) => !this.called.has(name)),
			...counted.filter((name) => this.called.has(name)),
		];
	}

	get room(): number {
		return (this.cap ?? Number.POSITIVE_INFINITY) - this.counted.length;
	}

	beginTurn(): void {
		this.turn++;
		this.called.clear();
		this.release();
	}

	release(): void {
		this.held.clear();
	}

	activate(wanted: readonly string[]): ActivationOutcome {
		const distinct = wanted.filter((name, i) => wanted.indexOf(name) === i);
		const renewed = distinct.filter((name) => this.touch(name));
		const [added, evicted, refused] = [[] as string[], [] as string[], [] as string[]];
		for (const name of distinct.filter((one) => !renewed.includes(one))) {
			const isFull = !this.pinned.includes(name) && this.room < 1;
			const victim = this.counted.find((one) => !this.held.has(one));
			if (isFull && victim === undefined) {
				refused.push(name);
				continue;
			}
			if (isFull && victim !== undefined) {
				this.remove(victim);
				evicted.push(victim);
			}
			this.order.push(name);
			this.use.push(name);
			this.turns.set(name, this.turn);
			this.held.add(name);
			added.push(name);
		}
		return { added, renewed, evicted, refused };
	}

	call(name: string): boolean {
		this.called.add(name);
		return this.touch(name);
	}

	touch(name: string): boolean {
		if (!this.order.includes(name)) return false;
		this.use = [...this.use.filter((one) => one !== name), name];
		this.turns.set(name, this.turn);
		this.held.add(name);
		return true;
	}

	remove(name: string): boolean {
		const known = this.order.includes(name);
		this.order = this.order.filter((one) => one !== name);
		this.use = this.use.filter((one) => one !== name);
		return known;
	}

	/** Returns what goes. */
	bound(cap: number | null, pinned: readonly string[]): string[] {
		this.cap = cap;
		this.pinned = pinned;
		const gone: string[] = [];
		for (const name of this.counted) {
			if (this.room >= 0) break;
			this.remove(name);
			gone.push(name);
		}
		return gone;
	}
}
