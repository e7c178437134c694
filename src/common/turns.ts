/** Runs work one after the other, in the order of the calls. */
export class Turns {
	#last: Promise<unknown> = Promise.resolve();

	run<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.#last.then(work);
		this.#last = turn.catch(() => {});
		return turn;
	}
}
