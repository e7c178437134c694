import { setTimeout as delay } from 'node:timers/promises';
import { networkCause } from '../../common/networkCause.ts';
import { retryAfterOf } from '../../common/retryAfter.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import { sentence } from '../../common/text.ts';
import { shownAddress } from '../../config/servers/address.ts';
import { ServerError, type ServerErrorReason, signedOutError } from '../serverError.ts';
import { SignInNeeded } from '../signIn/signIn.ts';
import { SignInError } from '../signIn/signInError.ts';
import { boundedBody } from '../stdio/lineSplitter.ts';
import { MALFORMED_CODE, OTHER_TRANSPORT_CODE, OVERSIZED_CODE, STREAM_CUT_CODE } from './jsonRpc.ts';
import { bodyText, errorText, quotedServerText } from './serverWords.ts';

const firstClientError = 400;
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The answer is elsewhere, to be asked for with another request. */
export const seeOther = 303;
/** Statuses with which a server refuses a transport that it does not speak. */
const transportRefusals = new Set([400, 404, 405, 406, 415]);
/** OpenSSL's and Node's codes of a certificate that is not trusted: `CERT_HAS_EXPIRED`, `UNABLE_TO_VERIFY_LEAF_SIGNATURE`. */
const certificateCode = /CERT|LEAF_SIGNATURE/;
/** A longer wait is not worth mentioning. */
const maxRetryAfterMs = 24 * 3_600_000;
/** How much of the body of a refusal is read, in bytes. It may explain the failure. */
const maxBodyBytes = 65_536;
/** How long it may take. */
const maxBodyMs = 1_000;

/** The server answered with an error status, in `code`. */
export class HttpStatusError extends Error {
	override readonly name = 'HttpStatusError';
	readonly code: number;
	/** How long the server asks us to wait, in milliseconds. */
	readonly retryAfterMs: number | undefined;
	/** What its body says; empty: nothing. */
	readonly bodyText: string;
	/** Where a redirect that is not followed leads; empty: the server does not say. Absent: no redirect. */
	readonly location: string | undefined;
	/** The address that answered. */
	readonly from: URL | null;

	constructor({ status, headers, url }: Response, said = '') {
		super(`HTTP ${status}`);
		this.code = status;
		this.retryAfterMs = retryAfterOf(headers, Date.now());
		this.bodyText = said;
		this.from = URL.parse(url);
		const isRedirect = redirectStatuses.has(status) || (status < firstClientError && headers.has('location'));
		this.location = isRedirect ? (headers.get('location') ?? '') : undefined;
	}
}

/** A refusal with what its body says, as far as that comes soon. `read` is given the body, too. */
export async function readRefusal(
	response: Response,
	read?: (body: Buffer) => Promise<unknown>,
): Promise<HttpStatusError> {
	const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	const body = await Promise.race([
		boundedBody(response, maxBodyBytes).catch(() => undefined),
		delay(maxBodyMs, undefined, { ref: false }),
	]);
	if (body) await read?.(body);
	else response.body?.cancel().catch(() => {});
	return new HttpStatusError(response, body ? bodyText(type, body.toString('utf8')) : '');
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
		new ServerError(server, reason, sentence`Server "${server}" ` + what);
	if (code === OVERSIZED_CODE)
		return failed(
			'message-too-large',
			'sent an answer that is larger, or has more or more deeply nested values, than one message may have. Ask it for less at a time.',
		);
	if (code === OTHER_TRANSPORT_CODE) {
		const message = sentence`Server "${server}" speaks the older HTTP transport. Set "transport" to "sse".`;
		return new ServerError(server, 'protocol', message, { isTransportRefused: true });
	}
	if (code === STREAM_CUT_CODE)
		return failed('stream-cut', 'disconnected before it answered. It is unknown what it did until then.');
	const serverText = quotedServerText(
		error instanceof Error ? errorText({ ...error, message: error.message }) : String(error),
		redactor,
	);
	return isRefusal(error) && code !== MALFORMED_CODE
		? failed('request-refused', `refused: ${serverText}`)
		: failed('protocol', `violated the protocol: ${serverText}`);
}

/** Whether the server itself answered with an error. Its code may coincide with an HTTP status. */
function isRefusal(error: unknown): boolean {
	return error instanceof Error && error.name === 'ProtocolError';
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
	const address = redactor.hide(shownAddress(new URL(url)));
	if (error instanceof HttpStatusError) return httpError(server, address, error, redactor);
	// `fetch` throws a TypeError whose cause is the system's error.
	if (error instanceof TypeError) {
		const { code, text } = networkCause(error);
		const explanation = quotedServerText(text, redactor) || undefined;
		const why = explanation === undefined ? '' : `: ${explanation}`;
		const message = sentence`Server "${server}" cannot be reached at ${address}` + why;
		const advice = certificateCode.test(code)
			? 'If your company issues its certificate, install the root certificate in the operating system.'
			: 'Check the URL, and that the server is running.';
		return new ServerError(server, 'unreachable', `${message}. ${advice}`, { cause: error, explanation });
	}
	return requestError(server, error, redactor);
}

function httpError(server: string, asked: string, error: HttpStatusError, redactor: Redactor): ServerError {
	const { code: status, bodyText, location, from } = error;
	const retryAfterMs = status === 429 ? error.retryAfterMs : undefined;
	const answering = from ? redactor.hide(shownAddress(from)) : asked;
	const address = answering === asked ? asked : `${asked} (redirected to ${answering})`;
	const words = bodyText === '' ? '' : ` The server says: ${quotedServerText(bodyText, redactor)}`;
	const failed = (reason: ServerErrorReason, what: string) => {
		const message = sentence`Server "${server}" at ${address} answered with HTTP ${status}` + what + words;
		const isTransportRefused = transportRefusals.has(status);
		return new ServerError(server, reason, message, { retryAfterMs, isTransportRefused });
	};
	if (location !== undefined) return failed('http-error', redirectWords(error, location, redactor));
	if (status === 401 || status === 403)
		return failed('unauthorized', ': access was denied. Check the credentials in "headers".');
	if (status === 404)
		return failed(
			'session-lost',
			': the URL is wrong, or the session has ended. Check "url" and "transport".',
		);
	if (status === 405)
		return failed('http-error', ': the URL takes no such request. Check "url" and "transport".');
	if (status !== 429) return failed('http-error', '. Try again, or ask whoever runs it.');
	const isSoon = retryAfterMs !== undefined && retryAfterMs <= maxRetryAfterMs;
	const when = isSoon ? `in ${Math.ceil(retryAfterMs / 1000)} s` : 'later';
	return failed('http-error', `: too many requests. Try again ${when}.`);
}

/** Why a redirect was not followed. */
function redirectWords({ code, from }: HttpStatusError, location: string, redactor: Redactor): string {
	const target = URL.parse(location, from?.href);
	if (location === '' || !target) return ', a redirect without a usable target. Ask whoever runs it.';
	const where = sentence`, a redirect to ${redactor.hide(shownAddress(target))}`;
	if (target.origin !== from?.origin)
		return `${where}, on another site. It is not followed, because what is sent here belongs here. If you trust that site, set "url" to its URL.`;
	return code === seeOther
		? `${where}. It is not followed, because this status asks for another request. If that is the server, set "url" to this URL.`
		: `${where}. It is not followed: there are too many redirects, or the URL has other credentials. Set "url" to the final URL.`;
}

function codeOf(error: unknown): number | undefined {
	return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
		? error.code
		: undefined;
}
