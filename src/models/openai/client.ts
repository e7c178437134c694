import type { OpenAI } from 'openai';
import { endpointFetch } from '../http/endpointFetch.ts';
import { type AnswerLimits, noTimeoutMs } from '../http/limits.ts';
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

/**
 * The SDK for one request, loaded on first use; a new client takes 0.2 ms. It never holds the key, reads nothing from the environment, never
 * retries and never logs: every option is set that it would otherwise read from the environment. To the SDK `null` means none, `undefined`
 * does not.
 */
export async function openAiClient(endpoint: Endpoint, limits: AnswerLimits): Promise<OpenAI> {
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
