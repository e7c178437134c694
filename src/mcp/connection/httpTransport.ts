import { setImmediate as nextTurn } from 'node:timers/promises';
import { sentence } from '../../common/text.ts';
import { shownAddress } from '../../config/servers/address.ts';
import type { RemoteLaunch } from '../../config/servers/launch.ts';
import type { ServerError } from '../serverError.ts';
import type { ConnectOptions } from './connectOptions.ts';
import type { EventReader, ServerEvent } from './eventReader.ts';
import type { Outgoing, ServerTransport } from './guardedTransport.ts';
import type { JsonRpcMessage } from './jsonRpc.ts';
import { remoteError } from './requestError.ts';

/** As many as the SDK follows. */
const mostRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** The answer is elsewhere, to be asked for with another request. */
const seeOther = 303;
export const accepted = 202;
const unauthorized = 401;
const forbidden = 403;
/** Additional tokens that one request may be sent with: one that was refreshed in the meantime, and one that is refreshed for it. */
const mostRefusals = 3;
/** Events of one chunk that are handled before yielding. */
const eventsAtOnce = 256;

export type HttpTransportOptions = Pick<
	ConnectOptions,
	'server' | 'limits' | 'redactor' | 'hide' | 'authorizer' | 'onLog'
>;

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
	protected readonly options: HttpTransportOptions;
	protected readonly closing = new AbortController();
	readonly #launch: RemoteLaunch;
	/** Those that are in the log. */
	readonly #redirects = new Set<string>();
	#protocolVersion: string | undefined;
	/** If the server has begun one. */
	protected sessionId: string | undefined;
	#closed: Promise<void> | undefined;

	constructor(launch: RemoteLaunch, options: HttpTransportOptions) {
		this.#launch = launch;
		this.url = new URL(launch.url);
		this.options = options;
	}

	explain(error: unknown): ServerError {
		const { server, redactor } = this.options;
		return remoteError(server, this.#launch.url, error, redactor());
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
		if (message) all.set('content-type', 'application/json');
		const body = message && JSON.stringify(message);
		const init = { method, headers: all, signal, ...(body !== undefined && { body }) };
		const { authorizer, hide } = this.options;
		for (let sent = 1; ; sent += 1) {
			const token = await authorizer?.token(signal);
			if (token !== undefined) {
				// A careless server returns it.
				hide([token]);
				all.set('authorization', `Bearer ${token}`);
			}
			const response = await this.#fetchWithinOrigin(url, init);
			const isRefused = response.status === unauthorized || response.status === forbidden;
			if (!isRefused && token !== undefined) authorizer?.accepted(token);
			if (!isRefused || !authorizer || sent > mostRefusals) return response;
			drop(response);
			// A refused request was not carried out, so it can be sent again.
			if (!(await authorizer.refused(response, token, signal))) return response;
		}
	}

	/** Follows redirects only within the origin, so that no header goes elsewhere. */
	async #fetchWithinOrigin(url: URL, init: RequestInit & { readonly method: string }): Promise<Response> {
		for (let target = url, followed = 0; ; followed += 1) {
			const response = await fetch(target, { ...init, redirect: 'manual' });
			if (!redirectStatuses.has(response.status) || followed === mostRedirects) return response;
			const next = redirectTarget(response, target, init.method);
			if (!next) return response;
			drop(response);
			this.#noteRedirect(response.status, target, next);
			target = next;
		}
	}

	#noteRedirect(status: number, from: URL, to: URL): void {
		const key = `${from} ${to}`;
		if (this.#redirects.has(key) || this.#redirects.size === mostRedirects) return;
		this.#redirects.add(key);
		const where = [from, to].map((url) => this.options.redactor().hide(shownAddress(url)));
		const line = sentence`followed a redirect (HTTP ${status}) from ${where[0] ?? ''} to ${where[1] ?? ''}; it takes a request less if "url" is the second`;
		this.options.onLog('info', line);
	}

	/** Who answered, at the beginning of a clause. */
	protected answerer(response: Response): string {
		if (response.url === this.url.href) return 'it';
		return `it redirected to ${this.options.redactor().hide(shownAddress(new URL(response.url)))}, which`;
	}

	/** The server refuses a message that it need not answer. */
	protected complain({ status }: Response, { method }: JsonRpcMessage): void {
		const what = typeof method === 'string' ? method : 'an answer';
		this.options.onLog('warn', sentence`the server answered ${what} with HTTP ${status}`);
	}

	/** Reads an event stream until it ends or breaks off; resolves to whether it brought anything. */
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
				// Yield: data that arrives faster than it is handled would block everything else.
				await nextTurn();
			}
		} catch {
			// Whether it ended or broke off makes no difference to the caller.
		}
		return brought > 0;
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

function asBuffer(chunk: Uint8Array): Buffer {
	return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}
