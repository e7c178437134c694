/** Reproducible random numbers. */
export class SeededRandom {
	#state: number;

	constructor(seed: number) {
		this.#state = seed | 0;
	}

	/** From 0 up to, but not including, 1: mulberry32 (Tommy Ettinger), public domain. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let t = this.#state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A random item of a list that is not empty. */
	pick<T>(list: readonly T[]): T {
		const item = list[Math.floor(this.next() * list.length)];
		if (item === undefined) throw new RangeError('Nothing to pick from');
		return item;
	}

	/** The list in a random order (Fisher–Yates). */
	shuffle<T>(list: readonly T[]): T[] {
		const shuffled = [...list];
		for (let i = shuffled.length - 1; i > 0; i--) {
			const j = Math.floor(this.next() * (i + 1));
			[shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
		}
		return shuffled;
	}
}
