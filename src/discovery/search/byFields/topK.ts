/** The highest-scoring places, in a min-heap of bounded size. */
export class TopK {
	#limit = 0;
	#scores: Float32Array = new Float32Array();
	#heap = new Uint32Array(32);
	#size = 0;
	/** Score needed to enter the heap. */
	least = 0;

	/** Forgets all places. */
	begin(limit: number, scores: Float32Array): this {
		this.#limit = limit;
		this.#scores = scores;
		this.#size = 0;
		this.least = 0;
		if (limit > this.#heap.length) this.#heap = new Uint32Array(limit);
		return this;
	}

	/** Adds a place if it is among the best so far. */
	offer(place: number): void {
		const heap = this.#heap;
		if (this.#size < this.#limit) {
			heap[this.#size++] = place;
			if (this.#size < this.#limit) return;
			for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#sink(i);
		} else if (this.#less(heap[0] as number, place)) {
			heap[0] = place;
			this.#sink(0);
		} else return;
		this.least = this.#scores[heap[0] as number] as number;
	}

	/** Takes all places out, best first. */
	take(): readonly number[] {
		const heap = this.#heap;
		const places = new Array<number>(this.#size);
		if (this.#size < this.#limit) for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#sink(i);
		while (this.#size > 0) {
			places[this.#size - 1] = heap[0] as number;
			this.#size--;
			heap[0] = heap[this.#size] as number;
			this.#sink(0);
		}
		return places;
	}

	/** On equal scores the later place loses: places are sorted by name. */
	#less(a: number, b: number): boolean {
		const difference = (this.#scores[a] as number) - (this.#scores[b] as number);
		return difference === 0 ? a > b : difference < 0;
	}

	#sink(from: number): void {
		const heap = this.#heap;
		const size = this.#size;
		let at = from;
		for (;;) {
			let least = at;
			for (let child = 2 * at + 1; child <= 2 * at + 2 && child < size; child++) {
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
