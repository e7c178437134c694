import { setImmediate as nextTurn } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { sentence } from '../../common/text.ts';
import { shownAddress } from '../../config/servers/address.ts';
import type { RemoteLaunch } from '../../config/servers/launch.ts';
import type { McpLimits } from '../limits.ts';
import type { ServerError } from '../serverError.ts';
import type { ConnectOptions } from './connectOptions.ts';
import type { Outgoing, ServerTransport } from './guardedTransport.ts';
import { type JsonRpcMessage, OVERSIZED_CODE } from './jsonRpc.ts';
import { scanJson } from './jsonScan.ts';
import { AnswerError, redirectStatuses, remoteError, seeOther } from './requestError.ts';

/** As many as the SDK follows. */
const maxRedirects = 5;
export const accepted = 202;
const unauthorized = 401;
const forbidden = 403;
const maxCookies = 20;
/** Additional tokens that one request may be sent with: one that was refreshed in the meantime, and one that is refreshed for it. */
const maxRefusals = 3;
/** Bytes of an event stream that are read without a pause. A thousand lines that are no fields take two milliseconds. */
const bytesAtOnce = 8_192;
/** After this time without more, an unfinished event is looked at, in milliseconds. */
const pauseMs = 250;
/** Characters of an unfinished event up to which it is looked at: a few milliseconds' worth. */
const maxUnfinishedCharacters = 1_000_000;

/** Where a stream that was cut can be taken up again. */
export interface StreamPosition {
	/** The id of the last event, if the server numbers them. */
	lastEventId?: string | undefined;
	/** How long the server wants us to wait before that, in milliseconds. */
	retryMs?: number;
}

/**
 * What both HTTP transports share: abandoned requests leave nothing open, bodies that nobody needs are not read, and everything read is
 * bounded from the first byte, also after decompression. The SDK's own transports read error bodies completely, leave the streams of
 * cancelled calls open, and retry as often as a server wants.
 */
export abstract class HttpTransport implements ServerTransport {
	onpiece: ServerTransport['onpiece'];
	onclose: (() => void) | undefined;

	readonly output = { stderr: [] };
	protected readonly url: URL;
	protected readonly options: ConnectOptions;
	protected readonly closing = new AbortController();
	readonly #launch: RemoteLaunch;
	/** Load balancers set them, to find the machine that has the session. */
	readonly #cookies = new Map<string, string>();
	#protocolVersion: string | undefined;
	/** If the server has begun one. */
	protected sessionId: string | undefined;
	#closed: Promise<void> | undefined;

	constructor(launch: RemoteLaunch, options: ConnectOptions) {
		this.#launch = launch;
		this.url = new URL(launch.url);
		this.options = options;
	}

