import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources';
import { type Endpoint, isProvidersOwn } from '../../endpoint.ts';
import { modelErrorOf } from '../../http/retries.ts';

/** Of each server whether it counts tokens in a stream, once it has shown that. */
const counts = new WeakMap<Endpoint, boolean>();

/**
 * Sends a request for a streamed answer, and with it for the tokens that it used. Older servers refuse a request for a field that
 * they do not know, each in words of its own: what may be refused for that is tried once more without, until it is known.
 */
export async function requestChat(
	client: OpenAI,
	endpoint: Endpoint,
	body: ChatCompletionCreateParamsStreaming,
	signal: AbortSignal,
): Promise<Response> {
	const plainly = () => client.chat.completions.create(body, { signal }).asResponse();
	if (counts.get(endpoint) === false) return plainly();
	const counted = { ...body, stream_options: { include_usage: true } };
	try {
		const response = await client.chat.completions.create(counted, { signal }).asResponse();
		counts.set(endpoint, true);
		return response;
	} catch (error) {
		const failure = modelErrorOf(error);
		const isKnown = isProvidersOwn(endpoint) || counts.has(endpoint);
		if (isKnown || failure?.reason !== 'invalidRequest' || !mayBeOfUsage(failure.said, body)) throw error;
		const response = await plainly();
		counts.set(endpoint, false);
		return response;
	}
}

/** How servers speak of a field that they do not know. */
const unknownField =
	/(?:un(?:known|recogni[sz]ed|expected|supported)|extra|additional|not (?:permitted|allowed|supported)).*(?:field|param|arg|propert|key|input)|(?:field|param|arg|propert|key|input).*not (?:permitted|allowed|supported|recogni[sz]ed)/i;

/** Fields of every request, whose names are words that a complaint of any other field may have as well. */
const everywhere = ['model', 'messages', 'stream'];

/** Whether a request may have been refused for the field that asks for usage: it is named, or no field is. */
function mayBeOfUsage(said: string, body: object): boolean {
	if (said === '' || /stream_?options|include_?usage/i.test(said)) return true;
	const others = Object.keys(body).filter((field) => !everywhere.includes(field));
	return unknownField.test(said) && !others.some((field) => said.includes(field));
}
