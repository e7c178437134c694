import { JoinedSignal } from '../../common/cancellation.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { errorAbout } from './failure.ts';
import { type AnswerLimits, failureBodyMs, failureBytes } from './limits.ts';

/**
 * Ends a request that takes too long or returns too much. The clock runs only while we wait for the provider: a slow reader is not mistaken
 * for a stalled provider, and no timer is left when the reader stops.
 */
export class AnswerWatch {
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits;
	readonly #caller: AbortSignal | undefined;
	readonly #controller = new AbortController();
	readonly #startedMs = performance.now();
	/** Aborts with the caller, or when the answer takes too long. */
	readonly #ending: JoinedSignal;

	constructor(endpoint: Endpoint, limits: AnswerLimits, caller: AbortSignal | undefined) {
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#caller = caller;
		this.#ending = new JoinedSignal(this.#controller.signal, ...(caller ? [caller] : []));
	}

	/** For the request. */
	get signal(): AbortSignal {
		return this.#ending.signal;
	}

	/** The answer's status and headers. */
	head(answer: Promise<Response>): Promise<Response> {
		return this.#within(answer, this.#limits.firstByteMs);
	}

	/** Ends the request and frees its connection. */
	end(): void {
		this.#controller.abort();
		this.#ending.dispose();
	}

	/** The same answer with its body watched: it fails with a `ModelError` if it stalls, breaks off or is too large. */
	watched(response: Response): Response {
		if (!response.body) {
			this.#ending.dispose();
			return response;
		}
		const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
		const { firstByteMs, gapMs, bytes: mostBytes } = this.#limits;
		let bytes = 0;
		const end = () => {
			void reader.cancel().catch(() => undefined);
			this.#ending.dispose();
		};
		const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
			try {
				const elapsedMs = performance.now() - this.#startedMs;
				const withinMs = bytes === 0 ? Math.max(firstByteMs - elapsedMs, 0) : gapMs;
				const { done, value } = await this.#within(reader.read(), withinMs);
				if (done) {
					end();
					controller.close();
					return;
				}
				bytes += value.length;
				if (bytes > mostBytes) {
					const did = `sent more than the limit of ${Math.max(1, Math.round(mostBytes / 1024 / 1024))} MB`;
					throw errorAbout(this.#endpoint, 'oversized', { did });
				}
				controller.enqueue(value);
			} catch (error) {
				end();
				if (this.#caller?.aborted) throw this.#caller.reason;
				throw error instanceof ModelError ? error : errorAbout(this.#endpoint, 'cut', { cause: error });
			}
		};
		// Without a buffer, the stream reads only as fast as its consumer does.
		return new Response(new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 }), response);
	}

	/** The first bytes of a failing answer as text, as far as they come in time. */
	async beginningOf(response: Response): Promise<string> {
		const decoder = new TextDecoder();
		let text = '';
		try {
			await this.#within(
				(async () => {
					for await (const chunk of response.body ?? []) {
						text += decoder.decode(chunk, { stream: true });
						if (text.length >= failureBytes) break;
					}
				})(),
				Math.min(this.#limits.gapMs, failureBodyMs),
			);
		} catch {
			// The status alone is enough.
		}
		return text.slice(0, failureBytes);
	}

	/** The outcome of some work; aborts the request with the reason if the work takes too long. */
	async #within<T>(work: Promise<T>, withinMs: number): Promise<T> {
		const { totalMs = Number.POSITIVE_INFINITY } = this.#limits;
		const leftMs = totalMs - (performance.now() - this.#startedMs);
		const end = () => {
			const did =
				leftMs < withinMs
					? `did not end its answer within ${Math.round(totalMs / 60_000)} min`
					: `said nothing for ${Math.round(withinMs / 100) / 10} s`;
			this.#controller.abort(errorAbout(this.#endpoint, 'stalled', { did }));
		};
		const timer = setTimeout(end, Math.max(0, Math.min(withinMs, leftMs)));
		try {
			return await work;
		} catch (error) {
			const { aborted, reason } = this.#controller.signal;
			throw aborted ? reason : error;
		} finally {
			clearTimeout(timer);
		}
	}
}
