import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { callsOf as callsIn } from '../../../../src/models/answerParts.ts';
import { ChatCompletionsModel } from '../../../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import { asGiven, messageOf } from '../../asGiven.ts';
import {
	answerOf,
	ask,
	ChatServer,
	callsOf,
	chunk,
	endpointAt,
	events,
	modelAt,
	roomy,
	textOf,
} from './server.ts';

const weather = {
	name: 'weather__forecast',
	description: 'Tells the weather.',
	inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

let provider: LLMock;

beforeEach(async () => {
	provider = new LLMock({ port: 0 });
	await provider.start();
});

afterEach(() => provider.stop());

test('a model calls a tool, gets its result, and answers with it', async () => {
	const cities = ['Rome', 'Oslo'];
	provider.on(
		{ userMessage: 'weather', hasToolResult: false },
		{
			content: 'Let me look.',
			toolCalls: cities.map((city) => ({ name: weather.name, arguments: { city }, id: `call_${city}` })),
		},
		{ chunkSize: 3 },
	);
	provider.on({ userMessage: 'weather', hasToolResult: true }, { content: 'Warm in Rome.' });
	const model = modelAt(provider.url);
	const question: ChatMessage = { role: 'user', text: 'what is the weather in Rome and Oslo?' };

	const first = await answerOf(model, ask({ system: 'Be brief.', messages: [question], tools: [weather] }));
	const message = messageOf(first.events);
	const toolCalls = callsIn(message.parts);
	const results = toolCalls.map(({ id, input }) => ({
		callId: id,
		result: textResult(`Result of ${input.city}.`),
	}));
	const second = await answerOf(
		model,
		ask({
			messages: [question, message, { role: 'tool', results }],
			tools: [weather],
		}),
	);

	expect(textOf(first.events)).toBe('Let me look.');
	expect(callsOf(asGiven(first.events))).toEqual(
		cities.map((city) => ({ id: `call_${city}`, name: weather.name, input: { city } })),
	);
	expect(textOf(second.events)).toBe('Warm in Rome.');
	expect(provider.getLastRequest()?.body).toMatchObject({
		messages: [
			{ role: 'user' },
			{ role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'call_Rome' }, { id: 'call_Oslo' }] },
			{ role: 'tool', tool_call_id: 'call_Rome', content: 'Result of Rome.' },
			{ role: 'tool', tool_call_id: 'call_Oslo', content: 'Result of Oslo.' },
		],
	});
});

test('usage is what the provider counted', async () => {
	const usage = {
		prompt_tokens: 1200,
		completion_tokens: 7,
		total_tokens: 1207,
		prompt_tokens_details: { cached_tokens: 1024 },
	};
	provider.onMessage('hi', { content: 'hello', usage });
	const model = new ChatCompletionsModel({ id: 'r', name: 'r', model: 'openai/gpt-4o' }, openRouter(), roomy);

	const { events } = await answerOf(model);

	expect(events.at(-1)).toEqual({
		type: 'usage',
		usage: { inputTokens: 1200, outputTokens: 7, cachedInputTokens: 1024 },
	});
});

test("OpenRouter's comments are no part of the answer", async () => {
	provider.onMessage('hi', { content: 'hello there' }, { openRouterProcessing: true, chunkSize: 4 });
	const model = new ChatCompletionsModel({ id: 'r', name: 'r', model: 'openai/gpt-4o' }, openRouter(), roomy);

	const { events, error } = await answerOf(model);

	expect(error).toBeUndefined();
	expect(textOf(events)).toBe('hello there');
});

test('a stream that the provider drops is a cut answer', async () => {
	provider.onMessage(
		'hi',
		{ content: 'a long answer' },
		{ chunkSize: 2, truncateAfterChunks: 4, latency: 15 },
	);

	const { events, error } = await answerOf(modelAt(provider.url));

	expect('a long answer'.startsWith(textOf(events))).toBe(true);
	expect(textOf(events)).not.toBe('');
	expect(error).toMatchObject({ reason: 'cut' });
});

function openRouter() {
	return { ...endpointAt(provider.url), baseUrl: `${provider.url}/api/v1` };
}

test('a call that came along with the last word is not made any more', async () => {
	const call = { index: 0, id: 'c1', function: { name: 'files__list', arguments: '{}' } };
	await using server = await ChatServer.start(
		events([chunk({ content: 'Listing.', tool_calls: [call] }, 'tool_calls')]),
	);
	const stop = new AbortController();
	const types: string[] = [];

	for await (const { type } of modelAt(server.url).stream(ask(), stop.signal)) {
		types.push(type);
		stop.abort();
	}

	expect(types).toEqual(['text']);
});
