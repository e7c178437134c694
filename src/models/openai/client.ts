import type { OpenAI } from 'openai';
import { endpointFetch } from '../http/endpointFetch.ts';
import { type AnswerLimits, noTimeoutMs, usualLimits } from '../http/limits.ts';
import type { Endpoint } from '../provider.ts';

/**
 * All headers of a request except the key's. The SDK's own are left out: they describe this machine (`X-Stainless-*`), and they include
 * everything in `OPENAI_CUSTOM_HEADERS`.
 */
const headers = {
	accept: 'application/json',
	'content-type': 'application/json',
	'user-agent': 'mcp-discovery',
} as const;

const clients = new WeakMap<Endpoint, Promise<OpenAI>>();

/**
 * The SDK for an endpoint, loaded on first use. All models of an endpoint share it, with the limits of the first. It never holds the key,
 * reads nothing from the environment, never retries and never logs.
 */
export function openAiClient(
	endpoint: Endpoint,
	limits: AnswerLimits = usualLimits(endpoint),
): Promise<OpenAI> {
	const client = clients.get(endpoint) ?? newClient(endpoint, limits);
	clients.set(endpoint, client);
	return client;
}

/** Sets every option that the SDK would otherwise read from the environment; to the SDK `null` means none, `undefined` does not. */
async function newClient(endpoint: Endpoint, limits: AnswerLimits): Promise<OpenAI> {
	const { OpenAI } = await import('openai/client');
	const send = endpointFetch(endpoint, limits);
	return new OpenAI({
		baseURL: endpoint.baseUrl,
		// The SDK requires a key; `endpointFetch` replaces this by the real one.
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
