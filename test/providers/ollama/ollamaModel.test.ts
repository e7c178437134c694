import { once } from 'node:events';
import { createServer } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import type { ChatModelEvent } from '../../../src/models/chatModel.ts';
import type { AnswerLimits } from '../../../src/models/http/limits.ts';
import { ModelError } from '../../../src/models/modelError.ts';
import type { OllamaModel } from '../../../src/models/ollama/ollamaModel.ts';
import { asGiven } from '../asGiven.ts';
import {
	type Answer,
	answered,
	asking,
	done,
	fails,
	LoopbackOllama,
	lines,
	modelAt,
	ndjson,
	piece,
	roomyLimits,
	textOf,
} from './loopbackOllama.ts';

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
				plainAnswer('Let me look.', calls),
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

/** What came of an answer, and what it ended with. */
async function outcomeOf(model: OllamaModel): Promise<{ events: ChatModelEvent[]; error: ModelError }> {
	const events: ChatModelEvent[] = [];
	try {
		for await (const event of model.stream(asking('Hello'), new AbortController().signal)) events.push(event);
	} catch (error) {
		if (error instanceof ModelError) return { events, error };
		throw error;
	}
	throw new Error('It did not fail.');
}

async function outcomeOfAnswer(answer: Answer, limits: Partial<AnswerLimits> = {}) {
	await using ollama = await LoopbackOllama.start({ chat: [answer] });
	const outcome = await outcomeOf(modelAt(ollama.url, {}, { ...roomyLimits, ...limits }));
	return { ...outcome, host: new URL(ollama.url).host };
}

describe('What goes wrong with Ollama', () => {
	test('It is not running', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : 0;
		server.close();
		await once(server, 'close');

		const { error } = await outcomeOf(modelAt(`http://127.0.0.1:${port}`));

		expect(error).toMatchObject({
			reason: 'unreachable',
			message: `127.0.0.1:${port} cannot be reached. Is Ollama running?`,
		});
	});

	test.each(["model 'qwen3:8b' not found", 'model "qwen3:8b" not found, try pulling it first'])(
		'It does not have the model: %s',
		async (said) => {
			const { error, host } = await outcomeOfAnswer(fails(404, said));
			expect(error).toMatchObject({
				reason: 'notFound',
				status: 404,
				message: `${host} has no model “qwen3:8b”. Get it with \`ollama pull qwen3:8b\`, or pick another model.`,
			});
		},
	);

	test('It is not at this address', async () => {
		const { error } = await outcomeOfAnswer(
			(response) => void response.writeHead(404).end('404 page not found'),
		);
		expect(error.message).toMatch(/404 page not found.* Check "model" and "base_url" of the client “local”/);
	});

	test('The model cannot call tools', async () => {
		const said = 'registry.ollama.ai/library/gemma:2b does not support tools';
		const { error } = await outcomeOfAnswer(fails(400, said));
		expect(error).toMatchObject({
			reason: 'invalidRequest',
			message: '“qwen3:8b” cannot call tools. Pick a model that can: ollama.com/search?c=tools lists them.',
		});
	});

	test('It wants to know who asks for a model of the cloud', async () => {
		const { error } = await outcomeOfAnswer(fails(401, 'unauthorized'));
		expect(error).toMatchObject({
			reason: 'unauthorized',
			message: expect.stringContaining('`ollama signin`'),
		});
	});

	test('It fails in the middle of an answer', async () => {
		const answer = lines(piece({ content: 'The sky' }), { error: 'model runner has unexpectedly stopped' });

		const { events, error, host } = await outcomeOfAnswer(answer);

		expect(textOf(events)).toBe('The sky');
		expect(error).toMatchObject({
			reason: 'server',
			message: expect.stringContaining(`${host} failed: model runner has unexpectedly stopped`),
		});
	});

	test('The answer ends at its limit: what came of it stays, calls and usage too', async () => {
		const call = { function: { name: 'web__get', arguments: { url: 'x' } } };
		const answer = lines(
			piece({ content: 'So' }),
			piece({ tool_calls: [call] }),
			done({ done_reason: 'length' }),
		);

		const { events, error } = await outcomeOfAnswer(answer);

		expect(asGiven(events).map(({ type }) => type)).toEqual(['text', 'toolCall', 'usage']);
		expect(error).toMatchObject({
			reason: 'outputLimit',
			message: expect.stringContaining('was cut off at the end of its context of 8,192 tokens.'),
		});
	});

	test('The answer ends at the limit that the user has set', async () => {
		const answer = lines(piece({ content: 'So' }), done({ done_reason: 'length', eval_count: 50 }));
		await using ollama = await LoopbackOllama.start({ chat: [answer] });

		const { error } = await outcomeOf(modelAt(ollama.url, { maxOutputTokens: 50 }));

		expect(error.message).toContain('was cut off at the limit of 50 output tokens.');
	});

	test.each([
		['a page', '<html><body>Welcome</body></html>'],
		['a list', '[]\n'],
		['something in braces', '{not json}'],
	])('What answers is not Ollama, but sends %s', async (_, said) => {
		const { error } = await outcomeOfAnswer(lines(said));
		expect(error).toMatchObject({
			reason: 'malformed',
			message: expect.stringContaining('is no answer of a model'),
		});
		expect(error.message).not.toContain('<');
	});

	test('It says nothing', async () => {
		const { error } = await outcomeOfAnswer(() => undefined, { firstByteMs: 50 });
		expect(error.reason).toBe('stalled');
	});

	test('It stops saying anything', async () => {
		const begun: Answer = (response) => void response.write(ndjson(piece({ content: 'The sky' })));
		const { events, error } = await outcomeOfAnswer(begun, { gapMs: 50 });

		expect(textOf(events)).toBe('The sky');
		expect(error.reason).toBe('stalled');
	});
});
