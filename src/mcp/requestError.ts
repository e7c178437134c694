import { cut } from '../discovery/text.ts';
import { ServerError } from './serverError.ts';
import { OVERSIZED_CODE, STREAM_CUT_CODE } from './stdio/jsonRpc.ts';

/** Longest text of a server's that an error message repeats, in characters. */
const longestQuoted = 300;
/** JSON-RPC's codes are below zero; HTTP's are its status codes. */
const firstHttpStatus = 300;

/** What a failed request means. `error` is whatever the SDK threw, told apart by its code. */
export function requestError(server: string, error: unknown): ServerError {
	if (error instanceof ServerError) return error;
	const code = codeOf(error);
	const cause = { cause: error };
	if (code === OVERSIZED_CODE) {
		const message = `Server "${server}" sent an answer over the limit for one message. Ask it for less at a time.`;
		return new ServerError(server, 'message-too-large', message, cause);
	}
	if (code === STREAM_CUT_CODE) {
		const message = `Server "${server}" broke off before it had answered. What it did until then is unknown.`;
		return new ServerError(server, 'stream-cut', message, cause);
	}
	const said = error instanceof Error ? error.message : String(error);
	if (code !== undefined && code < 0) {
		const message = `Server "${server}" refused: ${cut(said.replace(/^MCP error -?\d+: /, ''), longestQuoted)}`;
		return new ServerError(server, 'request-refused', message, cause);
	}
	const message = `Server "${server}" does not keep to the protocol: ${cut(said, longestQuoted)}`;
	return new ServerError(server, 'protocol', message, cause);
}

/** The same for a server that is reached by address; `url` is shown without its query, which may hold a key. */
export function remoteError(server: string, url: string, error: unknown): ServerError {
	if (error instanceof ServerError) return error;
	const code = codeOf(error);
	const { origin, pathname } = new URL(url);
	const address = `${origin}${pathname}`;
	if (code !== undefined && code >= firstHttpStatus) return httpError(server, address, code, error);
	if (isNetworkError(error)) {
		const message = `Server "${server}" cannot be reached at ${address}. Check that it runs, and the address.`;
		return new ServerError(server, 'unreachable', message, { cause: error });
	}
	return requestError(server, error);
}

function httpError(server: string, address: string, status: number, cause: unknown): ServerError {
	const answer = `Server "${server}" at ${address} answered with HTTP ${status}`;
	if (status === 401 || status === 403) {
		const message = `${answer}: it wants other credentials. Check "headers".`;
		return new ServerError(server, 'unauthorized', message, { cause });
	}
	if (status === 404) {
		const message = `${answer}: the address is wrong, or the session is over. Check "url" and "transport".`;
		return new ServerError(server, 'session-lost', message, { cause });
	}
	if (status < 400) {
		const message = `${answer}, a redirect to elsewhere, which is not followed. Give the final address as "url".`;
		return new ServerError(server, 'http-error', message, { cause });
	}
	const advice =
		status === 429 ? 'it has had too many requests. Try again later.' : 'Try again, or ask who runs it.';
	return new ServerError(server, 'http-error', `${answer}: ${advice}`, { cause });
}

function codeOf(error: unknown): number | undefined {
	return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
		? error.code
		: undefined;
}

/** `fetch` throws a TypeError with the system's error as its cause; what reads streams of events wraps that once more. */
function isNetworkError(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	return error instanceof TypeError || ('event' in error && codeOf(error) === undefined);
}
