import { LLMock } from '@copilotkit/aimock';
import { expect, test } from 'vitest';
import type { AnthropicModel } from '../../../src/models/anthropic/anthropicModel.ts';
import type { ChatMessage } from '../../../src/models/chatModel.ts';
import { messageOf } from '../asGiven.ts';
import { answerOf, asks, calls, claude, results, succeeded, tool, user } from './asking.ts';
import { endpointAt } from './messagesEndpoint.ts';

test('given a conversation of question, calls, results and answer, then every turn of it is understood', async () => {
	await using provider = await startedMock((mock) =>
		mock
			.on(
				{ userMessage: 'Read both', hasToolResult: false },
				{
					content: 'Reading.',
					toolCalls: [
						{ id: 'toolu_1', name: 'files__read', arguments: '{"path":"a.txt"}' },
						{ id: 'toolu_2', name: 'files__read', arguments: '{"path":"b.txt"}' },
					],
					usage: { input_tokens: 100, output_tokens: 20 },
				},
				{ chunkSize: 3 },
			)
			.on({ toolCallId: 'toolu_2', toolResultContains: 'two' }, { content: 'They say one and two.' }),
	);
	const request = asks('Read both', { tools: [tool('files__read')] });

	const first = await answerOf(provider.model, request);
	const message = messageOf(first.events);
	const { toolCalls } = message;
	const [one = '', two = ''] = toolCalls.map(({ id }) => id);
	const messages: ChatMessage[] = [
		...request.messages,
		message,
		results(succeeded(one, 'one'), succeeded(two, 'two')),
	];
	const second = await answerOf(provider.model, { ...request, messages });

	expect(textOf(first.events)).toBe('Reading.');
	expect(toolCalls.map(({ input }) => input)).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }]);
	expect(first.events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 100, outputTokens: 20 } });
	expect(textOf(second.events)).toBe('They say one and two.');
});

test('given recorded thinking, then only the answer is told', async () => {
	await using provider = await startedMock((mock) =>
		mock.onMessage('think', { content: 'Forty-two.', reasoning: 'Let me see.', redactedThinking: ['zzz'] }),
	);

	const { events } = await answerOf(provider.model, asks('think'));

	expect(textOf(events)).toBe('Forty-two.');
});

test('given a stream that is cut after some pieces, then what came is told, and it is said to be cut', async () => {
	await using provider = await startedMock((mock) =>
		mock.onMessage(
			'tell',
			{ content: 'A long story.' },
			{ chunkSize: 2, truncateAfterChunks: 5, latency: 2 },
		),
	);

	const { events, error } = await answerOf(provider.model, asks('tell'));

	expect('A long story.'.startsWith(textOf(events))).toBe(true);
	expect(textOf(events).length).toBeGreaterThan(2);
	expect(error).toMatchObject({ reason: 'cut' });
});

test('given a provider out of order once, then it is asked again and answers', async () => {
	await using provider = await startedMock((mock) => mock.onMessage('hi', { content: 'Hello.' }));
	provider.mock.prependFixture({
		match: { userMessage: 'hi', sequenceIndex: 0 },
		response: { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 0 },
	});

	const { events } = await answerOf(provider.model, asks('hi'));

	expect(events[0]).toMatchObject({ type: 'retrying', afterMs: 500 });
	expect(textOf(events)).toBe('Hello.');
});

test('given a search and a tool loaded natively, then the conversation goes on', async () => {
	await using provider = await startedMock((mock) =>
		mock.onMessage('Loaded weather__now.', { toolCalls: [{ name: 'weather__now', arguments: '{}' }] }),
	);
	const messages = [
		user('weather?'),
		calls('', 'search'),
		results({ ...succeeded('search', 'Loaded weather__now.'), loaded: [tool('weather__now')] }),
	];
	const request = asks('', { messages, tools: [tool('search_tools')], searchTool: 'search_tools' });

	const { events } = await answerOf(provider.model, request);

	expect(events[0]).toMatchObject({ type: 'toolCall', call: { name: 'weather__now', input: {} } });
});

function textOf(events: Awaited<ReturnType<typeof answerOf>>['events']): string {
	return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

async function startedMock(
	prepare: (mock: LLMock) => unknown,
): Promise<{ mock: LLMock; model: AnthropicModel } & AsyncDisposable> {
	const mock = new LLMock();
	prepare(mock);
	const url = await mock.start();
	return {
		mock,
		model: claude(endpointAt(url)),
		[Symbol.asyncDispose]: () => mock.stop(),
	};
}
