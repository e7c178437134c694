import { abortable } from './cancellation.ts';

/** Work shared by several callers. Each can stop waiting; the work is cancelled when nobody waits for it any more. */
export class SharedWork<T> {
	readonly outcome: Promise<T>;
	readonly #abandoned = new AbortController();
	#waiting = 0;
	#isSettled = false;

	constructor(work: (signal: AbortSignal) => Promise<T>) {
		this.outcome = work(this.#abandoned.signal);
		const settle = () => {
			this.#isSettled = true;
		};
		this.outcome.then(settle, settle);
	}

	/** Whether everyone stopped waiting before it finished. */
	get isAbandoned(): boolean {
		return this.#abandoned.signal.aborted;
	}

	/** The result; rejects with the reason of `signal` when it aborts. */
	async wait(signal: AbortSignal): Promise<T> {
		this.#waiting += 1;
		try {
			return await abortable(this.outcome, signal);
		} finally {
			this.#waiting -= 1;
			if (this.#waiting === 0 && !this.#isSettled) this.#abandoned.abort(signal.reason);
		}
	}
}
