import { isRecord } from '../../discovery/record.ts';
import type { Endpoint } from '../endpoint.ts';
import { ModelError, type ModelErrorReason, shownDetail } from '../modelError.ts';

/** What is known of a failure. */
export interface Failure {
	/** The HTTP status; absent for an error in the middle of a stream that names none. */
	readonly status?: number | undefined;
	/** The provider's own name for it, e.g. `insufficient_quota`, `overloaded_error`. */
	readonly code?: string | undefined;
	/** The provider's own words. */
	readonly detail?: string | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly cause?: unknown;
}

/** The error for a failing answer, by its status and body. */
export function failureOfResponse(
	endpoint: Endpoint,
	status: number,
	headers: Headers,
	body: string,
): ModelError {
	const retryAfterMs = retryAfterOf(headers);
	return failureOf(endpoint, { status, retryAfterMs, ...explanationOf(body) });
}

/** The error for what a provider says of itself, at the start or in the middle of a stream. */
export function failureOf(endpoint: Endpoint, failure: Failure): ModelError {
	const reason = reasonOf(failure);
	const { status, retryAfterMs, cause } = failure;
	return new ModelError(reason, sentence(endpoint, reason, failure), { status, retryAfterMs, cause });
}

/** Code and words of a body such as `{"error": {"type": …, "message": …}}`, in the dialects of the providers. */
export function explanationOf(body: string): { readonly code?: string; readonly detail: string } {
	const parsed = parsedJson(body);
	if (!isRecord(parsed)) return { detail: body };
	const error = isRecord(parsed.error) ? parsed.error : parsed;
	const code = [error.code, error.type].find((value) => typeof value === 'string');
	const words = [parsed.error, error.message, parsed.detail].find((value) => typeof value === 'string');
	return { ...(code !== undefined && { code }), detail: words ?? '' };
}

function reasonOf({ status, code = '', detail = '' }: Failure): ModelErrorReason {
	if (/insufficient_quota|billing|credit balance/i.test(`${code} ${detail}`)) return 'payment';
	if (/context.?(length|window|size)|too long|maximum context|num_ctx/i.test(`${code} ${detail}`)) {
		if (status === undefined || status === 400 || status === 413 || status === 500) return 'contextTooLong';
	}
	if (/overloaded/i.test(code)) return 'overloaded';
	if (/rate_limit/i.test(code)) return 'rateLimited';
	if (/authentication_error|invalid_api_key/i.test(code)) return 'unauthorized';
	switch (status) {
		case 401:
			return 'unauthorized';
		case 402:
			return 'payment';
		case 403:
			return 'forbidden';
		case 404:
			return 'notFound';
		case 429:
			return 'rateLimited';
		case 503:
		case 529:
			return 'overloaded';
		default:
			return status === undefined || status >= 500 ? 'server' : 'invalidRequest';
	}
}

function sentence(
	endpoint: Endpoint,
	reason: ModelErrorReason,
	{ status, detail, retryAfterMs }: Failure,
): string {
	const host = hostOf(endpoint);
	const said = shownDetail(detail ?? '');
	const code = status === undefined ? '' : ` (${status})`;
	return `${happened(host, reason)}${code}${said ? `: ${said}` : '.'} ${advice(endpoint, reason, retryAfterMs)}`;
}

function happened(host: string, reason: ModelErrorReason): string {
	switch (reason) {
		case 'unauthorized':
			return `${host} did not accept the API key`;
		case 'payment':
			return `The account at ${host} has no credit left`;
		case 'forbidden':
			return `${host} does not allow this`;
		case 'notFound':
			return `${host} does not know this model or address`;
		case 'rateLimited':
			return `${host} takes no more requests for now`;
		case 'overloaded':
			return `${host} is overloaded`;
		case 'contextTooLong':
			return 'The conversation is longer than the model takes';
		case 'refused':
			return `${host} refused to answer`;
		case 'invalidRequest':
			return `${host} refused the request`;
		default:
			return `${host} failed`;
	}
}

function advice(endpoint: Endpoint, reason: ModelErrorReason, retryAfterMs: number | undefined): string {
	switch (reason) {
		case 'unauthorized':
			return 'Set the key with the command “Discovery: Set API Key…”.';
		case 'payment':
			return 'Add credit there, or pick another model.';
		case 'forbidden':
			return 'Use a key that may, or pick another model.';
		case 'notFound':
			return `Check "model" and "base_url" of the client “${endpoint.name}” in the configuration file.`;
		case 'rateLimited':
			return retryAfterMs === undefined
				? 'Try again later, or pick another model.'
				: `Try again in ${Math.ceil(retryAfterMs / 1000)} s, or pick another model.`;
		case 'contextTooLong':
			return 'Begin a new chat, or pick a model with a larger context.';
		case 'invalidRequest':
			return 'Pick another model, or see the log for what was sent.';
		case 'refused':
			return 'Try other words, or another model.';
		default:
			return 'Try again, or pick another model.';
	}
}

/** Host and port, as people know an address. */
export function hostOf({ baseUrl, name }: Endpoint): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).host : name;
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), and OpenAI's `retry-after-ms`, in milliseconds. */
function retryAfterOf(headers: Headers): number | undefined {
	const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
	if (Number.isFinite(ms)) return Math.max(0, ms);
	const written = headers.get('retry-after')?.trim();
	if (!written) return undefined;
	const seconds = Number(written);
	if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
	const date = Date.parse(written);
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