	explain(error: unknown): ServerError {
		const { server, redactor } = this.options;
		return remoteError(server, this.#launch.url, error, redactor);
	}

	abstract start(): Promise<void>;

	setProtocolVersion(version: string): void {
		this.#protocolVersion = version;
	}

	abstract send(outgoing: Outgoing): Promise<void>;

	close(): Promise<void> {
		this.#closed ??= this.end();
		return this.#closed;
	}

	protected async end(): Promise<void> {
		this.closing.abort();
		this.onclose?.();
	}

	/** Sends a request, with the token of the user's sign-in if there is one. */
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
		if (this.sessionId !== undefined) all.set('mcp-session-id', this.sessionId);
		for (const [name, value] of Object.entries(this.#launch.headers)) all.set(name, value);
		const cookies = [...this.#cookies].map((cookie) => cookie.join('='));
		if (cookies.length > 0) all.set('cookie', [all.get('cookie') ?? [], cookies].flat().join('; '));
		if (message) all.set('content-type', 'application/json');
		const body = message && JSON.stringify(message);
		const init = { method, headers: all, signal, ...(body !== undefined && { body }) };
		const { signIn, redactor } = this.options;
		for (let sent = 1; ; sent += 1) {
			const token = await signIn?.token(signal);
			if (token !== undefined) {
				// A careless server returns it.
				redactor.add([token]);
				all.set('authorization', `Bearer ${token}`);
			}
			const response = await this.#fetchWithinOrigin(url, init);
			const isRefused = response.status === unauthorized || response.status === forbidden;
			if (!isRefused && token !== undefined) signIn?.accepted(token);
			if (!isRefused || !signIn || sent > maxRefusals) return response;
			drop(response);
			// A refused request was not carried out, so it can be sent again.
			if (!(await signIn.refused(response, token, signal))) return response;
		}
	}

	/** Follows redirects only within the origin, so that no header goes elsewhere. */
	async #fetchWithinOrigin(url: URL, init: RequestInit & { readonly method: string }): Promise<Response> {
		for (let target = url, followed = 0; ; followed += 1) {
			const response = await fetch(target, { ...init, redirect: 'manual' });
			this.#keepCookies(response);
			if (!redirectStatuses.has(response.status) || followed === maxRedirects) return response;
			const next = redirectTarget(response, target, init.method);
			if (!next) return response;
			drop(response);
			target = next;
		}
	}

	#keepCookies({ headers }: Response): void {
		for (const cookie of headers.getSetCookie()) {
			const [, name = '', value = ''] = /^\s*([^=;\s]+)=([^;]*)/.exec(cookie) ?? [];
			if (value === '') this.#cookies.delete(name);
			else if (this.#cookies.has(name) || this.#cookies.size < maxCookies) this.#cookies.set(name, value);
		}
	}

	/** Who answered, at the beginning of a clause. */
	protected answerer(response: Response): string {
		if (response.url === this.url.href) return 'it';
		return `it redirected to ${this.options.redactor.hide(shownAddress(new URL(response.url)))}, which`;
	}

	/** The server refuses a message that it need not answer. */
	protected complain({ status }: Response, { method }: JsonRpcMessage): void {
		const what = typeof method === 'string' ? method : 'an answer';
		this.options.onLog('warn', sentence`the server answered ${what} with HTTP ${status}`);
	}

	/**
	 * Reads an event stream until it ends or breaks off; resolves to whether it brought anything. Rejects if an event is too large: nothing after it is
	 * read. That counts all bytes, as lines of an event without data take memory, too.
	 */
	protected async readEvents(
		response: Response,
		position: StreamPosition,
		take: (data: Buffer, type: string) => Promise<void>,
	): Promise<boolean> {
		const { messageBytes } = this.options.limits;
		const arrived: EventSourceMessage[] = [];
		const parser = createParser({
			onEvent: (event) => void arrived.push(event),
			onRetry: (ms) => {
				position.retryMs = ms;
			},
		});
		const decoder = new TextDecoder();
		let hasBrought = false;
		let bytes = 0;
		/** What arrived since the last event. */
		let rest: string[] = [];
		const takeArrived = async () => {
			for (const { id, event: type = 'message', data } of arrived.splice(0)) {
				// An empty id resets it.
				if (id !== undefined) position.lastEventId = id || undefined;
				// Empty events number the stream or keep it alive.
				if (data === '') continue;
				hasBrought = true;
				await take(Buffer.from(data), type);
			}
		};
		try {
			for await (const chunk of chunksAndPauses(response.body)) {
				if (!chunk) {
					if (!isWholeEvent(rest.join(''), this.options.limits)) continue;
					rest = [];
					parser.feed('\n\n');
					await takeArrived();
					continue;
				}
				for (let at = 0; at < chunk.length; at += bytesAtOnce) {
					const slice = chunk.subarray(at, at + bytesAtOnce);
					const text = decoder.decode(slice, { stream: true });
					parser.feed(text);
					const hasArrived = arrived.length > 0;
					if (hasArrived) rest = [];
					if (text.endsWith('\n\n')) rest = [];
					else rest.push(text);
					bytes = hasArrived ? 0 : bytes + slice.length;
					if (bytes > messageBytes) throw new AnswerError(OVERSIZED_CODE, 'an event is over the limit');
					await takeArrived();
					// Data that arrives faster than it is handled would block everything else.
					await nextTurn();
				}
			}
		} catch (error) {
			if (error instanceof AnswerError) throw error;
			// Whether it ended or broke off makes no difference to the caller.
		}
		return hasBrought;
	}
}

/**
 * The target of a redirect, if it stays within the origin, or goes from http to https on the same host. The method stays the same, as HTTP allows
 * for all of these statuses but one: a message that becomes a GET would be lost.
 */
function redirectTarget({ status, headers }: Response, from: URL, method: string): URL | undefined {
	const location = headers.get('location');
	if (location === null || (method !== 'GET' && status === seeOther)) return undefined;
	const target = URL.parse(location, from);
	if (!target || target.username !== from.username || target.password !== from.password) return undefined;
	const isUpgrade =
		from.protocol === 'http:' && target.protocol === 'https:' && target.hostname === from.hostname;
	return target.origin === from.origin || (isUpgrade && from.port === '' && target.port === '')
		? target
		: undefined;
}

/** The chunks of a body, and `undefined` where it pauses after a chunk, or ends. */
async function* chunksAndPauses(body: Response['body']): AsyncGenerator<Uint8Array | undefined> {
	const reader = body?.getReader();
	let pause: NodeJS.Timeout | undefined;
	try {
		for (let hasBegun = false; reader; hasBegun = true) {
			const arriving = reader.read();
			const paused = new Promise<'paused'>((resolve) => {
				if (hasBegun) pause = setTimeout(resolve, pauseMs, 'paused');
			});
			if ((await Promise.race([arriving, paused])) === 'paused') yield undefined;
			clearTimeout(pause);
			const { done, value } = await arriving;
			yield value;
			if (done) return;
		}
	} finally {
		clearTimeout(pause);
		void reader?.cancel().catch(() => {});
	}
}

/**
 * Whether the text of an unfinished event holds a whole message. Some servers leave out the blank line that ends an event (vercel/ai#16865), and end
 * the stream or keep it open.
 */
function isWholeEvent(text: string, limits: McpLimits): boolean {
	if (text.length > maxUnfinishedCharacters) return false;
	const events = text.trimEnd().split(/\r\n\r\n|\n\n|\r\r/);
	const event = events.at(-1) ?? '';
	const data = event
		.split(/[\r\n]+/)
		.flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
	const scan = scanJson(Buffer.from(data.join('\n')), limits);
	let step = scan.next();
	while (!step.done) step = scan.next();
	return /^\s*[{[]/.test(data[0] ?? '') && step.value === undefined;
}

/** Discards the rest of a response. */
export function drop({ body }: Response): void {
	body?.cancel().catch(() => {});
}

export function isStream(response: Response): boolean {
	return response.ok && response.status !== accepted && mediaTypeOf(response) === 'text/event-stream';
}

export function mediaTypeOf({ headers }: Response): string {
	return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
