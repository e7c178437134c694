import { describe, expect, test } from 'vitest';
import type { ModelError } from '../../../src/models/modelError.ts';
import type { ProviderModelSettings } from '../../../src/models/provider.ts';
import { givenCalls } from '../asGiven.ts';
import { answerOf, type HttpAnswer } from '../loopback.ts';
import { done, fails, lines, modelAt, ollamaServer, piece } from './loopbackOllama.ts';

/** What came of an answer, and the failure that it ended with. */
async function outcomeOfAnswer(answer: HttpAnswer, settings: Partial<ProviderModelSettings> = {}) {
	await using ollama = await ollamaServer([answer]);
	const { events, parts, error } = await answerOf(modelAt(ollama, settings));
	return { events, parts, error: error as ModelError };
}

describe('What goes wrong with Ollama', () => {
	test.each(["model 'qwen3:8b' not found", 'model "qwen3:8b" not found, try pulling it first'])(
		'It does not have the model: %s',
		async (said) => {
			const { error } = await outcomeOfAnswer(fails(404, said));
			expect(error).toMatchObject({
				reason: 'notFound',
				status: 404,
				message: expect.stringMatching(/^router \(.+not found.+ Get it with `ollama pull qwen3:8b`/),
			});
		},
	);

	test('It is not at this address', async () => {
		const { error } = await outcomeOfAnswer(
			(response) => void response.writeHead(404).end('404 page not found'),
		);
		expect(error.message).toMatch(/404 page not found.* Check "model" and "base_url" of the client “router”/);
	});

	test('The model cannot call tools', async () => {
		const said = 'registry.ollama.ai/library/gemma:2b does not support tools';
		const { error } = await outcomeOfAnswer(fails(400, said));
		expect(error).toMatchObject({
			reason: 'noTools',
			message: expect.stringMatching(/cannot call tools .+ ollama\.com\/search\?c=tools/),
		});
	});

	test('It wants to know who asks for a model of the cloud', async () => {
		const { error } = await outcomeOfAnswer(fails(401, 'unauthorized'));
		expect(error).toMatchObject({
			reason: 'unauthorized',
			message: expect.stringContaining('`ollama signin`'),
		});
	});

	test('The answer ends at its limit: its text and what it cost are told', async () => {
		const answer = lines(piece({ content: 'So' }), done({ done_reason: 'length' }));

		const { events, error } = await outcomeOfAnswer(answer);

		expect(events.map(({ type }) => type)).toEqual(['text', 'usage']);
		expect(error).toMatchObject({
			reason: 'outputLimit',
			message: expect.stringContaining('was cut off at the end of its context of 8,192 tokens.'),
		});
	});

	test('The answer ends at its limit after a call: the call is made', async () => {
		const call = { function: { name: 'web__get', arguments: { url: 'x' } } };
		const answer = lines(piece({ tool_calls: [call] }), done({ done_reason: 'length' }));

		const { parts, error } = await outcomeOfAnswer(answer);

		expect(error).toBeUndefined();
		expect(givenCalls(parts)).toEqual([{ id: '', name: 'web__get', input: { url: 'x' } }]);
	});

	test('The answer ends at the limit that the user has set', async () => {
		const answer = lines(piece({ content: 'So' }), done({ done_reason: 'length', eval_count: 50 }));
		const { error } = await outcomeOfAnswer(answer, { maxOutputTokens: 50 });
		expect(error.message).toContain("reached the model's output limit of 50 tokens.");
	});

	test.each([
		['a list', '[]\n'],
		['something in braces', '{not json}'],
	])('What answers is not Ollama, but sends %s', async (_, said) => {
		const { error } = await outcomeOfAnswer(lines(said));
		expect(error).toMatchObject({
			reason: 'malformed',
			message: expect.stringContaining('sent no answer of a model'),
		});
		expect(error.message).not.toContain('<');
	});
});
