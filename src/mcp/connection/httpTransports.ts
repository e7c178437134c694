import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { McpLimits } from '../limits.ts';
import { ByteJoiner } from '../stdio/lineSplitter.ts';
import type { Authorizer } from './connection.ts';
import { EventReader, type ServerEvent } from './eventReader.ts';
import {
	type JsonRpcMessage,
	MALFORMED_CODE,
	OVERSIZED_CODE,
	type RequestId,
	STREAM_CUT_CODE,
} from './jsonRpc.ts';
import type { MessageReader } from './messageReader.ts';
import { requestHeaders } from './requestHeaders.ts';
import { retryAfterMs } from './retryAfter.ts';

/** As many redirects as the SDK follows. */
const mostRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Redirects that leave a request with a body what it is. */
const keepingStatuses = new Set([307, 308]);
const accepted = 202;
const unauthorized = 401;
const forbidden = 403;
/** Tokens that one request is sent with beyond the first: one that was renewed meanwhile, and one that is renewed for it. */
const mostRefusals = 3;
const firstClientError = 400;
const firstServerError = 500;
/** The server wants other credentials, or fewer requests, whatever was asked. */
const notLetIn = new Set([401, 403, 429]);
/** Longest body of an answer with a status of failure that is read: it may say why, as JSON-RPC. */
const longestFailureBytes = 65_536;
/** Events of one chunk that are dealt with before anybody else has a turn. */
const eventsAtOnce = 256;
/** Least time between two requests for the same stream; only once a server may say that less will do. */
const resumeMs = 1_000;
const resumeGrowth = 2;
/** Streams in a row that brought nothing, after which what a server says by itself is not listened to any more. */
const mostFruitless = 10;

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

/** What came is no answer to the request; `code` says why, as in `jsonRpc.ts`. */
export class AnswerError extends Error {
	override readonly name = 'AnswerError';
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}
}

export interface HttpTransportOptions {
	readonly url: string;
	/** Sent with every request. */
	readonly headers: Readonly<Record<string, string>>;
	readonly limits: McpLimits;
	readonly reader: MessageReader;
	readonly authorizer?: Authorizer;
}

/** What the SDK says with a message. */
export interface SendOptions {
	/** Ends the exchange of this message, and no other. */
	readonly requestSignal?: AbortSignal | undefined;
	/** Sent with this message only. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A message on its way, with what belongs to it alone. */
interface Outgoing {
	readonly message: JsonRpcMessage;
	/** Of a request. */
	readonly id: RequestId | undefined;
	readonly headers: Readonly<Record<string, string>>;
	/** Aborted, it ends all that the message has led to. */
	readonly exchange: AbortController;
}

/**
 * What both transports over HTTP have in common: requests that are given up leave nothing open, no body is read that nobody needs, and
 * what is read is bounded from the first byte on, as it is after unpacking. The SDK's own transports read bodies of errors whole, leave
 * the streams of cancelled calls open, and ask again as often as a server wants them to. Members are those of the SDK's `Transport`.
 */
abstract class HttpTransport {
	onmessage: ((message: JsonRpcMessage) => void) | undefined;
	onclose: (() => void) | undefined;
	onerror: ((error: Error) => void) | undefined;

	protected readonly options: HttpTransportOptions;
	protected readonly closing = new AbortController();
	/** Requests under way, by id. */
	readonly #exchanges = new Map<RequestId, AbortController>();
	#protocolVersion: string | undefined;

	constructor(options: HttpTransportOptions) {
		this.options = options;
	}

	setProtocolVersion(version: string): void {
		this.#protocolVersion = version;
	}

	/** Resolves when the message is with the server, and of a request when its exchange is over; rejects where it cannot be answered. */
	async send(message: JsonRpcMessage, { requestSignal, headers = {} }: SendOptions = {}): Promise<void> {
		if (message.method === 'notifications/cancelled') this.#giveUp(message.params);
		const id = message.method === undefined ? undefined : message.id;
		if (id === undefined) return this.post({ message, id, headers, exchange: this.closing });
		const exchange = new AbortController();
		const giveUp = () => exchange.abort();
		if (requestSignal?.aborted) giveUp();
		requestSignal?.addEventListener('abort', giveUp, { once: true });
		this.#exchanges.set(id, exchange);
		try {
			await this.post({ message, id, headers, exchange });
		} catch (error) {
			// Where the answer has come, or nobody waits for it, it does not matter how the rest ended.
			if (this.options.reader.isAwaited(id)) throw error;
		} finally {
			this.#exchanges.delete(id);
			requestSignal?.removeEventListener('abort', giveUp);
		}
	}

