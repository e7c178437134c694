import { isAzures } from '../../common/providers.ts';
import { ModelError } from '../modelError.ts';
import type { Endpoint, KeyHeader } from '../provider.ts';
import { AnswerWatch } from './answerWatch.ts';
import { connectionFailure, errorAbout, failureOfResponse, rememberKey, shownName } from './failure.ts';
import type { AnswerLimits } from './limits.ts';

const usualHeaders = { accept: 'application/json', 'user-agent': 'mcp-discovery' };
/** Headers for a key. Only the key may set them. */
const keyHeaders: readonly KeyHeader[] = ['authorization', 'x-api-key', 'api-key'];

/** What is asked of an endpoint. A body makes it a `POST` of JSON. */
interface Asked {
	readonly body?: object;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/**
 * Asks an endpoint for what is at a path below its URL. The key and the configured headers are added here and nowhere else, so they reach nothing
 * else. Throws a {@link ModelError} for a redirect and for a failure status; a body that stalls, breaks off or grows without limit fails with one.
 * Throws the reason of the signal if that aborts.
 */
export async function endpointFetch(
	endpoint: Endpoint,
	limits: AnswerLimits,
	path: string,
	{ body, headers = {}, signal }: Asked = {},
): Promise<Response> {
	const own = URL.parse(endpoint.baseUrl);
	// It is not repeated, because it may contain a password.
	if (!own || !/^https?:$/.test(own.protocol) || own.username || own.password)
		throw errorAbout(endpoint, 'unreachable', {
			happened: `"base_url" of the client “${endpoint.name}” in the configuration file is not an http or https URL.`,
			advice: 'Correct it there.',
		});
	const key = (await endpoint.key())?.trim();
	const type = body && { 'content-type': 'application/json' };
	const given = await withHeaders({ ...usualHeaders, ...type, ...headers }, endpoint);
	const asking = {
		headers: withKey(given, endpoint, key || undefined),
		...(body && { method: 'POST', body: JSON.stringify(body) }),
	};
	const watch = new AnswerWatch(endpoint, limits, signal);
	try {
		const response = await watch.head(
			fetch(`${endpoint.baseUrl}${path}`, { ...asking, signal: watch.signal, redirect: 'manual' }),
		);
		if (response.ok) return watch.watched(response);
		// `redirect: 'error'` would not say that it was a redirect.
		if (response.status < 400) throw errorAbout(endpoint, 'redirected');
		throw failureOfResponse(endpoint, response, await watch.beginningOf(response), !key);
	} catch (error) {
		watch.end();
		if (signal?.aborted) throw signal.reason;
		throw error instanceof ModelError ? error : connectionFailure(endpoint, error);
	}
}

async function withHeaders(given: Readonly<Record<string, string>>, endpoint: Endpoint): Promise<Headers> {
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
	if (!/^[\x21-\x7e]+$/.test(key))
		throw errorAbout(endpoint, 'unauthorized', {
			happened: `The API key for ${shownName(endpoint)} has characters that no key has.`,
		});
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
