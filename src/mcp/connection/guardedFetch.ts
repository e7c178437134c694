import { setImmediate as nextTurn } from 'node:timers/promises';
import { OVERSIZED_CODE } from '../stdio/jsonRpc.ts';
import { EventGate } from './eventGate.ts';
import { retryAfterMs } from './retryAfter.ts';

/** Statuses from here on are errors; those below it are not for us to follow. */
const firstHttpError = 400;
/** Longest body of more than one message: the SDK takes the messages of a batch without a pause, thousands in a second. */
const longestBatchBytes = 256 * 1024;
/** The first byte of a batch. */
const openingBracket = 0x5b;
/** Bytes that may stand before JSON: white space, and those of a byte order mark. */
const beforeJson = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
/** The status whose headers say when to come again, which the SDK does not pass on. */
const tooManyRequests = 429;

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

/** The server has answered a request with a status that is none of success; `code` is the status. */
export class HttpStatusError extends Error {
	override readonly name = 'HttpStatusError';
	readonly code: number;
	/** How long the server asks us to wait, in milliseconds. */
	readonly retryAfterMs: number | undefined;

	constructor({ status, headers }: Response) {
		super(`HTTP ${status}`);
		this.code = status;
		this.retryAfterMs = retryAfterMs(headers.get('retry-after'), Date.now());
	}
}

/**
 * `fetch` with what the SDK's transports lack: a bound on the size of a message (they take any), and a report when a
 * stream of events ends (they let the request wait for its timeout). Redirects are the SDK's: it follows them within
 * the origin only.
 */
export function guardedFetch(options: {
	readonly maxMessageBytes: number;
	/** Whether a POST that fails is an error of its own: the SDK's SSE transport tells the status in words only, and repeats the body. */
	readonly failedPostsThrow: boolean;
	/** Whether an event of a stream is to be read. */
	readonly admits: (event: Buffer) => boolean;
	readonly onStreamEnd: (end: StreamEnd) => void;
}): (url: string | URL, init?: RequestInit) => Promise<Response> {
	return async (url, init) => {
		const response = await fetch(url, init);
		const mayThrow = options.failedPostsThrow || response.status === tooManyRequests;
		if (mayThrow && init?.method === 'POST' && response.status >= firstHttpError) {
			await response.body?.cancel();
			throw new HttpStatusError(response);
		}
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
	let limit = maxBytes;
	let begun = false;
	return new TransformStream({
		transform(chunk, controller) {
			const first = begun ? undefined : chunk.find((byte) => !beforeJson.has(byte));
			begun ||= first !== undefined;
			if (first === openingBracket) limit = Math.min(maxBytes, longestBatchBytes);
			bytes += chunk.length;
			if (bytes > limit) controller.error(new OversizedError(`The answer is over ${limit} bytes.`));
			else controller.enqueue(chunk);
		},
	});
}

function guardStream(
	body: ReadableStream<Uint8Array<ArrayBuffer>>,
	init: RequestInit | undefined,
	options: {
		readonly maxMessageBytes: number;
		readonly admits: (event: Buffer) => boolean;
		readonly onStreamEnd: (end: StreamEnd) => void;
	},
): ReadableStream<Uint8Array<ArrayBuffer>> {
	const requestId = requestIdOf(init);
	const gate = new EventGate(options.maxMessageBytes, requestId, options.admits);
	const reader = body.getReader();
	const report = () =>
		options.onStreamEnd({ method: init?.method ?? 'GET', requestId, resumable: gate.sawEventId });
	// Not a TransformStream: that one would not tell when the stream breaks off.
	return new ReadableStream({
		async pull(controller) {
			try {
				for (let passed = false; !passed; ) {
					// What arrives faster than it is dealt with would otherwise keep everybody else waiting.
					await nextTurn();
					const { done, value } = await reader.read();
					const passing = done ? gate.end() : gate.pass(value);
					for (const part of passing) controller.enqueue(part);
					passed = done || passing.length > 0;
					if (!done) continue;
					controller.close();
					report();
				}
			} catch (error) {
				controller.error(error);
				report();
			}
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

function requestIdOf(init: RequestInit | undefined): number | string | undefined {
	if (typeof init?.body !== 'string') return undefined;
	const message: unknown = JSON.parse(init.body);
	if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message))
		return undefined;
	return typeof message.id === 'number' || typeof message.id === 'string' ? message.id : undefined;
}