	async close(): Promise<void> {
		this.closing.abort();
		for (const exchange of this.#exchanges.values()) exchange.abort();
		this.onclose?.();
	}

	protected abstract post(outgoing: Outgoing): Promise<void>;

	/** Sends a request to the server, with the token of the user's sign-in where there is one. */
	protected async fetch(
		url: URL,
		{
			message,
			headers = {},
			signal,
		}: {
			readonly message?: JsonRpcMessage;
			readonly headers?: Readonly<Record<string, string>>;
			readonly signal: AbortSignal;
		},
		method = message ? 'POST' : 'GET',
	): Promise<Response> {
		const all = new Headers(headers);
		if (this.#protocolVersion !== undefined) all.set('mcp-protocol-version', this.#protocolVersion);
		for (const [name, value] of Object.entries(this.options.headers)) all.set(name, value);
		if (message) all.set('content-type', 'application/json');
		const body = message && JSON.stringify(message);
		const init = { method, headers: all, signal, ...(body !== undefined && { body }) };
		const { authorizer } = this.options;
		for (let sent = 1; ; sent += 1) {
			const token = await authorizer?.token(signal);
			if (token !== undefined) all.set('authorization', `Bearer ${token}`);
			const response = await fetchWithinOrigin(url, init);
			const isRefused = response.status === unauthorized || response.status === forbidden;
			if (!isRefused && token !== undefined) authorizer?.accepted(token);
			if (!isRefused || !authorizer || sent > mostRefusals) return response;
			drop(response);
			// What was refused was not carried out, so that it can be sent again.
			if (!(await authorizer.refused(response, token, signal))) return response;
		}
	}

	/** Hands over what a message, or several, came to. */
	protected async receive(piece: Parameters<MessageReader['read']>[0], id?: RequestId): Promise<void> {
		const reading = await this.options.reader.read(piece, id);
		if (reading.kind === 'messages') for (const message of reading.messages) this.onmessage?.(message);
		if (reading.kind !== 'refused') return;
		this.onerror?.(new Error(`A message was refused: it is ${reading.why}.`));
		if (reading.answer) this.onmessage?.(reading.answer);
	}

	/** Reads a stream of events to its end, or until it breaks off; resolves to whether it brought anything. */
	protected async readEvents(
		response: Response,
		events: EventReader,
		take: (event: ServerEvent) => Promise<void>,
	): Promise<boolean> {
		let brought = 0;
		events.restart();
		try {
			for await (const chunk of response.body ?? []) {
				for (const event of events.read(asBuffer(chunk))) {
					await take(event);
					brought += 1;
					if (brought % eventsAtOnce === 0) await nextTurn();
				}
				// What arrives faster than it is dealt with would otherwise keep everybody else waiting.
				await nextTurn();
			}
		} catch {
			// That it broke off and that it ended is the same to whoever waits for more.
		}
		return brought > 0;
	}

	#giveUp(params: unknown): void {
		const id = (params as { readonly requestId?: unknown } | undefined)?.requestId;
		if (typeof id === 'number' || typeof id === 'string') this.#exchanges.get(id)?.abort();
	}
}

/** Streamable HTTP: each message is a request, whose response is the answer or a stream with it. */
export class StreamableTransport extends HttpTransport {
	/** Says so to the SDK, which in the newer protocol ends the exchange of a call in order to cancel it. */
	readonly hasPerRequestStream = true;
	sessionId: string | undefined;

	async start(): Promise<void> {}

	/** Ends the session on the server; one that is gone or has no sessions need not hear it. */
	async farewell(): Promise<void> {
		if (this.sessionId === undefined) return;
		const asked = this.#fetch({ signal: this.closing.signal }, 'DELETE');
		await asked.then(drop, () => {});
	}

