import type Anthropic from '@anthropic-ai/sdk';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { AnthropicModel } from '../../../src/models/anthropic/anthropicModel.ts';
import { requestBody } from '../../../src/models/anthropic/requestBody.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';
import type { AnswerLimits, ProviderModelSettings } from '../../../src/models/provider.ts';
import { Thinker } from '../../../src/models/thinker.ts';
import { ToolAdapter } from '../../../src/models/toolAdapter.ts';
import { asking, endpointAt, eventsOf, type Loopback } from '../loopback.ts';
import { messagesServer } from './messagesEndpoint.ts';

/** Claude at a server. */
export function claude(
	{ url }: Pick<Loopback, 'url'>,
	settings: Partial<ProviderModelSettings> = {},
	limits?: AnswerLimits,
): AnthropicModel {
	const whole = { id: 'claude', name: 'Claude', model: 'claude-sonnet-5', ...settings };
	return new AnthropicModel(whole, endpointAt(url, 'anthropic', limits));
}

/** The body of a request, without sending it. */
export function bodyOf(request: ChatRequest): Anthropic.MessageCreateParamsStreaming {
	const accepted = { ...new ToolAdapter('anthropic').adaptRequest(request).request, answers: {} };
	const thinker = new Thinker({ baseUrl: '' }, 'anthropic', 'm');
	const body = requestBody({ ...accepted, cached: { type: 'ephemeral' } }, { model: 'm' }, thinker, 100);
	return body as Anthropic.MessageCreateParamsStreaming;
}

/** The body of a request that the API accepts, as it was sent. */
export async function sent(
	request: ChatRequest,
	settings?: Partial<ProviderModelSettings>,
): Promise<Anthropic.MessageCreateParamsStreaming> {
	await using server = await messagesServer();
	await eventsOf(claude(server, settings), request);
	return server.sent();
}

/** The messages of {@link sent}, without `cache_control`. */
export async function sentMessages(
	messages: readonly ChatMessage[],
	more: Partial<ChatRequest> = {},
	settings?: Partial<ProviderModelSettings>,
): Promise<Anthropic.MessageParam[]> {
	return unmarked(await sent(asking('', { messages, ...more }), settings)).messages;
}

/** A value without the marks of the prompt cache, which are no part of what is cached. */
export function unmarked<Value>(value: Value): Value {
	return JSON.parse(
		JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)),
	) as Value;
}
