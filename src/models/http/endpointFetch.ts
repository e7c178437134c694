import { isAzures } from '../../common/providers.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint, KeyHeader } from '../provider.ts';
import { connectionFailure, noAddress, redirected, unsendableKey } from './answerErrors.ts';
import { AnswerWatch } from './answerWatch.ts';
import { failureOfResponse, rememberKey } from './failure.ts';
import type { AnswerLimits } from './limits.ts';

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Headers for a key. An SDK may have set them from the environment, or to a placeholder. */
const keyHeaders: readonly KeyHeader[] = ['authorization', 'x-api-key', 'api-key'];

/**
 * `fetch` for one endpoint, used by every SDK. The key and the configured headers are added here and nowhere else, so they reach only what is
 * below the endpoint's URL, and no SDK ever holds them. Throws a {@link ModelError} for a redirect and for a failure status; a body that
 * stalls, breaks off or grows without limit fails with one. Throws the reason of the caller's signal if that aborts.
 */
export function endpointFetch(endpoint: Endpoint, limits: AnswerLimits): Fetch {
	return async (url, init = {}) => {
		const request = url instanceof Request ? url : undefined;
		checkAddress(endpoint, request?.url ?? String(url));
		const key = (await endpoint.key())?.trim();
		const given = await withHeaders(init.headers ?? request?.headers, endpoint);
		const headers = withKey(given, endpoint, key || undefined);
		const caller = init.signal ?? request?.signal;
		const watch = new AnswerWatch(endpoint, limits, caller);
		try {
			const response = await watch.head(
				fetch(url, { ...init, headers, signal: watch.signal, redirect: 'manual' }),
			);
			if (response.ok) return watch.watched(response);
			// `redirect: 'error'` would not say that it was a redirect.
			if (response.status < 400) throw redirected(endpoint);
			throw failureOfResponse(endpoint, response, await watch.beginningOf(response), !key);
		} catch (error) {
			watch.end();
			if (caller?.aborted) throw caller.reason;
			throw error instanceof ModelError ? error : connectionFailure(endpoint, error);
		}
	};
}

/** Something an SDK reads, or a mistake of ours, could lead it to another host or path. The key must not be sent there. */
function checkAddress(endpoint: Endpoint, url: string): void {
	const own = URL.parse(endpoint.baseUrl);
	if (!own || !/^https?:$/.test(own.protocol) || own.username || own.password) throw noAddress(endpoint);
	const asked = URL.parse(url);
	const path = own.pathname.replace(/\/+$/, '');
	const isBelow = `${asked?.pathname}/`.startsWith(`${path}/`);
	if (asked?.origin !== own.origin || !isBelow) throw redirected(endpoint);
}

async function withHeaders(given: RequestInit['headers'], endpoint: Endpoint): Promise<Headers> {
	const headers = new Headers(given);
	for (const { name, value, isSecret } of (await endpoint.headers?.()) ?? []) {
		// An endpoint may repeat the token of `Bearer …` without the word before it.
		if (isSecret) for (const secret of [value, value.split(/\s/).at(-1) ?? '']) rememberKey(endpoint, secret);
		headers.set(name, value);
	}
	return headers;
}

/** Applied last, so that no other header can replace the key. */
function withKey(headers: Headers, endpoint: Endpoint, key: string | undefined): Headers {
	for (const name of keyHeaders) headers.delete(name);
	if (key === undefined) return headers;
	// For other characters, `Headers` throws an error that repeats the key.
	if (!/^[\x21-\x7e]+$/.test(key)) throw unsendableKey(endpoint);
	rememberKey(endpoint, key);
	const name = endpoint.keyHeader ?? usualKeyHeader(endpoint);
	headers.set(name, name === 'authorization' ? `Bearer ${key}` : key);
	return headers;
}

/** Azure has its own header: https://learn.microsoft.com/azure/foundry/openai/latest, “Authentication”. */
function usualKeyHeader({ provider, baseUrl }: Endpoint): KeyHeader {
	if (provider === 'anthropic') return 'x-api-key';
	return isAzures(baseUrl) ? 'api-key' : 'authorization';
}
