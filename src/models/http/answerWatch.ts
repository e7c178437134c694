import { JoinedSignal } from '../../common/cancellation.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { brokenOff, endless, oversized, stalled } from './answerErrors.ts';
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
		const reader = response.body.getReader();
		let bytes = 0;
		const body = new ReadableStream<Uint8Array>(
			{
				pull: async (controller) => {
					const { done, value } = await this.#read(reader, bytes === 0);
					if (done) {
						this.#ending.dispose();
						return controller.close();
					}
					bytes += value.length;
					if (bytes > this.#limits.bytes) {
						this.end();
						throw oversized(this.#endpoint, this.#limits.bytes);
					}
					controller.enqueue(value);
				},
				cancel: (reason) => {
					this.#ending.dispose();
					return reader.cancel(reason);
				},
			},
			// Reads only as fast as the consumer does.
			{ highWaterMark: 0 },
		);
		return new Response(body, response);
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

	async #read(
		reader: ReadableStreamDefaultReader<Uint8Array>,
		isFirst: boolean,
	): Promise<Awaited<ReturnType<typeof reader.read>>> {
		const { firstByteMs, gapMs } = this.#limits;
		const elapsedMs = performance.now() - this.#startedMs;
		try {
			return await this.#within(reader.read(), isFirst ? Math.max(firstByteMs - elapsedMs, 0) : gapMs);
		} catch (error) {
			this.#ending.dispose();
			if (this.#caller?.aborted) throw this.#caller.reason;
			throw error instanceof ModelError ? error : brokenOff(this.#endpoint, error);
		}
	}

	/** The outcome of some work; aborts the request with the reason if the work takes too long. */
	async #within<T>(work: Promise<T>, withinMs: number): Promise<T> {
		const { totalMs = Number.POSITIVE_INFINITY } = this.#limits;
		const leftMs = totalMs - (performance.now() - this.#startedMs);
		const isLast = leftMs < withinMs;
		const timer = setTimeout(
			() =>
				this.#controller.abort(isLast ? endless(this.#endpoint, totalMs) : stalled(this.#endpoint, withinMs)),
			Math.max(0, Math.min(withinMs, leftMs)),
		);
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
