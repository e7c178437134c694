import { setTimeout as delay } from 'node:timers/promises';
import { boundedBody } from '../stdio/lineSplitter.ts';
import type { Exchange, Outgoing } from './guardedTransport.ts';
import {
	accepted,
	drop,
	HttpTransport,
	isStream,
	mediaTypeOf,
	type StreamPosition,
} from './httpTransport.ts';
import { MALFORMED_CODE, OTHER_TRANSPORT_CODE, OVERSIZED_CODE, STREAM_CUT_CODE } from './jsonRpc.ts';
import { AnswerError, readRefusal } from './requestError.ts';
import { requestHeaders } from './requestHeaders.ts';

/** How long to wait for the server to acknowledge that we leave. */
const farewellMs = 400;
const firstClientError = 400;
const firstServerError = 500;
/** Statuses that concern credentials or the rate of requests. */
const notLetIn = new Set([401, 403, 429]);
/** Minimum wait before resuming a stream. Only the first time may the server ask for less. */
const resumeMs = 1_000;
const resumeGrowth = 2;
/** Streams in a row without an event, after which we stop listening for unsolicited messages. */
const maxFruitless = 10;

/** Streamable HTTP: each message is a request, whose response is the answer or a stream with it. */
export class StreamableTransport extends HttpTransport {
	readonly hasPerRequestStream = true;
	/** Whether the server takes a stream for what it says unasked; `undefined`: none is open or asked for. */
	#listening: Promise<boolean> | undefined;

	get hasSession(): boolean {
		return this.sessionId !== undefined;
	}

	override async start(): Promise<void> {}

	/** Ends the session on the server as well, if there is one. */
	protected override async end(): Promise<void> {
		if (this.sessionId !== undefined) {
			const farewell = this.fetch(this.url, { signal: this.closing.signal }, 'DELETE').then(drop, () => {});
			await Promise.race([farewell, delay(farewellMs)]);
		}
		await super.end();
	}

	override async send({ message, headers, exchange }: Outgoing): Promise<void> {
		const modern = requestHeaders(message);
		const response = await this.fetch(this.url, {
			message,
			headers: { accept: 'application/json, text/event-stream', ...headers, ...modern },
			signal: exchange?.signal ?? this.closing.signal,
		});
		// Only the older protocol has sessions.
		if (!modern) this.sessionId = response.headers.get('mcp-session-id') ?? this.sessionId;
		if (exchange)
			return response.ok ? this.#answer(response, exchange) : this.#refuse(response, exchange, !!modern);
		// Nobody waits for an answer. If the server really cannot be used, the next request shows it.
		if (!response.ok) this.complain(response, message);
		drop(response);
		if (message.method === 'notifications/initialized') this.#listen();
	}

	/** Most servers say nothing unasked, and some answer requests there. */
	#listen(): void {
		const opening = this.#resume({}, this.closing.signal);
		const listening = opening.then(
			(stream) => stream instanceof Response,
			() => false,
		);
		this.#listening = listening;
		this.#follow(opening)
			.catch(() => {})
			.finally(() => {
				if (this.#listening === listening) this.#listening = undefined;
			});
	}

