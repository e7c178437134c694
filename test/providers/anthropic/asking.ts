import type Anthropic from '@anthropic-ai/sdk';
import type { ChatMessage, ToolCallResult } from '../../../src/discovery/catalog/message.ts';
import type { ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import { errorResult, type ImageContent, textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { AnthropicModel } from '../../../src/models/anthropic/anthropicModel.ts';
import { requestBody } from '../../../src/models/anthropic/requestBody.ts';
import type { ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../../src/models/http/limits.ts';
import type { Endpoint, ProviderModelSettings } from '../../../src/models/provider.ts';
import { sendableTools } from '../../../src/models/schemas/sendableTools.ts';
import { Thinker } from '../../../src/models/thinker.ts';
import { MessagesEndpoint, type ReceivedRequest } from './messagesEndpoint.ts';

/** Long enough for loopback, short enough to wait for. */
export const shortLimits: AnswerLimits = { firstByteMs: 60, gapMs: 60, bytes: 1024 * 1024 };

/** Claude at an endpoint. */
export function claude(
	endpoint: Endpoint,
	settings: Partial<ProviderModelSettings> = {},
	limits?: AnswerLimits,
): AnthropicModel {
	return new AnthropicModel(
		{ id: 'claude', name: 'Claude', model: 'claude-sonnet-5', ...settings },
		endpoint,
		limits,
	);
}

/** A request of one question. */
export function asks(text = 'What is new?', more: Partial<ChatRequest> = {}): ChatRequest {
	return { system: 'Be brief.', messages: [user(text)], tools: [], ...more };
}

/** The body of a request, without sending it. */
export function bodyOf(request: ChatRequest): Anthropic.MessageCreateParamsStreaming {
	const accepted = { ...request, tools: sendableTools(request.tools, 'anthropic').tools, answers: {} };
	const thinker = new Thinker({ baseUrl: '' }, 'anthropic', 'm');
	return requestBody(accepted, { model: 'm' }, thinker, 100, { type: 'ephemeral' }).body;
}

/** All events of an answer, and the error that it ended with. */
export async function answerOf(
	model: AnthropicModel,
	request: ChatRequest = asks(),
	signal = new AbortController().signal,
): Promise<{ events: ChatModelEvent[]; error: unknown }> {
	const events: ChatModelEvent[] = [];
	try {
		for await (const event of model.stream(request, signal)) events.push(event);
		return { events, error: undefined };
	} catch (error) {
		return { events, error };
	}
}

/** What goes over the wire for a request that the API accepts. */
export async function sent(
	request: ChatRequest,
	settings?: Partial<ProviderModelSettings>,
): Promise<ReceivedRequest> {
	await using server = new MessagesEndpoint();
	const { error } = await answerOf(claude(await server.start(), settings), request);
	if (error) throw error;
	const [asked] = server.asked;
	if (!asked) throw new Error('nothing was sent');
	return asked;
}

/** The messages of {@link sent}, without `cache_control`. */
export async function sentMessages(
	messages: readonly ChatMessage[],
	more: Partial<ChatRequest> = {},
	settings?: Partial<ProviderModelSettings>,
): Promise<Anthropic.MessageParam[]> {
	const { body } = await sent({ ...asks(), messages, ...more }, settings);
	return unmarked(body).messages;
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
