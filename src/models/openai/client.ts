import type { OpenAI } from 'openai';
import { endpointFetch } from '../http/endpointFetch.ts';
import { type AnswerLimits, noTimeoutMs, usualLimits } from '../http/limits.ts';
import type { Endpoint } from '../provider.ts';

/**
 * All headers of a request but the key's. The SDK's own are left out: they tell of the machine (`X-Stainless-*`), and whatever
 * stands in `OPENAI_CUSTOM_HEADERS` is among them.
 */
const headers = {
	accept: 'application/json',
	'content-type': 'application/json',
	'user-agent': 'mcp-discovery',
} as const;

const clients = new WeakMap<Endpoint, Promise<OpenAI>>();

/**
 * The SDK for an endpoint, loaded on first use; models of one client share it, with the limits of the first that asks. It holds no
 * key, takes nothing from the environment, never retries and never logs.
 */
export function openAiClient(
	endpoint: Endpoint,
	limits: AnswerLimits = usualLimits(endpoint),
): Promise<OpenAI> {
	const known = clients.get(endpoint);
	if (known) return known;
	const client = newClient(endpoint, limits);
	clients.set(endpoint, client);
	return client;
}

/** Every setting that the SDK would else read from the environment is given here; `null` is "none" to it, `undefined` is not. */
async function newClient(endpoint: Endpoint, limits: AnswerLimits): Promise<OpenAI> {
	const { OpenAI } = await import('openai/client');
	const send = endpointFetch(endpoint, limits);
	return new OpenAI({
		baseURL: endpoint.baseUrl,
		// The SDK wants one; `endpointFetch` puts the real one in its place.
		apiKey: 'none',
		adminAPIKey: null,
		organization: null,
		project: null,
		webhookSecret: null,
		logLevel: 'off',
		maxRetries: 0,
		timeout: noTimeoutMs,
		fetch: (url, init) => send(url, { ...init, headers }),
	});
}
