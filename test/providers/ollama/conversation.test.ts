import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/discovery/tool.ts';
import { textResult } from '../../../src/discovery/toolResult.ts';
import { answered, asking, modelAt, textOf } from './loopbackOllama.ts';

const weather: ToolDefinition = {
	name: 'weather__forecast',
	description: 'The weather of a place.',
	inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('A conversation with a model of Ollama, as aimock plays it', () => {
	let mock: LLMock;

	beforeEach(async () => {
		mock = new LLMock({ port: 0, chunkSize: 4 });
		await mock.start();
	});

	afterEach(() => mock.stop());

	test('An answer comes piece by piece', async () => {
		mock.onMessage('Why is the sky blue?', { content: 'It scatters blue light.' });

		const events = await answered(modelAt(mock.url), asking('Why is the sky blue?'));

		expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(3);
		expect(textOf(events)).toBe('It scatters blue light.');
		expect(events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } });
	});

	test('A model calls two tools, reads their results in the order of its calls, and answers', async () => {
		mock.on(
			{ userMessage: 'Rain or sun?', hasToolResult: false },
			{
				content: 'Let me look.',
				toolCalls: [
					{ name: 'weather__forecast', arguments: '{"city":"Oslo"}' },
					{ name: 'weather__forecast', arguments: '{"city":"Rome"}' },
				],
			},
		);
		mock.on({ userMessage: 'Rain or sun?', hasToolResult: true }, { content: 'Rain in Oslo, sun in Rome.' });
		const model = modelAt(mock.url);
		const question = asking('Rain or sun?', { tools: [weather] });

		const first = await answered(model, question);
		const calls = first.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
		const [oslo, rome] = calls;

		expect(textOf(first)).toBe('Let me look.');
		expect(calls.map(({ name, input }) => [name, input])).toEqual([
			['weather__forecast', { city: 'Oslo' }],
			['weather__forecast', { city: 'Rome' }],
		]);
		expect(oslo?.id).not.toBe(rome?.id);

		const second = await answered(model, {
			...question,
			messages: [
				...question.messages,
				{ role: 'assistant', text: 'Let me look.', toolCalls: calls },
				{
					role: 'tool',
					results: [
						{ callId: rome?.id ?? '', result: textResult('sun') },
						{ callId: oslo?.id ?? '', result: textResult('rain') },
					],
				},
			],
		});

		expect(textOf(second)).toBe('Rain in Oslo, sun in Rome.');
		const asked = mock
			.getRequests()
			.filter(({ path }) => path === '/api/chat')
			.at(-1)?.body;
		const { messages = [] } = asked as { messages?: { role: string; content: string }[] };
		expect(messages.map(({ role, content }) => [role, content])).toEqual([
			['system', 'Be brief.'],
			['user', 'Rain or sun?'],
			['assistant', 'Let me look.'],
			['tool', 'rain'],
			['tool', 'sun'],
		]);
	});

	test('What a model thinks is not what it says', async () => {
		mock.onMessage('Hm?', { content: 'Yes.', reasoning: 'They want to know whether.' });

		expect(textOf(await answered(modelAt(mock.url), asking('Hm?')))).toBe('Yes.');
	});
});
