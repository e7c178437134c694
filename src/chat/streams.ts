/** Joins the events of several concurrent tasks into one stream, in the order in which they were emitted. */
export class EventQueue<T> {
	readonly #waiting: T[] = [];
	#wake: (() => void) | undefined;

	readonly push = (event: T): void => {
		this.#waiting.push(event);
		this.#wake?.();
	};

	/** Yields all events until `done` settles, then returns its value or throws its error. */
	async *drainUntil<R>(done: Promise<R>): AsyncGenerator<T, R> {
		let settled = false;
		const wake = () => {
			settled = true;
			this.#wake?.();
		};
		done.then(wake, wake);
		for (;;) {
			for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) yield event;
			if (settled) return await done;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
				if (settled || this.#waiting.length > 0) resolve();
			});
		}
	}
}
