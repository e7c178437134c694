import type { ChatRequest } from '../../../../src/models/chatModel.ts';
import { ChatCompletionsModel } from '../../../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import type { AnswerLimits } from '../../../../src/models/provider.ts';
import { asking, endpointAt, type HttpAnswer, roomy } from '../../loopback.ts';

/** A stream of events, each a chunk or bytes as they are, and then its end, `[DONE]` unless told. */
export function events(chunks: readonly (object | string)[], end = 'data: [DONE]\n\n'): HttpAnswer {
	return (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const chunk of chunks) response.write(typeof chunk === 'string' ? chunk : event(chunk));
		response.end(end);
	};
}

export function event(chunk: object): string {
	return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** One chunk of an answer. */
export function chunk(delta: object, finishReason: string | null = null, more: object = {}): object {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta, finish_reason: finishReason }],
		...more,
	};
}

export function modelAt(
	url: string,
	settings: Partial<ConstructorParameters<typeof ChatCompletionsModel>[0]> = {},
	limits: AnswerLimits = roomy,
): ChatCompletionsModel {
	return new ChatCompletionsModel(
		{ id: 'config/gpt', name: 'gpt', model: 'gpt-4.1', ...settings },
		endpointAt(`${url}/v1`, 'openai', limits),
	);
}

/** A request without a system prompt. */
export function ask(request: Partial<ChatRequest> = {}): ChatRequest {
	return asking('hi', { system: '', ...request });
}
