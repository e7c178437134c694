import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources';
import { type Endpoint, isProvidersOwn } from '../../endpoint.ts';
import { modelErrorOf } from '../../http/retries.ts';

/** Servers that have refused to be asked for usage, so that only the first request to them is made twice. */
const withoutUsage = new WeakSet<Endpoint>();

/**
 * Sends a request for a streamed answer, and with it for the tokens that it used. Older servers refuse a request for a field that
 * they do not know, each in words of its own: what is refused is tried once more without.
 */
export async function requestChat(
	client: OpenAI,
	endpoint: Endpoint,
	body: ChatCompletionCreateParamsStreaming,
	signal: AbortSignal,
): Promise<Response> {
	const plainly = () => client.chat.completions.create(body, { signal }).asResponse();
	if (withoutUsage.has(endpoint)) return plainly();
	const counted = { ...body, stream_options: { include_usage: true } };
	try {
		return await client.chat.completions.create(counted, { signal }).asResponse();
	} catch (error) {
		const isRefused = modelErrorOf(error)?.reason === 'invalidRequest';
		if (!isRefused || isProvidersOwn(endpoint)) throw error;
		const response = await plainly();
		withoutUsage.add(endpoint);
		return response;
	}
}
