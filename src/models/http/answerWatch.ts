import type { Endpoint } from '../endpoint.ts';
import { ModelError } from '../modelError.ts';
import { BodyEnd } from './bodyEnd.ts';
import { brokenOff, endless, oversized, stalled } from './connectionFailure.ts';
import { failureOf } from './failure.ts';
import { type AnswerLimits, failureBodyMs, failureBytes } from './limits.ts';

/**
 * Ends one request that takes too long or says too much. A clock runs only while something is waited for: who reads slowly is not taken
 * for a provider that stalls, and nothing is left running when the reader goes.
 */
export class AnswerWatch {
	readonly #endpoint: Endpoint;
	readonly #limits: AnswerLimits;
	readonly #caller: AbortSignal | undefined;
	readonly #controller = new AbortController();
	readonly #startedMs = performance.now();
	/** Aborts when the caller does, or when the answer takes too long. */
	readonly signal: AbortSignal;

	constructor(endpoint: Endpoint, limits: AnswerLimits, caller: AbortSignal | undefined) {
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#caller = caller;
		this.signal = caller ? AbortSignal.any([caller, this.#controller.signal]) : this.#controller.signal;
	}

	/** The answer's head. Throws what the request fails with. */
	head(answer: Promise<Response>): Promise<Response> {
		return this.#within(answer, this.#limits.firstByteMs);
	}

	/** Lets go of the connection. */
	end(): void {
		this.#controller.abort();
	}

	/** The same answer, its body watched: where it ends too early, or is an error in place of an answer, it ends with that error. */
	watched(response: Response): Response {
		if (!response.body) return response;
		const reader = response.body.getReader();
		let bytes = 0;
		// Ollama's lines are no events, and its adapter knows an error among them.
		const isLines = /ndjson/i.test(response.headers.get('content-type') ?? '');
		const end = isLines ? undefined : new BodyEnd();
		const body = new ReadableStream<Uint8Array>(
			{
				pull: async (controller) => {
					const { done, value } = await this.#read(reader, bytes === 0);
					if (done) {
						if (end) this.#checkEnd(end);
						return controller.close();
					}
					bytes += value.length;
					if (bytes > this.#limits.bytes) {
						this.end();
						throw oversized(this.#endpoint, this.#limits.bytes);
					}
					end?.add(value);
					controller.enqueue(value);
				},
				cancel: (reason) => reader.cancel(reason),
			},
			// Nothing is read before it is asked for.
			{ highWaterMark: 0 },
		);
		return new Response(body, response);
	}

	/** The first bytes of a failing answer as text; what of them comes in time. */
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
			// The status alone says enough.
		}
		return text.slice(0, failureBytes);
	}

	#checkEnd(end: BodyEnd): void {
		const verdict = end.verdict();
		if (verdict.kind === 'cut') throw brokenOff(this.#endpoint);
		if (verdict.kind === 'error') throw failureOf(this.#endpoint, verdict.said);
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
			if (this.#caller?.aborted) throw this.#caller.reason;
			throw error instanceof ModelError ? error : brokenOff(this.#endpoint, error);
		}
	}

	/** The outcome of some work; the request is aborted, with the reason, if that takes too long. */
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