	/** In the newer protocol, JSON-RPC errors come with an error status. A request without access has not reached the server. */
	async #refuse(response: Response, exchange: Exchange, isModern: boolean): Promise<void> {
		const { status } = response;
		const isAnswer = status >= firstClientError && status < firstServerError && !notLetIn.has(status);
		const isRead = isModern && isAnswer && mediaTypeOf(response) === 'application/json';
		const refusal = await readRefusal(response, isRead ? this.onpiece : undefined);
		if (!exchange.isOver) throw refusal;
	}

	async #answer(response: Response, exchange: Exchange): Promise<void> {
		const type = mediaTypeOf(response);
		if (response.status !== accepted && type === 'text/event-stream')
			return this.#follow(Promise.resolve(response), exchange);
		// Whatever the status and the type, the body decides: some servers name none, or another one.
		const body = await boundedBody(response, this.options.limits.messageBytes);
		if (!body) throw new AnswerError(OVERSIZED_CODE, 'the body is over the limit');
		await this.onpiece?.(body, exchange.id);
		if (exchange.isOver || (response.status === accepted && (await this.#mayAnswerLater(exchange)))) return;
		const what = body.length === 0 ? 'an empty body' : `a body of the type "${type}" that is not its answer`;
		const answered = `${this.answerer(response)} answered with`;
		const status = response.status === accepted ? 'HTTP 202' : what;
		throw new AnswerError(MALFORMED_CODE, `${answered} ${status} instead of a result`);
	}

	/** Whether the answer to a request may come in the stream for what the server says unasked. */
	async #mayAnswerLater({ signal }: Exchange): Promise<boolean> {
		const abandoned = new Promise<boolean>((resolve) =>
			signal.addEventListener('abort', () => resolve(true), { once: true }),
		);
		return (await Promise.race([this.#listening, abandoned])) ?? false;
	}

	/**
	 * Waits for the answer to a request in a stream; without a request, listens for what the server says unasked, as long as the connection lasts.
	 * Resumes the stream where it ended, if the server allows that.
	 */
	async #follow(first: Promise<Response | 'refused' | undefined>, exchange?: Exchange): Promise<void> {
		const { closeGraceMs, maxResumeMs } = this.options.limits;
		const signal = exchange?.signal ?? this.closing.signal;
		const position: StreamPosition = {};
		const pace = new ResumeBackoff(maxResumeMs);
		let stream = await first;
		while (stream !== 'refused') {
			// Do not wait for a server that leaves the stream open after the answer.
			let grace: NodeJS.Timeout | undefined;
			const take = async (data: Buffer, type: string) => {
				// With it, the older transport begins, whose servers may take any request for its beginning.
				if (exchange && type === 'endpoint')
					throw new AnswerError(OTHER_TRANSPORT_CODE, 'it speaks the older transport');
				await this.onpiece?.(data, exchange?.id);
				if (exchange?.isOver) grace ??= setTimeout(() => exchange.abort(), closeGraceMs);
			};
			const hasArrived = stream !== undefined && (await this.readEvents(stream, position, take));
			clearTimeout(grace);
			if (exchange?.isOver) return;
			if (exchange ? position.lastEventId === undefined : pace.isHopeless) break;
			await delay(pace.next(hasArrived, position.retryMs), undefined, { signal });
			stream = await this.#resume(position, signal);
		}
		if (exchange) throw new AnswerError(STREAM_CUT_CODE, 'the stream ended before the answer');
	}

	/** A stream, or `refused` for good; `undefined`: none now. */
	async #resume(
		{ lastEventId }: StreamPosition,
		signal: AbortSignal,
	): Promise<Response | 'refused' | undefined> {
		// Headers are bytes: send the id's UTF-8 as received.
		const last = lastEventId !== undefined && {
			'last-event-id': Buffer.from(lastEventId).toString('latin1'),
		};
		const headers = { accept: 'text/event-stream', ...last };
		const response = await this.fetch(this.url, { headers, signal }).catch(() => undefined);
		if (!response || isStream(response)) return response;
		drop(response);
		return response.status < firstServerError ? 'refused' : undefined;
	}
}

/** The wait before a stream is requested again. */
export class ResumeBackoff {
	readonly #maxMs: number;
	#asked = 0;
	/** Streams in a row without an event. */
	#fruitless = 0;

	constructor(maxMs: number) {
		this.#maxMs = maxMs;
	}

	/** Whether to give up. */
	get isHopeless(): boolean {
		return this.#fruitless >= maxFruitless;
	}

	/** @param retryMs what the server asks for: used as is the first time; later, never less than our own wait */
	next(brought: boolean, retryMs?: number): number {
		this.#fruitless = brought ? 0 : this.#fruitless + 1;
		this.#asked += 1;
		const own = resumeMs * resumeGrowth ** this.#fruitless;
		const wait = this.#asked === 1 ? (retryMs ?? resumeMs) : Math.max(own, retryMs ?? 0);
		return Math.min(wait, this.#maxMs);
	}
}
