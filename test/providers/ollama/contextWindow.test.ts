import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ModelError } from '../../../src/models/modelError.ts';
import { ContextWindow, detailsIn, estimateMargin } from '../../../src/models/ollama/contextWindow.ts';
import { asking, eventsOf, type HttpAnswer, roomy, textOf } from '../loopback.ts';
import { chatsOf, contextsOf, fails, modelAt, ollamaServer, says, shown } from './loopbackOllama.ts';

test('The length of context to ask Ollama for holds the prompt with its margin and the answer, or is all that there is', () => {
	const tokens = fc.integer({ min: 1, max: 2_000_000 });
	fc.assert(
		fc.property(
			tokens,
			tokens,
			tokens,
			tokens,
			(promptTokens, maxOutputTokens, contextTokens, usedTokens) => {
				const window = new ContextWindow({ id: 'm', name: 'M', model: 'm', maxOutputTokens });
				window.details = detailsIn({
					model_info: { 'general.architecture': 'a', 'a.context_length': contextTokens },
				});
				window.use(usedTokens);
				if (promptTokens >= contextTokens) {
					expect(() => window.sizeFor(promptTokens)).toThrow(ModelError);
					return;
				}
				const size = window.sizeFor(promptTokens);
				expect(size).toBeLessThanOrEqual(contextTokens);
				const wanted = Math.max(usedTokens, promptTokens * estimateMargin + maxOutputTokens);
				expect(size).toBeGreaterThanOrEqual(Math.min(contextTokens, wanted));
			},
		),
	);
});

/** A text of about so many tokens. */
function words(tokens: number): string {
	return 'tree '.repeat(tokens);
}

const refused = fails(
	400,
	'the prompt is longer than the context length currently available to the model; shorten the prompt',
);

describe('How long a context a model of Ollama is asked for', () => {
	test('It grows with the conversation in steps, and never shrinks', async () => {
		await using ollama = await ollamaServer([says('Yes.')]);
		const model = modelAt(ollama);

		for (const tokens of [10, 1_000, 6_000, 7_000, 15_000, 10]) await eventsOf(model, asking(words(tokens)));

		expect(contextsOf(ollama)).toEqual([8_192, 8_192, 16_384, 16_384, 32_768, 32_768]);
	});

	test('It does not shrink when a short conversation ends after a long one has begun', async () => {
		const asked = Promise.withResolvers<void>();
		const allowed = Promise.withResolvers<void>();
		const slow: HttpAnswer = async (response, request) => {
			asked.resolve();
			await allowed.promise;
			await says('Yes.')(response, request);
		};
		await using ollama = await ollamaServer([slow, says('Yes.')]);
		const model = modelAt(ollama);

		const short = eventsOf(model, asking('Hello'));
		await asked.promise;
		await eventsOf(model, asking(words(6_000)));
		allowed.resolve();
		await short;
		await eventsOf(model, asking('Hello'));

		expect(contextsOf(ollama)).toEqual([8_192, 16_384, 16_384]);
	});

	test('It holds the tools as well', async () => {
		await using ollama = await ollamaServer([says('Yes.')]);
		const tools = [{ name: 'big', description: words(6_000), inputSchema: { type: 'object' } }];

		await eventsOf(modelAt(ollama), asking('Hello', { tools }));

		expect(contextsOf(ollama)).toEqual([16_384]);
	});

	test('It is never longer than the model takes, and the model says so', async () => {
		await using ollama = await ollamaServer([says('Yes.')], shown({ contextTokens: 10_000 }));
		const model = modelAt(ollama, { maxInputTokens: 32_768 });

		expect(model.maxInputTokens).toBe(32_768);
		await eventsOf(model, asking(words(8_000)));

		expect(contextsOf(ollama)).toEqual([10_000]);
		expect(model.maxInputTokens).toBe(10_000);
	});

	test.each([
		['holds from the start', 131_072, 64_000],
		['never goes above what the model takes', 40_960, 40_960],
	])('What the user has set %s', async (_, contextTokens, asked) => {
		await using ollama = await ollamaServer([says('Yes.')], shown({ contextTokens }));
		const model = modelAt(ollama, { contextTokens: 64_000 });

		await eventsOf(model, asking('Hello'));

		expect(contextsOf(ollama)).toEqual([asked]);
		expect(model.maxInputTokens).toBe(asked);
	});

	test('What its Modelfile has set is where it begins', async () => {
		const show = shown({
			parameters: 'stop    "<|im_end|>"\nnum_ctx                        24576\ntop_k  20',
		});
		await using ollama = await ollamaServer([says('Yes.')], show);
		const model = modelAt(ollama);

		await eventsOf(model, asking('Hello'));
		await eventsOf(model, asking(words(25_000)));

		expect(contextsOf(ollama)).toEqual([24_576, 65_536]);
	});

	test('Without a word of Ollama about the model it is asked all the same, and Ollama again with the next request', async () => {
		await using ollama = await ollamaServer([says('Yes.')], fails(500, 'broken'));
		const model = modelAt(ollama);

		await eventsOf(model, asking('Hello'));
		await eventsOf(model, asking(words(300_000)));

		expect(contextsOf(ollama)).toEqual([8_192, 524_288]);
		expect(ollama.at('/api/show')).toHaveLength(2);
	});

	test('A conversation that the model has no room for is not sent', async () => {
		await using ollama = await ollamaServer([says('Yes.')], shown({ contextTokens: 4_096 }));

		await expect(eventsOf(modelAt(ollama), asking(words(5_000)))).rejects.toMatchObject({
			reason: 'contextTooLong',
			message: expect.stringMatching(
				/^The conversation, of about 5,\d+ tokens, is too long for “qwen3:8b”, which takes 4,096\. Begin a new chat/,
			),
		});
		expect(chatsOf(ollama)).toEqual([]);
	});

	test('A prompt that is longer than it seemed is sent again with more room', async () => {
		await using ollama = await ollamaServer([refused, refused, says('Yes.')]);
		const model = modelAt(ollama);

		const events = await eventsOf(model, asking('Hello'));
		await eventsOf(model, asking('Hello'));

		expect(textOf(events)).toBe('Yes.');
		expect(contextsOf(ollama)).toEqual([8_192, 16_384, 32_768, 32_768]);
	});

	test('A prompt that is too long for all that the model takes is an error', async () => {
		const chat = [refused];
		await using ollama = await ollamaServer(chat, shown({ contextTokens: 20_000 }));

		await expect(eventsOf(modelAt(ollama), asking('Hello'))).rejects.toMatchObject({
			reason: 'contextTooLong',
			status: 400,
		});
		expect(contextsOf(ollama)).toEqual([8_192, 16_384, 20_000]);
	});

	test('An Ollama that says nothing of the model is not waited for', async () => {
		await using ollama = await ollamaServer([says('Yes.')], () => undefined);

		// The answer has as long: this is not how soon it comes, but that it comes.
		const limits = { ...roomy, firstByteMs: 2_000 };
		expect(textOf(await eventsOf(modelAt(ollama, {}, limits), asking('Hello')))).toBe('Yes.');
	});

	test('A length that the user has set is not exceeded for a prompt that is longer than it seemed', async () => {
		await using ollama = await ollamaServer([refused]);

		const answer = eventsOf(modelAt(ollama, { contextTokens: 16_384 }), asking('Hello'));

		await expect(answer).rejects.toMatchObject({ reason: 'contextTooLong' });
		expect(contextsOf(ollama)).toEqual([16_384]);
	});
});
