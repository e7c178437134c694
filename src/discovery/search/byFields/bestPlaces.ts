/** The best of many places, by a min-heap of bounded size. */
export class BestPlaces {
	readonly #limit: number;
	readonly #scores: Float32Array;
	readonly #heap: number[] = [];

	constructor(limit: number, scores: Float32Array) {
		this.#limit = limit;
		this.#scores = scores;
	}

	/** What a score must reach to be among them. */
	get least(): number {
		return this.#heap.length < this.#limit ? 0 : (this.#scores[this.#heap[0] as number] as number);
	}

	/** Takes a place in, if it is among the best so far. */
	offer(place: number): void {
		const heap = this.#heap;
		if (heap.length < this.#limit) {
			heap.push(place);
			if (heap.length === this.#limit) for (let i = (heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
		} else if (this.#less(heap[0] as number, place)) {
			heap[0] = place;
			this.#sink(0);
		}
	}

	/** Best first. Nothing may be offered afterwards. */
	sorted(): number[] {
		return this.#heap.sort((a, b) => (this.#less(a, b) ? 1 : -1));
	}

	/** Of two with the same score the later place is the lesser: places are in the order of names. */
	#less(a: number, b: number): boolean {
		const difference = (this.#scores[a] as number) - (this.#scores[b] as number);
		return difference === 0 ? a > b : difference < 0;
	}

	#sink(from: number): void {
		const heap = this.#heap;
		let at = from;
		for (;;) {
			let least = at;
			for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++) {
				if (this.#less(heap[child] as number, heap[least] as number)) least = child;
			}
			if (least === at) return;
			const moved = heap[at] as number;
			heap[at] = heap[least] as number;
			heap[least] = moved;
			at = least;
		}
	}
}