	protected override async post({ message, id, headers, exchange }: Outgoing): Promise<void> {
		const modern = requestHeaders(message);
		const response = await this.#fetch({
			message,
			headers: { accept: 'application/json, text/event-stream', ...headers, ...modern },
			signal: exchange.signal,
		});
		// Only the older protocol has sessions.
		if (!modern) this.sessionId = response.headers.get('mcp-session-id') ?? this.sessionId;
		if (!response.ok) {
			if (id !== undefined && modern && (await this.#answerFailure(response, id))) return;
			drop(response);
			throw new HttpStatusError(response);
		}
		if (id !== undefined) return this.#answer(response, id, exchange);
		drop(response);
		if (message.method === 'notifications/initialized') void this.#listen();
	}

	/** The newer protocol has errors of JSON-RPC come with a status of failure; who is not let in has not reached the server. */
	async #answerFailure(response: Response, id: RequestId): Promise<boolean> {
		const { status } = response;
		if (status < firstClientError || status >= firstServerError || notLetIn.has(status)) return false;
		if (mediaTypeOf(response) !== 'application/json') return false;
		const body = new ByteJoiner(longestFailureBytes);
		for await (const chunk of response.body ?? []) {
			body.append(chunk);
			if (body.isOverlong) return false;
		}
		await this.receive(body.take());
		return !this.options.reader.isAwaited(id);
	}

	async #answer(response: Response, id: RequestId, exchange: AbortController): Promise<void> {
		const type = mediaTypeOf(response);
		if (response.status !== accepted && type === 'text/event-stream')
			return this.#follow(response, id, exchange);
		if (response.status === accepted || type !== 'application/json') {
			drop(response);
			const what = response.status === accepted ? 'HTTP 202' : `a body of the type "${type}"`;
			throw new AnswerError(MALFORMED_CODE, `it answered with ${what} in the place of a result`);
		}
		const body = new ByteJoiner(this.options.limits.messageBytes);
		for await (const chunk of response.body ?? []) {
			body.append(chunk);
			if (body.isOverlong) throw new AnswerError(OVERSIZED_CODE, 'the body is over the limit');
		}
		await this.receive(body.take(), id);
		if (this.options.reader.isAwaited(id))
			throw new AnswerError(MALFORMED_CODE, 'its answer is none to what was asked');
	}

	/** Waits for the answer in a stream, which is taken up again where the server allows that. */
	async #follow(first: Response, id: RequestId, exchange: AbortController): Promise<void> {
		const { reader, limits } = this.options;
		const { signal } = exchange;
		const events = new EventReader(limits.messageBytes);
		const pace = new ResumeBackoff(limits.longestResumeMs);
		for (let response: Response | undefined = first; ; ) {
			// A server that leaves the stream open after the answer is not waited for.
			let grace: NodeJS.Timeout | undefined;
			const brought =
				response !== undefined &&
				(await this.readEvents(response, events, async (event) => {
					await this.receive(event.data, id);
					if (reader.isAwaited(id)) return;
					grace ??= setTimeout(() => exchange.abort(), limits.closeGraceMs);
				}));
			clearTimeout(grace);
			if (!reader.isAwaited(id) || signal.aborted) return;
			if (events.lastEventId === undefined)
				throw new AnswerError(STREAM_CUT_CODE, 'the stream ended before the answer');
			await delay(pace.next(brought, events.retryMs), undefined, { signal });
			response = await this.#resume(events, signal).catch(() => undefined);
			if (response && response.status >= firstClientError && response.status < firstServerError) {
				drop(response);
				throw new AnswerError(STREAM_CUT_CODE, 'the stream ended before the answer');
			}
		}
	}

	/** Listens to what the server says by itself, for as long as the connection lasts; most servers have nothing of the kind. */
	async #listen(): Promise<void> {
		const { signal } = this.closing;
		const { limits } = this.options;
		const events = new EventReader(limits.messageBytes);
		const pace = new ResumeBackoff(limits.longestResumeMs);
		while (!signal.aborted && pace.fruitless < mostFruitless) {
			const response = await this.#resume(events, signal).catch(() => undefined);
			if (response && !isStream(response)) {
				drop(response);
				if (response.status < firstServerError) return;
			}
			const brought =
				response !== undefined &&
				isStream(response) &&
				(await this.readEvents(response, events, (event) => this.receive(event.data)));
			await delay(pace.next(brought, events.retryMs), undefined, { signal }).catch(() => {});
		}
	}

	#resume({ lastEventId }: EventReader, signal: AbortSignal): Promise<Response> {
		// A header is bytes: those of UTF-8, as the id came.
		const bytes = lastEventId === undefined ? undefined : Buffer.from(lastEventId).toString('latin1');
		const last = bytes === undefined ? {} : { 'last-event-id': bytes };
		return this.#fetch({ headers: { accept: 'text/event-stream', ...last }, signal });
	}

	#fetch(request: Parameters<HttpTransport['fetch']>[1], method?: string): Promise<Response> {
		const session = this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId };
		const headers = { ...request.headers, ...session };
		return this.fetch(new URL(this.options.url), { ...request, headers }, method);
	}
}

