import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources';
import { isProvidersOwn } from '../../../common/providers.ts';
import { modelErrorOf } from '../../http/retries.ts';
import type { ModelError } from '../../modelError.ts';
import type { Endpoint } from '../../provider.ts';

/** What a server takes beyond the bare protocol, as far as is known. */
export interface Capabilities {
	/** It is asked for the tokens that it used. */
	readonly usage: boolean;
	/** What the model thought is sent back as it was; or it is refused; or calls that it did not make need a thought as well. */
	readonly thoughts: 'sent' | 'left out' | 'filled in';
}

/** What a server is taken to take until it says otherwise. */
export const assumedCapabilities: Capabilities = { usage: true, thoughts: 'sent' };

/** Writes a request for a server with these capabilities. */
export type ChatBody = (capabilities: Capabilities) => ChatCompletionCreateParamsStreaming;

/** What servers have taken, by model, so that only the first request to one is made more than once. */
const learned = new WeakMap<Endpoint, Map<string, Capabilities>>();

/** Servers that have accepted `stream_options` once: what they refuse later, they refuse for another reason. */
const counting = new WeakSet<Endpoint>();

/**
 * Sends a request for a streamed answer. Servers refuse a request for a field that they do not know, or miss, each in words of its own:
 * what is refused is tried once more the other way.
 */
export async function requestChat(
	client: OpenAI,
	endpoint: Endpoint,
	body: ChatBody,
	signal: AbortSignal,
): Promise<Response> {
	const refused: Capabilities[] = [];
	const known = learned.get(endpoint) ?? new Map<string, Capabilities>();
	learned.set(endpoint, known);
	let capabilities = known.get(body(assumedCapabilities).model) ?? assumedCapabilities;
	for (;;) {
		const { usage } = capabilities;
		const sent = { ...body(capabilities), ...(usage && { stream_options: { include_usage: true } }) };
		try {
			const response = await client.chat.completions.create(sent, { signal }).asResponse();
			if (refused.length > 0) known.set(sent.model, capabilities);
			if (usage) counting.add(endpoint);
			return response;
		} catch (error) {
			const other = otherCapabilities(modelErrorOf(error), capabilities, sent, endpoint);
			if (!other || refused.some((one) => one.thoughts === other.thoughts && one.usage === other.usage))
				throw error;
			refused.push(capabilities);
			capabilities = other;
		}
	}
}

/** Fields in which thoughts come and go; and what is said where one is missing. */
const thoughtFields = /reasoning(?:_content|_details)?\b|extra_content/;
const isMissed = /missing|must be (?:passed|provided|included)|required/i;

/** The capabilities with which a refused request may succeed; `undefined` where the refusal has nothing to do with them. */
function otherCapabilities(
	failure: ModelError | undefined,
	capabilities: Capabilities,
	sent: object,
	endpoint: Endpoint,
): Capabilities | undefined {
	if (failure?.reason !== 'invalidRequest') return undefined;
	if (thoughtFields.test(failure.said)) {
		return { ...capabilities, thoughts: isMissed.test(failure.said) ? 'filled in' : 'left out' };
	}
	const mayMind = capabilities.usage && !isProvidersOwn(endpoint) && !counting.has(endpoint);
	return mayMind && mayBeOfUsage(failure.said, sent) ? { ...capabilities, usage: false } : undefined;
}

/** How servers speak of a field that they do not know. */
const unknownField =
	/(?:un(?:known|recogni[sz]ed|expected|supported)|extra|additional|not (?:permitted|allowed|supported)).*(?:field|param|arg|propert|key|input)|(?:field|param|arg|propert|key|input).*not (?:permitted|allowed|supported|recogni[sz]ed)/i;

/** Fields of every request. A complaint about another field may have these words in it as well. */
const everywhere = ['model', 'messages', 'stream', 'stream_options'];

/** Whether a request may have been refused for the field that asks for usage: it is named, or no field is. */
function mayBeOfUsage(said: string, body: object): boolean {
	if (said === '' || /stream_?options|include_?usage/i.test(said)) return true;
	const others = Object.keys(body).filter((field) => !everywhere.includes(field));
	return unknownField.test(said) && !others.some((field) => said.includes(field));
}
