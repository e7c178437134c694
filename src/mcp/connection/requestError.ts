import { inspect } from 'node:util';
import { retryAfterOf } from '../../common/retryAfter.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import { folded, sentence, visible } from '../../common/text.ts';
import { ServerError, type ServerErrorReason, signedOutError } from '../serverError.ts';
import { SignInNeeded } from '../signIn/signIn.ts';
import { SignInError } from '../signIn/signInError.ts';
import { MALFORMED_CODE, OVERSIZED_CODE, STREAM_CUT_CODE, TOO_COMPLEX_CODE } from './jsonRpc.ts';

/** Longest text of a server in an error message, in characters. */
const longestQuoted = 200;
/** How much of it is read, in UTF-16 units. */
const longestRead = 10 * longestQuoted;
const firstHttpStatus = 300;
/** A longer wait is not worth mentioning. */
const longestWaitMs = 24 * 3_600_000;
/** Levels of a cause that are searched for secrets. */
const printedDepth = 6;
/** What looks like an HTML tag. */
const markup = /<[!/]?[a-z][^>]*>?/gi;

/** The server answered with an error status, in `code`. */
export class HttpStatusError extends Error {
	override readonly name = 'HttpStatusError';
	readonly code: number;
	/** How long the server asks us to wait, in milliseconds. */
	readonly retryAfterMs: number | undefined;

	constructor({ status, headers }: Response) {
		super(`HTTP ${status}`);
		this.code = status;
		this.retryAfterMs = retryAfterOf(headers, Date.now());
	}
}

/** The response does not answer the request; `code` says why, as in `jsonRpc.ts`. */
export class AnswerError extends Error {
	override readonly name = 'AnswerError';
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}
}

/**
 * Explains a failed request. `error` is what the SDK threw, identified by its code.
 *
 * @param redactor hides the server's secrets in its own words
 */
export function requestError(server: string, error: unknown, redactor: Redactor): ServerError {
	if (error instanceof ServerError) return error;
	const code = codeOf(error);
	const failed = (reason: ServerErrorReason, what: string) =>
		new ServerError(server, reason, sentence`Server "${server}" ` + what, causeOf(error, redactor));
	if (code === OVERSIZED_CODE)
		return failed(
			'message-too-large',
			'sent an answer that is larger than the limit for one message. Ask it for less at a time.',
		);
	if (code === TOO_COMPLEX_CODE)
		return failed(
			'message-too-large',
			'sent an answer with too many values or too deeply nested. Ask it for less at a time.',
		);
	if (code === STREAM_CUT_CODE)
		return failed('stream-cut', 'disconnected before it answered. It is unknown what it did until then.');
	const said = quoted(error instanceof Error ? error.message : String(error), redactor);
	return isRefusal(error) && code !== MALFORMED_CODE
		? failed('request-refused', sentence`refused: ${said}`)
		: failed('protocol', sentence`violated the protocol: ${said}`);
}

/** What was thrown, unless it would print a secret. */
function causeOf(error: unknown, redactor: Redactor): { readonly cause?: unknown } {
	const printed = inspect(error, { depth: printedDepth });
	return redactor.hideKnown(printed) === printed ? { cause: error } : {};
}

/** Whether the server itself answered with an error. Its code may coincide with an HTTP status. */
function isRefusal(error: unknown): boolean {
	return error instanceof Error && error.name === 'ProtocolError';
}

/** A server's text for use in a message: on one line, without markup and invisible characters. */
function quoted(said: string, redactor: Redactor): string {
	// A long text is cut first, perhaps in the middle of a secret.
	const shown = visible(said.slice(0, longestRead));
	const safe = said.length > longestRead ? redactor.hideCut(shown) : redactor.hide(shown);
	const text = safe.replace(/^MCP error -?\d+: /, '');
	return folded(text.replace(markup, ' '), longestQuoted);
}

/** {@link requestError} for a remote server; `url` is shown without its query, which may hold a key. */
export function remoteError(server: string, url: string, error: unknown, redactor: Redactor): ServerError {
	if (error instanceof ServerError) return error;
	if (error instanceof SignInNeeded) return signedOutError(server, error.demand);
	if (error instanceof SignInError) {
		const reason = error.fault === 'unavailable' ? 'sign-in-unavailable' : 'unauthorized';
		const message = sentence`Server "${server}" cannot be used.`;
		return new ServerError(server, reason, `${message} ${error.message}`, {
			retryAfterMs: error.retryAfterMs,
		});
	}
	const code = codeOf(error);
	const { origin, pathname } = new URL(url);
	const address = redactor.hide(`${origin}${pathname}`);
	if (!isRefusal(error) && code !== undefined && code >= firstHttpStatus)
		return httpError(server, address, code, error, redactor);
	// `fetch` throws a TypeError whose cause is the system's error.
	if (error instanceof TypeError) {
		const message = sentence`Server "${server}" cannot be reached at ${address}. Check the URL, and that the server is running.`;
		return new ServerError(server, 'unreachable', message, causeOf(error, redactor));
	}
	return requestError(server, error, redactor);
}

function httpError(
	server: string,
	address: string,
	status: number,
	error: unknown,
	redactor: Redactor,
): ServerError {
	const retryAfterMs = status === 429 && error instanceof HttpStatusError ? error.retryAfterMs : undefined;
	const failed = (reason: ServerErrorReason, what: string) => {
		const message = sentence`Server "${server}" at ${address} answered with HTTP ${status}` + what;
		return new ServerError(server, reason, message, { ...causeOf(error, redactor), retryAfterMs });
	};
	if (status === 401 || status === 403)
		return failed('unauthorized', ': access was denied. Check the credentials in "headers".');
	if (status === 404)
		return failed(
			'session-lost',
			': the URL is wrong, or the session has ended. Check "url" and "transport".',
		);
	if (status < 400)
		return failed(
			'http-error',
			', a redirect to another site, which is not followed. Set "url" to the final URL.',
		);
	if (status !== 429) return failed('http-error', '. Try again, or ask whoever runs it.');
	const isSoon = retryAfterMs !== undefined && retryAfterMs <= longestWaitMs;
	const when = isSoon ? `in ${Math.ceil(retryAfterMs / 1000)} s` : 'later';
	return failed('http-error', `: too many requests. Try again ${when}.`);
}

function codeOf(error: unknown): number | undefined {
	return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
		? error.code
		: undefined;
}
