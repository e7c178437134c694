import { abortable } from './cancellation.ts';

/** Work that several callers wait for. Each can stop waiting for itself alone; the work ends when nobody waits for it any more. */
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

	/** Whether everybody has stopped waiting before there was an outcome. */
	get isAbandoned(): boolean {
		return this.#abandoned.signal.aborted;
	}

	/** The outcome; rejects with the reason of `signal` as soon as that aborts. */
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
