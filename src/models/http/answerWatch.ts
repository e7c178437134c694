import { JoinedSignal } from '../../common/cancellation.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { brokenOff, endless, malformed, oversized, stalled } from './answerErrors.ts';
import { type Explanation, explanationOf } from './explanation.ts';
import { failureOf } from './failure.ts';
import { type AnswerLimits, failureBodyMs, failureBytes } from './limits.ts';

/** How a body ended: as it should, within an event, or with an error in place of an answer. */
type BodyVerdict =
	| { readonly kind: 'whole' }
	| { readonly kind: 'cut' }
	/** It is a page for browsers, whatever it is labelled as. */
	| { readonly kind: 'page' }
	| { readonly kind: 'error'; readonly said: Explanation };

/** What ends an event of a stream (the line ends of the HTML standard, “9.2.6 Interpreting an event stream”). */
const eventEnds = ['\n\n', '\r\n\r\n', '\r\r'];
/** Lines of data in one event: providers write one, and millions of them would take all memory. */
const mostLines = 1_000;
/** Characters at the end of one piece that may be the beginning of an event's end. */
const seamLength = 3;
/** Characters at the beginning of a body that are looked at to know a page for browsers. */
const pageMark = 200;

/**
 * Looks at what stands behind the last whole event of a body. An SDK hands on half an event as if it were one and then complains of
 * its JSON, and passes over a body that holds none, in which a provider has said why: both would be taken for the answer of
 * something else than a provider.
 */
export class BodyEnd {
	/** What has come behind the last whole event, each byte as one character: only ASCII is looked for. */
	#pieces: string[] = [];
	#seam = '';
	/** Of the body, until something else than blanks has come. */
	#beginning = '';

	/** Takes the next piece of the body. */
	add(bytes: Uint8Array): void {
		const text = this.#seam + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
		if (this.#beginning.trim() === '') this.#beginning = text.slice(0, pageMark);
		const end = Math.max(...eventEnds.map((mark) => endOfLast(mark, text)));
		if (end < 0) this.#pieces.push(text.slice(this.#seam.length));
		else this.#pieces = [text.slice(end)];
		this.#seam = text.slice(-seamLength);
	}

	/** What the body came to, once all of it is there. */
	verdict(): BodyVerdict {
		if (/^\s*<(?:!doctype|html|head|body)\b/i.test(this.#beginning)) return { kind: 'page' };
		const rest = Buffer.from(this.#pieces.join(''), 'latin1').toString().trim();
		if (rest.startsWith('{') || rest.startsWith('[')) {
			// An error is small. A larger body is something else, such as a list of models, which its own reader checks.
			const said = rest.length > failureBytes ? undefined : saidInsteadOf(rest);
			return said ? { kind: 'error', said } : { kind: 'whole' };
		}
		const data: string[] = [];
		for (const [, line = ''] of rest.matchAll(/^data:(.*)$/gm)) {
			data.push(line.trim());
			if (data.length > mostLines) return { kind: 'cut' };
		}
		const isWhole = data.length === 0 || data.at(-1) === '[DONE]' || json(data.join('\n')) !== undefined;
		return { kind: isWhole ? 'whole' : 'cut' };
	}
}

/** The error that a body consists of; `undefined`: it is something else. */
function saidInsteadOf(body: string): Explanation | undefined {
	const parsed = json(body);
	const said = Array.isArray(parsed) ? parsed[0] : parsed;
	return isRecord(said) && isError(said) ? explanationOf(body) : undefined;
}

/** As the providers write it, and as older vLLM (`object`) and FastAPI (`detail`) do. */
function isError({ error, object, type, detail, message, choices, content, output }: JsonRecord): boolean {
	if (error || object === 'error' || type === 'error') return true;
	const isAnswer = choices !== undefined || content !== undefined || output !== undefined;
	return !isAnswer && (typeof detail === 'string' || typeof message === 'string');
}

function endOfLast(mark: string, text: string): number {
	const at = text.lastIndexOf(mark);
	return at < 0 ? -1 : at + mark.length;
}

function json(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

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
	readonly #ending: JoinedSignal;

	constructor(endpoint: Endpoint, limits: AnswerLimits, caller: AbortSignal | undefined) {
		this.#endpoint = endpoint;
		this.#limits = limits;
		this.#caller = caller;
		this.#ending = new JoinedSignal(this.#controller.signal, ...(caller ? [caller] : []));
	}

	/** What the request is made with. */
	get signal(): AbortSignal {
		return this.#ending.signal;
	}

	/** The answer's head. Throws what the request fails with. */
	head(answer: Promise<Response>): Promise<Response> {
		return this.#within(answer, this.#limits.firstByteMs);
	}

	/** Ends the request and gives its connection free. */
	end(): void {
		this.#controller.abort();
		this.#ending.dispose();
	}

	/** The same answer, its body watched: where it ends too early, or is an error in place of an answer, it ends with that error. */
	watched(response: Response): Response {
		if (!response.body) {
			this.#ending.dispose();
			return response;
		}
		const reader = response.body.getReader();
		let bytes = 0;
		// Ollama's lines are no events, and its adapter knows an error among them.
		const type = response.headers.get('content-type') ?? '';
		const end = /ndjson/i.test(type) ? undefined : new BodyEnd();
		const body = new ReadableStream<Uint8Array>(
			{
				pull: async (controller) => {
					const { done, value } = await this.#read(reader, bytes === 0);
					if (done) {
						this.#ending.dispose();
						if (end) this.#checkEnd(end.verdict(), type);
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
				cancel: (reason) => {
					this.#ending.dispose();
					return reader.cancel(reason);
				},
			},
			// The body is read only as fast as the consumer asks for it.
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
			// The status alone is enough.
		}
		return text.slice(0, failureBytes);
	}

	#checkEnd(verdict: BodyVerdict, type: string): void {
		if (verdict.kind === 'cut') throw brokenOff(this.#endpoint);
		// Whoever reads a body that calls itself a page says more about it.
		if (verdict.kind === 'page' && /event-stream/i.test(type)) throw malformed(this.#endpoint);
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
			this.#ending.dispose();
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
