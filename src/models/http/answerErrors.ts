import * as l10n from '@vscode/l10n';
import { type ModelError, shownDetail } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { errorAbout, shownName } from './failure.ts';

/** Node's codes for a connection that broke, or was closed in the middle of a request. A retry mostly helps. */
const broken = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];
/** `fetch`'s own timeouts, if they are shorter than ours. */
const silent = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** For a request without a response. */
export function connectionFailure(endpoint: Endpoint, cause: unknown): ModelError {
	const code = codeOf(cause);
	const happened = `The connection to ${shownName(endpoint)} broke before an answer began.`;
	if (broken.includes(code)) return errorAbout(endpoint, 'cut', { happened, advice: 'Try again.', cause });
	if (silent.includes(code)) return stalled(endpoint, undefined, cause);
	const why = code === '' || code === 'ECONNREFUSED' ? '' : ` (${code})`;
	const advice = endpoint.provider === 'ollama' ? 'Is Ollama running?' : undefined;
	return errorAbout(endpoint, 'unreachable', { did: `cannot be reached${why}`, advice, cause });
}

/** For an answer that ended too early. */
export function cutOff(endpoint: Endpoint, cause?: unknown): ModelError {
	return silent.includes(codeOf(cause))
		? stalled(endpoint, undefined, cause)
		: errorAbout(endpoint, 'cut', { cause });
}

/** For an endpoint that sent nothing for this long. */
export function stalled(endpoint: Endpoint, withinMs?: number, cause?: unknown): ModelError {
	const time = withinMs === undefined ? 'too long' : `${Math.round(withinMs / 100) / 10} s`;
	return errorAbout(endpoint, 'stalled', { did: `said nothing for ${time}`, cause });
}

/** For an answer without an end. */
export function endless(endpoint: Endpoint, totalMs: number): ModelError {
	return errorAbout(endpoint, 'stalled', {
		did: `did not end its answer within ${Math.round(totalMs / 60_000)} min`,
	});
}

/** For an answer with more than this many bytes. */
export function oversized(endpoint: Endpoint, bytes: number): ModelError {
	const megabytes = Math.max(1, Math.round(bytes / 1024 / 1024));
	return errorAbout(endpoint, 'oversized', { did: `sent more than the limit of ${megabytes} MB` });
}

/** For an invalid `base_url`. It is not repeated, because it may contain a password. */
export function noAddress(endpoint: Endpoint): ModelError {
	const happened = `"base_url" of the client “${endpoint.name}” in the configuration file is not an http or https URL.`;
	return errorAbout(endpoint, 'unreachable', { happened, advice: 'Correct it there.' });
}

/** For a key that cannot be sent. It is not repeated. */
export function unsendableKey(endpoint: Endpoint): ModelError {
	return errorAbout(endpoint, 'unauthorized', {
		happened: `The API key for ${shownName(endpoint)} has characters that no key has.`,
		advice: 'Set it again with the command “Discovery: Set API Key or Secret…”.',
	});
}

/** Node's code for an error, on any level of causes; empty if there is none. */
function codeOf(error: unknown): string {
	for (let inner = error; inner instanceof Error; inner = inner.cause) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
	}
	return '';
}

/** For a response that does not follow the provider's protocol. `text`: its beginning. */
export function malformed(endpoint: Endpoint, text = ''): ModelError {
	return errorAbout(endpoint, 'malformed', { detail: text });
}

/** For an answer that reached its token limit. */
export function outputLimitReached(endpoint: Endpoint, tokens?: number): ModelError {
	const limit = tokens === undefined ? '' : ` of ${tokens.toLocaleString('en')} tokens`;
	return errorAbout(endpoint, 'outputLimit', { did: `reached the model's output limit${limit}` });
}

/** Tells the user that an answer ended for a reason that we do not know. */
export function unknownEnding(endpoint: Endpoint, reason: string): string {
	const words = shownDetail(reason);
	return l10n.t('The answer of {0} ended with “{1}”, so it may be incomplete.', shownName(endpoint), words);
}
