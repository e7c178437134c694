import { abortable } from '../common/cancellation.ts';
import type { Clock } from '../common/clock.ts';
import type { Disposable } from '../common/event.ts';

interface OpenQuestion<T> {
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
	readonly #questions = new Map<string, OpenQuestion<T>>();

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
		const openQuestion = this.#questions.get(key) ?? this.#open(key, question);
		openQuestion.expiry?.dispose();
		openQuestion.waiting++;
		try {
			const answer = await abortable(openQuestion.answer, signal);
			// It counts for one call. Another that waits for the same question asks again.
			if (this.#questions.get(key) === openQuestion) this.#questions.delete(key);
			else return await this.ask(key, question, signal);
			return answer;
		} catch (error) {
			if (!signal.aborted && this.#questions.get(key) === openQuestion) this.#questions.delete(key);
			throw error;
		} finally {
			this.#release(key, openQuestion);
		}
	}

	#open(key: string, question: (signal: AbortSignal) => Promise<T>): OpenQuestion<T> {
		const end = new AbortController();
		const openQuestion: OpenQuestion<T> = {
			answer: question(end.signal),
			end,
			waiting: 0,
			expiry: undefined,
		};
		// Nobody may be waiting when it fails.
		openQuestion.answer.catch(() => {});
		this.#questions.set(key, openQuestion);
		return openQuestion;
	}

	#release(key: string, openQuestion: OpenQuestion<T>): void {
		openQuestion.waiting--;
		if (openQuestion.waiting > 0 || this.#questions.get(key) !== openQuestion) return;
		openQuestion.expiry = this.#clock.after(this.#keptMs, () => {
			this.#questions.delete(key);
			openQuestion.end.abort();
		});
	}
}