/** The older transport: one stream for all that the server says, which also tells where to post to. */
export class SseTransport extends HttpTransport {
	/** The stream has come to its end, and the connection with it. */
	onlost: ((error: Error) => void) | undefined;
	#endpoint: URL | undefined;

	/** Resolves when the server has said where to post to. */
	async start(): Promise<void> {
		const url = new URL(this.options.url);
		const { signal } = this.closing;
		const response = await this.fetch(url, { headers: { accept: 'text/event-stream' }, signal });
		if (!isStream(response)) {
			drop(response);
			if (!response.ok) throw new HttpStatusError(response);
			throw new AnswerError(MALFORMED_CODE, `it answered with a body of the type "${mediaTypeOf(response)}"`);
		}
		await new Promise<void>((resolve, reject) => {
			const events = new EventReader(this.options.limits.messageBytes);
			const take = async ({ type, data }: ServerEvent) => {
				if (type === 'message') await this.receive(data);
				if (type !== 'endpoint' || !Buffer.isBuffer(data)) return;
				const endpoint = URL.parse(data.toString('utf8'), url);
				if (!endpoint || endpoint.origin !== url.origin) {
					reject(new AnswerError(MALFORMED_CODE, 'it has one post to another origin'));
					return;
				}
				this.#endpoint = endpoint;
				resolve();
			};
			void this.readEvents(response, events, take).then(() => {
				const ended = new TypeError('The stream of events ended.');
				reject(ended);
				if (!signal.aborted) this.onlost?.(ended);
			});
		});
	}

	protected override async post({ message, exchange: { signal } }: Outgoing): Promise<void> {
		if (!this.#endpoint) throw new Error('Not connected');
		const response = await this.fetch(this.#endpoint, { message, signal });
		drop(response);
		if (!response.ok) throw new HttpStatusError(response);
	}
}

/** How long to wait before a stream is asked for again. */
class ResumeBackoff {
	readonly #longestMs: number;
	#asked = 0;
	/** Streams in a row that brought nothing. */
	fruitless = 0;

	constructor(longestMs: number) {
		this.#longestMs = longestMs;
	}

	/** @param retryMs what the server says: it counts as it stands the first time, and never makes us come oftener than we would */
	next(brought: boolean, retryMs: number | undefined): number {
		this.fruitless = brought ? 0 : this.fruitless + 1;
		this.#asked += 1;
		const own = resumeMs * resumeGrowth ** this.fruitless;
		const wait = this.#asked === 1 ? (retryMs ?? resumeMs) : Math.max(own, retryMs ?? 0);
		return Math.min(wait, this.#longestMs);
	}
}

/** Follows redirects within the origin only, so that no header goes elsewhere. */
async function fetchWithinOrigin(
	url: URL,
	init: RequestInit & { readonly method: string },
): Promise<Response> {
	for (let target = url, followed = 0; ; followed += 1) {
		const response = await fetch(target, { ...init, redirect: 'manual' });
		const next = followed < mostRedirects ? redirectTarget(response, target, init.method) : undefined;
		if (!next) return response;
		drop(response);
		target = next;
	}
}

/** Where a redirect leads, if it stays within the origin, or goes from http to https of the same host. */
function redirectTarget({ status, headers }: Response, from: URL, method: string): URL | undefined {
	const location = redirectStatuses.has(status) ? headers.get('location') : null;
	if (location === null || (method !== 'GET' && !keepingStatuses.has(status))) return undefined;
	const target = URL.parse(location, from);
	if (!target || target.username !== from.username || target.password !== from.password) return undefined;
	const isUpgrade =
		from.protocol === 'http:' && target.protocol === 'https:' && target.hostname === from.hostname;
	return target.origin === from.origin || (isUpgrade && from.port === '' && target.port === '')
		? target
		: undefined;
}

/** Lets go of a response without reading what is left of it. */
function drop({ body }: Response): void {
	body?.cancel().catch(() => {});
}

function isStream(response: Response): boolean {
	return response.ok && response.status !== accepted && mediaTypeOf(response) === 'text/event-stream';
}

function mediaTypeOf({ headers }: Response): string {
	return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function asBuffer(chunk: Uint8Array): Buffer {
	return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}
