import { ModelError, shownDetail } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import { hostOf } from './failure.ts';

/** Node's codes for a connection that broke, or was closed in the middle of a request: asked again, it would mostly work. */
const broken = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];
/** `fetch`'s own limits, where they are shorter than ours. */
const silent = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** The error for a request that got no answer. */
export function connectionFailure(endpoint: Endpoint, cause: unknown): ModelError {
	const code = codeOf(cause);
	if (code !== undefined && broken.includes(code)) {
		return new ModelError(
			'cut',
			`The connection to ${hostOf(endpoint)} broke before an answer began. Try again.`,
			{ cause },
		);
	}
	if (code !== undefined && silent.includes(code)) return stalled(endpoint, undefined, cause);
	const advice =
		endpoint.provider === 'ollama'
			? 'Is Ollama running?'
			: 'Check the connection and "base_url", then try again.';
	const why = code === undefined || code === 'ECONNREFUSED' ? '' : ` (${code})`;
	return new ModelError('unreachable', `${hostOf(endpoint)} cannot be reached${why}. ${advice}`, { cause });
}

/** The error for an answer that broke off. */
export function brokenOff(endpoint: Endpoint, cause?: unknown): ModelError {
	if (silent.includes(codeOf(cause) ?? '')) return stalled(endpoint, undefined, cause);
	return new ModelError(
		'cut',
		`The connection to ${hostOf(endpoint)} broke in the middle of the answer. Say “continue”, or ask again.`,
		{ cause },
	);
}

/** The error for an endpoint that is silent for so long. */
export function stalled(endpoint: Endpoint, withinMs?: number, cause?: unknown): ModelError {
	const time = withinMs === undefined ? 'too long' : `${Math.round(withinMs / 100) / 10} s`;
	return new ModelError(
		'stalled',
		`${hostOf(endpoint)} said nothing for ${time}. Try again, or pick another model.`,
		{ cause },
	);
}

/** The error for an answer that does not come to an end. */
export function endless(endpoint: Endpoint, totalMs: number): ModelError {
	const minutes = Math.round(totalMs / 60_000);
	return new ModelError(
		'stalled',
		`The answer of ${hostOf(endpoint)} did not end within ${minutes} min. Try again, or pick another model.`,
	);
}

/** The error for an answer with more than so many bytes. */
export function oversized(endpoint: Endpoint, bytes: number): ModelError {
	const megabytes = Math.max(1, Math.round(bytes / 1024 / 1024));
	return new ModelError(
		'oversized',
		`The answer of ${hostOf(endpoint)} is over the limit of ${megabytes} MB. Ask for less.`,
	);
}

/** The error for an address that is another one than the endpoint's. */
export function redirected(endpoint: Endpoint): ModelError {
	return new ModelError(
		'redirected',
		`${hostOf(endpoint)} leads to another address, and a key is not carried along. Write the final address into "base_url" of the client “${endpoint.name}” in the configuration file.`,
	);
}

/** The error for a `base_url` that is no address, and is not repeated: it may hold a password. */
export function noAddress({ name }: Endpoint): ModelError {
	return new ModelError(
		'unreachable',
		`"base_url" of the client “${name}” in the configuration file is no http or https address. Correct it there.`,
	);
}

/** The error for a key that cannot be sent. It is not repeated. */
export function unsendableKey(endpoint: Endpoint): ModelError {
	return new ModelError(
		'unauthorized',
		`The API key for ${hostOf(endpoint)} has characters that no key has. Set it again with the command “Discovery: Set API Key or Secret…”.`,
	);
}

/** Node's name for what went wrong, on any level. */
function codeOf(error: unknown): string | undefined {
	for (let inner = error; inner instanceof Error; inner = inner.cause) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
	}
	return undefined;
}

/** The error for an answer that ended before its time. */
export function cutOff(endpoint: Endpoint, cause?: unknown): ModelError {
	return new ModelError(
		'cut',
		`The answer of ${hostOf(endpoint)} ended in the middle. Say “continue”, or ask again.`,
		{ cause },
	);
}

/** The error for an answer that is none of the provider's protocol. `said`: what it is instead. */
export function malformed(endpoint: Endpoint, cause?: unknown, said = ''): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'malformed',
		`What ${hostOf(endpoint)} sent is no answer of a model${words && `: ${words}`}. Check "base_url" and "provider" of the client “${endpoint.name}” in the configuration file.`,
		{ cause },
	);
}

/** The error for an answer that was longer than the model may write. `tokens`: the limit, where it is known. */
export function outputLimitReached(endpoint: Endpoint, tokens?: number): ModelError {
	const limit = tokens === undefined ? '' : ` of ${tokens.toLocaleString('en')} tokens`;
	return new ModelError(
		'outputLimit',
		`The answer of ${hostOf(endpoint)} ended early: it reached the model's output limit${limit}. Say “continue”, or ask for less.`,
	);
}

/** The error for an answer that the model, or the provider's filter, refuses. `said`: its words. */
export function refused(endpoint: Endpoint, said = ''): ModelError {
	const words = shownDetail(said);
	return new ModelError(
		'refused',
		`The model at ${hostOf(endpoint)} refused to answer${words ? `: ${words}` : '.'} Try other words, or another model.`,
	);
}
