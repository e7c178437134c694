import type { ModelError } from '../modelError.ts';
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

/** Node's code for an error, on any level of causes; empty if there is none. */
function codeOf(error: unknown): string {
	for (let inner = error; inner instanceof Error; inner = inner.cause) {
		if ('code' in inner && typeof inner.code === 'string') return inner.code;
	}
	return '';
}
