import type Anthropic from '@anthropic-ai/sdk';
import type { ChatMessage, ToolCallResult } from '../../../src/discovery/catalog/message.ts';
import type { ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import { errorResult, type ImageContent, textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { AnthropicModel } from '../../../src/models/anthropic/anthropicModel.ts';
import { requestBody } from '../../../src/models/anthropic/requestBody.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../../src/models/http/limits.ts';
import type { ProviderModelSettings } from '../../../src/models/provider.ts';
import { sendableTools } from '../../../src/models/schemas/sendableTools.ts';
import { Thinker } from '../../../src/models/thinker.ts';
import { asking, eventsOf, type Loopback } from '../loopback.ts';
import { endpointAt, messagesServer } from './messagesEndpoint.ts';

/** Claude at a server. */
export function claude(
	{ url }: Pick<Loopback, 'url'>,
	settings: Partial<ProviderModelSettings> = {},
	limits?: AnswerLimits,
): AnthropicModel {
	const whole = { id: 'claude', name: 'Claude', model: 'claude-sonnet-5', ...settings };
	return new AnthropicModel(whole, endpointAt(url), limits);
}

/** The body of a request, without sending it. */
export function bodyOf(request: ChatRequest): Anthropic.MessageCreateParamsStreaming {
	const accepted = { ...request, tools: sendableTools(request.tools, 'anthropic').tools, answers: {} };
	const thinker = new Thinker({ baseUrl: '' }, 'anthropic', 'm');
	return requestBody(accepted, { model: 'm' }, thinker, 100, { type: 'ephemeral' }).body;
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

/** A tool of one parameter. */
export function tool(name: string, description = `Does ${name}.`): ToolDefinition {
	return {
		name,
		description,
		inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
	};
}

/** A user's message. */
export function user(text: string, ...images: readonly ImageContent[]): ChatMessage {
	return { role: 'user', text, ...(images.length > 0 && { images }) };
}

/** An answer that calls a tool under each id. */
export function calls(text: string, ...ids: readonly string[]): ChatMessage {
	const toolCalls = ids.map((id) => ({ id, name: 'files__read', input: { path: `${id}.txt` } }));
	return plainAnswer(text, toolCalls);
}

/** Results of these calls. */
export function results(...all: readonly ToolCallResult[]): ChatMessage {
	return { role: 'tool', results: all };
}

/** A result of one text. */
export function succeeded(callId: string, text: string): ToolCallResult {
	return { callId, result: textResult(text) };
}

/** A result that says what went wrong. */
export function failed(callId: string, text: string): ToolCallResult {
	return { callId, result: errorResult(text) };
}

/** A picture of one kind, by the first bytes of its data. */
export function picture(kind: keyof typeof pictures, mimeType = `image/${kind}`): ImageContent {
	return { type: 'image', data: pictures[kind], mimeType };
}

const pictures = {
	png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
	jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP8=',
	gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	webp: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
	bmp: 'Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgA',
} as const;
