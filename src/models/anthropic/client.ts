import { endpointFetch } from '../http/endpointFetch.ts';
import { type AnswerLimits, noTimeoutMs } from '../http/limits.ts';
import type { Endpoint } from '../provider.ts';
import type { MessagesClient } from './messagesClient.ts';

/** The version of the API that the SDK's types describe; what the SDK sends itself. */
export const anthropicVersion = '2026-10-21';

/**
 * All headers of a request but the key's. The SDK's own are left out: they tell of this machine (`X-Stainless-*`), and whatever
 * stands in `ANTHROPIC_CUSTOM_HEADERS` is among them, which no option prevents.
 */
const headers = {
	accept: 'text/event-stream',
	'content-type': 'application/json',
	'user-agent': 'mcp-discovery',
	'anthropic-version': anthropicVersion,
} as const;

const clients = new WeakMap<Endpoint, MessagesClient>();

/**
 * The SDK's client for an endpoint, one for each; `limits` are those of the first who asks. The process's environment and the
 * credential files of Anthropic's tools have no say in it: every option that falls back on them is set. With a key given, if only a
 * placeholder, the SDK looks for no other; the real one is put on by {@link endpointFetch}.
 */
export async function anthropicClient(endpoint: Endpoint, limits: AnswerLimits): Promise<MessagesClient> {
	const { MessagesClient } = await import('./messagesClient.ts');
	const known = clients.get(endpoint);
	if (known) return known;
	const send = endpointFetch(endpoint, limits);
	const client = new MessagesClient({
		apiKey: 'placeholder',
		webhookKey: null,
		baseURL: endpoint.baseUrl,
		logLevel: 'off',
		openTelemetry: { traces: false, propagation: false },
		maxRetries: 0,
		timeout: noTimeoutMs,
		fetch: (url, init) =>
			send(url, { ...init, headers }).catch((error: unknown) => {
				throw sealed(error);
			}),
	});
	clients.set(endpoint, client);
	return client;
}

/**
 * The SDK takes every error whose text, or whose cause's text, has "timed out" in it (`ETIMEDOUT`, a gateway's own words) for its own
 * timeout, and drops it. Two causes deep it does not look, and ours arrives whole.
 */
function sealed(error: unknown): Error {
	return new Error('', { cause: new Error('', { cause: error }) });
}
