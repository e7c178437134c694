import type { BaseAnthropic } from '@anthropic-ai/sdk/client';
import type { Messages } from '@anthropic-ai/sdk/resources/messages';
import { endpointFetch } from '../http/endpointFetch.ts';
import { type AnswerLimits, noTimeoutMs } from '../http/limits.ts';
import type { Endpoint } from '../provider.ts';

/** The version of the API that the SDK's types describe; the SDK itself sends the same. */
export const anthropicVersion = '2026-10-21';

/**
 * All headers of a request except the key's. The SDK's own are left out: they describe this machine (`X-Stainless-*`), and they include
 * everything in `ANTHROPIC_CUSTOM_HEADERS`, which no option prevents.
 */
const headers = {
	accept: 'text/event-stream',
	'content-type': 'application/json',
	'user-agent': 'mcp-discovery',
	'anthropic-version': anthropicVersion,
} as const;

/** The SDK with the one part of the API that we call: the complete one is three times the code. */
type MessagesClient = BaseAnthropic & { readonly messages: Messages };

/**
 * The SDK for one request, loaded on first use; a new client takes less than 0.1 ms. It ignores the process's environment and the credential
 * files of Anthropic's tools: every option that falls back on them is set. With a placeholder for a key the SDK looks for no other;
 * {@link endpointFetch} adds the real one. `beta`: a beta of the API that the request needs.
 */
export async function anthropicClient(
	endpoint: Endpoint,
	limits: AnswerLimits,
	beta?: string,
): Promise<MessagesClient> {
	const [{ BaseAnthropic }, { Messages }] = await Promise.all([
		import('@anthropic-ai/sdk/client'),
		import('@anthropic-ai/sdk/resources/messages'),
	]);
	const send = endpointFetch(endpoint, limits);
	const client = new BaseAnthropic({
		apiKey: 'placeholder',
		webhookKey: null,
		baseURL: endpoint.baseUrl,
		logLevel: 'off',
		openTelemetry: { traces: false, propagation: false },
		maxRetries: 0,
		timeout: noTimeoutMs,
		fetch: (url, init) =>
			send(url, { ...init, headers: { ...headers, ...(beta && { 'anthropic-beta': beta }) } }).catch(
				(error: unknown) => {
					throw sealed(error);
				},
			),
	});
	return Object.assign(client, { messages: new Messages(client) });
}

/**
 * The SDK replaces every error that has "timed out" in its text, or in its cause's text (`ETIMEDOUT`, a gateway's own words), by its own
 * timeout error. It looks only one cause deep, so ours arrives intact two causes deep.
 */
function sealed(error: unknown): Error {
	return new Error('', { cause: new Error('', { cause: error }) });
}
