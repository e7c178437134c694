import * as l10n from '@vscode/l10n';
import { ModelError, shownDetail } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { shownName } from './failure.ts';

/** Node's codes for a connection that broke, or was closed in the middle of a request. A retry mostly helps. */
const broken = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];
/** `fetch`'s own timeouts, if they are shorter than ours. */
const silent = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** For a request without a response. */
export function connectionFailure(endpoint: Endpoint, cause: unknown): ModelError {
	const code = codeOf(cause);
	if (code !== undefined && broken.includes(code)) {
		const happened = `The connection to ${shownName(endpoint)} broke before an answer began.`;
		return new ModelError('cut', `${happened} Try again.`, { happened, cause });
	}
	if (code !== undefined && silent.includes(code)) return stalled(endpoint, undefined, cause);
	const advice =
		endpoint.provider === 'ollama'
			? 'Is Ollama running?'
			: 'Check the connection and "base_url", then try again.';
	const why = code === undefined || code === 'ECONNREFUSED' ? '' : ` (${code})`;
	return new ModelError('unreachable', `${shownName(endpoint)} cannot be reached${why}. ${advice}`, {
		cause,
	});
}

/** For an answer that ended too early. */
export function cutOff(endpoint: Endpoint, cause?: unknown): ModelError {
	if (silent.includes(codeOf(cause) ?? '')) return stalled(endpoint, undefined, cause);
	const happened = `The answer of ${shownName(endpoint)} ended in the middle.`;
	return new ModelError('cut', `${happened} Say “continue”, or ask again.`, { happened, cause });
}

/** For an endpoint that sent nothing for this long. */
export function stalled(endpoint: Endpoint, withinMs?: number, cause?: unknown): ModelError {
	const time = withinMs === undefined ? 'too long' : `${Math.round(withinMs / 100) / 10} s`;
	return new ModelError(
		'stalled',
		`${shownName(endpoint)} said nothing for ${time}. Try again, or pick another model.`,
		{ cause },
	);
}

/** For an answer without an end. */
export function endless(endpoint: Endpoint, totalMs: number): ModelError {
	const minutes = Math.round(totalMs / 60_000);
	return new ModelError(
		'stalled',
		`The answer of ${shownName(endpoint)} did not end within ${minutes} min. Try again, or pick another model.`,
	);
}

/** For an answer with more than this many bytes. */
export function oversized(endpoint: Endpoint, bytes: number): ModelError {
	const megabytes = Math.max(1, Math.round(bytes / 1024 / 1024));
	return new ModelError(
		'oversized',
		`The answer of ${shownName(endpoint)} is over the limit of ${megabytes} MB. Ask for less.`,
	);
}

/** For a redirect to another origin. */
export function redirected(endpoint: Endpoint): ModelError {
	return new ModelError(
		'redirected',
		`${shownName(endpoint)} redirects to another URL, and a key is not sent along. Write the final URL into "base_url" of the client “${endpoint.name}” in the configuration file.`,
	);
}

/** For an invalid `base_url`. It is not repeated, because it may contain a password. */
export function noAddress({ name }: Endpoint): ModelError {
	return new ModelError(
		'unreachable',
		`"base_url" of the client “${name}” in the configuration file is not an http or https URL. Correct it there.`,
	);
}

/** For a key that cannot be sent. It is not repeated. */
export function unsendableKey(endpoint: Endpoint): ModelError {
	return new ModelError(
		'unauthorized',
		`The API key for ${shownName(endpoint)} has characters that no key has. Set it again with the command “Discovery: Set API Key or Secret…”.`,
	);
}

/** Node's code for an error, on any level of causes. */
function codeOf(error: unknown): string | undefined {
	for (let inner = error; inner instanceof Error; inner = inner.cause) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
	}
	return undefined;
}

/** For a response that does not follow the provider's protocol. `said`: its text. */
export function malformed(endpoint: Endpoint, cause?: unknown, said = ''): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'malformed',
		`What ${shownName(endpoint)} sent is no answer of a model${words && `: ${words}`}. Check "base_url" and "provider" of the client “${endpoint.name}” in the configuration file.`,
		{ cause },
	);
}

/** For an answer that reached its token limit. */
export function outputLimitReached(endpoint: Endpoint, tokens?: number): ModelError {
	const limit = tokens === undefined ? '' : ` of ${tokens.toLocaleString('en')} tokens`;
	return new ModelError(
		'outputLimit',
		`The answer of ${shownName(endpoint)} ended early: it reached the model's output limit${limit}. Say “continue”, or ask for less.`,
	);
}

/** For a call of the model that its provider could not read. `said`: the provider's words, or its reason. */
export function malformedCall(endpoint: Endpoint, said: string): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'malformedCall',
		`${shownName(endpoint)} could not read a call of the model: ${words}. Ask again, or pick another model.`,
		{ said: words },
	);
}

/** Tells the user that an answer ended for a reason that we do not know. */
export function unknownEnding(endpoint: Endpoint, reason: string): string {
	const words = shownDetail(reason);
	return l10n.t('The answer of {0} ended with “{1}”, so it may be incomplete.', shownName(endpoint), words);
}

/** For an answer that the model, or the provider's filter, refused. `said`: its words. */
export function refused(endpoint: Endpoint, said = ''): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'refused',
		`The model at ${shownName(endpoint)} refused to answer${words ? `: ${words}` : '.'} Try other words, or another model.`,
	);
}
