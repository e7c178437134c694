import { abortable } from '../common/cancellation.ts';
import type { Clock } from '../common/clock.ts';
import type { Disposable } from '../common/event.ts';

interface Kept<T> {
	readonly answer: Promise<T>;
	readonly end: AbortController;
	/** Clients that wait for it. */
	waiting: number;
	expiry: Disposable | undefined;
}

/**
 * Keeps the answers of a user who took longer than a client waits. The client makes the same call again and gets the answer; each counts once.
 * A question stays open when its client has given up.
 */
export class KeptAnswers<T> {
	readonly #clock: Clock;
	/** How long a question stays open without a client, and its answer is kept, in milliseconds. */
	readonly #keptMs: number;
	readonly #kept = new Map<string, Kept<T>>();

	constructor(clock: Clock, keptMs: number) {
		this.#clock = clock;
		this.#keptMs = keptMs;
	}

	/**
	 * The answer to a question, which is asked only if it is not open or answered already. Rejects with the reason of `signal`, while the question stays.
	 *
	 * @param key same for the same question of the same client
	 */
	async ask(key: string, question: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
		signal.throwIfAborted();
		const kept = this.#kept.get(key) ?? this.#open(key, question);
		kept.expiry?.dispose();
		kept.waiting++;
		try {
			const answer = await abortable(kept.answer, signal);
			// It counts for one call. Another that waits for the same question asks again.
			if (this.#kept.get(key) === kept) this.#kept.delete(key);
			else return await this.ask(key, question, signal);
			return answer;
		} catch (error) {
			if (!signal.aborted && this.#kept.get(key) === kept) this.#kept.delete(key);
			throw error;
		} finally {
			this.#leave(key, kept);
		}
	}

	#open(key: string, question: (signal: AbortSignal) => Promise<T>): Kept<T> {
		const end = new AbortController();
		const kept: Kept<T> = { answer: question(end.signal), end, waiting: 0, expiry: undefined };
		// Nobody may be waiting when it fails.
		kept.answer.catch(() => {});
		this.#kept.set(key, kept);
		return kept;
	}

	#leave(key: string, kept: Kept<T>): void {
		kept.waiting--;
		if (kept.waiting > 0 || this.#kept.get(key) !== kept) return;
		kept.expiry = this.#clock.after(this.#keptMs, () => {
			this.#kept.delete(key);
			kept.end.abort();
		});
	}
}
