import { OVERSIZED_CODE, oversizedAnswer } from './stdio/jsonRpc.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;

/** A stream of events came to its end. */
export interface StreamEnd {
	readonly method: string;
	/** The request that the stream was to answer, where it had one. */
	readonly requestId: number | string | undefined;
	/** Whether the server numbered the events, so that the SDK takes the stream up again. */
	readonly resumable: boolean;
}

/** A body was over the limit. */
export class OversizedError extends Error {
	override readonly name = 'OversizedError';
	readonly code = OVERSIZED_CODE;
}

/**
 * `fetch` with what the SDK's transports lack: a bound on the size of a message (they take any), and a report when a
 * stream of events ends (they let the request wait for its timeout). Redirects are the SDK's: it follows them within
 * the origin only.
 */
export function guardedFetch(options: {
	readonly maxMessageBytes: number;
	readonly onStreamEnd: (end: StreamEnd) => void;
}): (url: string | URL, init?: RequestInit) => Promise<Response> {
	return async (url, init) => {
		const response = await fetch(url, init);
		if (!response.body || !response.ok) return response;
		const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
		const body = isStream
			? guardStream(response.body, init, options)
			: response.body.pipeThrough(boundedBody(options.maxMessageBytes));
		const guarded = new Response(body, response);
		// A constructed response has no address, and the SDK resolves redirects against it.
		Object.defineProperty(guarded, 'url', { value: response.url });
		return guarded;
	};
}

function boundedBody(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
	let bytes = 0;
	return new TransformStream({
		transform(chunk, controller) {
			bytes += chunk.length;
			if (bytes > maxBytes) controller.error(new OversizedError(`The answer is over ${maxBytes} bytes.`));
			else controller.enqueue(chunk);
		},
	});
}

function guardStream(
	body: ReadableStream<Uint8Array<ArrayBuffer>>,
	init: RequestInit | undefined,
	options: { readonly maxMessageBytes: number; readonly onStreamEnd: (end: StreamEnd) => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
	const requestId = requestIdOf(init);
	const bound = new EventBound(options.maxMessageBytes, requestId);
	const reader = body.getReader();
	const report = () =>
		options.onStreamEnd({ method: init?.method ?? 'GET', requestId, resumable: bound.sawEventId });
	// Not a TransformStream: that one would not tell when the stream breaks off.
	return new ReadableStream({
		async pull(controller) {
			try {
				const { done, value } = await reader.read();
				if (done) {
					controller.close();
					report();
				} else {
					for (const part of bound.pass(value)) controller.enqueue(part);
				}
			} catch (error) {
				controller.error(error);
				report();
			}
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

/** Lets events pass up to a size; a larger one is cut off and, where it answers a request, answered in its place. */
class EventBound {
	readonly #maxBytes: number;
	readonly #requestId: number | string | undefined;
	#eventBytes = 0;
	#lineBytes = 0;
	#skipping = false;
	/** First bytes of the current line, enough to see whether it is an event's id. */
	#lineStart = '';
	sawEventId = false;

	constructor(maxBytes: number, requestId: number | string | undefined) {
		this.#maxBytes = maxBytes;
		this.#requestId = requestId;
	}

	pass(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
		const parts: Uint8Array<ArrayBuffer>[] = [];
		let start = 0;
		for (let i = 0; i < chunk.length; i += 1) {
			const endsEvent = this.#count(chunk[i] ?? 0);
			if (!this.#skipping && this.#eventBytes > this.#maxBytes) {
				this.#skipping = true;
				parts.push(chunk.subarray(start, i), this.#replacement());
			}
			if (endsEvent) {
				if (this.#skipping) start = i + 1;
				this.#skipping = false;
			}
		}
		if (!this.#skipping) parts.push(chunk.subarray(start));
		return parts.filter((part) => part.length > 0);
	}

	/** Takes one byte in; `true` if it ends an event, which an empty line does. */
	#count(byte: number): boolean {
		this.#eventBytes += 1;
		if (byte === carriageReturn) return false;
		if (byte !== newline) {
			if (this.#lineBytes < 3) this.#lineStart += String.fromCharCode(byte);
			this.#lineBytes += 1;
			return false;
		}
		if (this.#lineStart === 'id:') this.sawEventId = true;
		const endsEvent = this.#lineBytes === 0;
		if (endsEvent) this.#eventBytes = 0;
		this.#lineBytes = 0;
		this.#lineStart = '';
		return endsEvent;
	}

	/** Ends the cut-off event, which no longer parses, and answers the request. */
	#replacement(): Uint8Array<ArrayBuffer> {
		const answer =
			this.#requestId === undefined
				? ''
				: `data: ${JSON.stringify(oversizedAnswer(this.#requestId, this.#maxBytes))}\n\n`;
		return new TextEncoder().encode(`\n\n${answer}`);
	}
}

function requestIdOf(init: RequestInit | undefined): number | string | undefined {
	if (typeof init?.body !== 'string') return undefined;
	const message: unknown = JSON.parse(init.body);
	if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message))
		return undefined;
	return typeof message.id === 'number' || typeof message.id === 'string' ? message.id : undefined;
}
