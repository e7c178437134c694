import { expect, test } from 'vitest';
import { callsOf } from '../../../../src/models/answerParts.ts';
import { givenCalls } from '../../asGiven.ts';
import { answerOf, type HttpAnswer, Loopback, textOf, whole } from '../../loopback.ts';
import { chunk, event, events, modelAt } from './server.ts';

const callPiece = (piece: object) => chunk({ tool_calls: [{ index: 0, ...piece }] });

/** What a model says where the server answers so. */
async function said(answer: HttpAnswer) {
	await using server = await Loopback.start(answer);
	return await answerOf(modelAt(server.url));
}

test('what comes byte by byte is read as if it came at once', async () => {
	const bytes = Buffer.from(`${event(chunk({ content: 'grüße 🙂' }))}data: [DONE]\n\n`);

	const { events: came, error } = await said(async (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
		for (const byte of bytes) {
			response.write(Buffer.of(byte));
			await new Promise(setImmediate);
		}
		response.end();
	});

	expect(error).toBeUndefined();
	expect(textOf(came)).toBe('grüße 🙂');
});

test('a model that speaks of the mark of the end has not ended', async () => {
	const { error } = await said(events([chunk({ content: '\ndata: [DONE]\n\n' })], ''));

	expect(error).toMatchObject({ reason: 'cut' });
});

test('a refusal is shown, and what the model thought is no part of it', async () => {
	const { events: came } = await said(
		events([
			chunk({ reasoning_content: 'hm', reasoning: 'hm', content: null }),
			chunk({ refusal: 'I will not.' }, 'stop'),
		]),
	);

	expect(came).toEqual([
		{ type: 'thinking', text: 'hm' },
		{ type: 'text', text: 'I will not.' },
	]);
});

test('text in parts is text', async () => {
	const content = [
		{ type: 'thinking', thinking: [] },
		{ type: 'text', text: 'Good day.' },
	];

	const { events: came } = await said(events([chunk({ content }, 'stop')]));

	expect(textOf(came)).toBe('Good day.');
});

test.each<[string, (object | string)[]]>([
	['comments that keep the line open', [': OPENROUTER PROCESSING\n\n', ': OPENROUTER PROCESSING\n\n']],
	['chunks without a choice', [{ choices: [] }, { prompt_filter_results: [] }, { choices: null }]],
	[
		'chunks of nothing',
		['data: null\n\n', 'data: 1\n\n', { choices: [null, 1] }, { choices: [{ delta: null }] }],
	],
	['lines that end as in Windows', ['data: {"choices":[]}\r\n\r\n']],
])('%s do no harm', async (_, between) => {
	const { events: came, error } = await said(
		events([chunk({ content: 'a' }), ...between, chunk({ content: 'b' }), ...between, chunk({}, 'stop')]),
	);

	expect(error).toBeUndefined();
	expect(textOf(came)).toBe('ab');
});

const usage = { prompt_tokens: 12, completion_tokens: 3 };

test.each<[string, object[]]>([
	['in a chunk of its own', [chunk({}, 'stop'), { choices: [], usage }]],
	['with the reason of the end', [chunk({}, 'stop', { usage })]],
	['in `x_groq`', [chunk({}, 'stop'), { choices: [], x_groq: { usage } }]],
	['in the choice, as Moonshot has it', [chunk({}, 'stop'), { choices: [{ index: 0, delta: {}, usage }] }]],
	[
		'in every chunk, growing',
		[
			chunk({}, null, { usage: { ...usage, completion_tokens: 1 } }),
			chunk({}, 'stop', { usage }),
			{ choices: [], usage: null },
		],
	],
])('usage is told once, as it came %s', async (_, chunks) => {
	const { events: came } = await said(events([chunk({ content: 'a' }), ...chunks]));

	expect(came.slice(1)).toEqual([{ type: 'usage', usage: { inputTokens: 12, outputTokens: 3 } }]);
});

test.each<[string, object, object]>([
	[
		'OpenAI tells what came from its cache',
		{ ...usage, prompt_tokens_details: { cached_tokens: 8 } },
		{ inputTokens: 12, outputTokens: 3, cachedInputTokens: 8 },
	],
	[
		'Moonshot does',
		{ ...usage, cached_tokens: 8 },
		{ inputTokens: 12, outputTokens: 3, cachedInputTokens: 8 },
	],
	[
		// https://openrouter.ai/docs/use-cases/usage-accounting
		'OpenRouter tells what it has charged',
		{
			completion_tokens: 20,
			completion_tokens_details: { reasoning_tokens: 15 },
			cost: 0.95,
			cost_details: { upstream_inference_cost: 0.95 },
			is_byok: false,
			prompt_tokens: 194,
			prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 100 },
			total_tokens: 214,
		},
		{
			inputTokens: 194,
			outputTokens: 20,
			cachedInputTokens: 50,
			cacheWriteTokens: 100,
			thoughtTokens: 15,
			usd: 0.95,
		},
	],
	[
		'OpenRouter charges a fee beside what the user’s own key pays',
		{
			prompt_tokens: 194,
			completion_tokens: 2,
			cost: 0.05,
			cost_details: { upstream_inference_cost: 1 },
			is_byok: true,
		},
		{ inputTokens: 194, outputTokens: 2, usd: 1.05 },
	],
	[
		// https://api-docs.deepseek.com/guides/kv_cache
		'DeepSeek calls the cache otherwise',
		{
			prompt_tokens: 100,
			completion_tokens: 2,
			prompt_cache_hit_tokens: 64,
			prompt_cache_miss_tokens: 36,
			total_tokens: 102,
		},
		{ inputTokens: 100, outputTokens: 2, cachedInputTokens: 64 },
	],
	[
		// https://github.com/mozilla-ai/any-llm/issues/1290: what Gemini thinks is in its total alone, and paid as output.
		'Gemini counts what it thought in the total only',
		{ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 },
		{ inputTokens: 20, outputTokens: 603, thoughtTokens: 405 },
	],
	[
		// https://docs.x.ai/developers/rate-limits: tokens of reasoning are charged at the price of completion tokens.
		'Grok names what it thought, beside the answer',
		{
			prompt_tokens: 20,
			completion_tokens: 50,
			total_tokens: 370,
			completion_tokens_details: { reasoning_tokens: 300 },
		},
		{ inputTokens: 20, outputTokens: 350, thoughtTokens: 300 },
	],
	[
		'a server says nonsense of it',
		{ prompt_tokens: 20, completion_tokens: 5, cost: '1', total_tokens: -4, completion_tokens_details: [] },
		{ inputTokens: 20, outputTokens: 5 },
	],
])('tokens and cost are read where %s', async (_, usage, read) => {
	const { events: came } = await said(events([chunk({ content: 'a' }, 'stop'), { choices: [], usage }]));

	expect(came.at(-1)).toEqual({ type: 'usage', usage: read });
});

test.each([undefined, null, {}, { prompt_tokens: 0, completion_tokens: 0 }])(
	'a server that has not counted (%j) is not made to have',
	async (usage) => {
		const { events: came } = await said(events([chunk({ content: 'a' }, 'stop', { usage })]));

		expect(came).toEqual([{ type: 'text', text: 'a' }]);
	},
);

test.each([
	['without [DONE]', [chunk({ content: 'a' }, 'stop')], ''],
	['without a reason', [chunk({ content: 'a' })], 'data: [DONE]\n\n'],
	['without the last empty line', [chunk({ content: 'a' })], 'data: [DONE]'],
])('an answer is complete %s', async (_, chunks, end) => {
	const { events: came, error } = await said(events(chunks, end));

	expect(error).toBeUndefined();
	expect(textOf(came)).toBe('a');
});

test('a connection that breaks when all is said does not matter', async () => {
	const { parts, error } = await said(async (response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(event(callPiece({ id: 'c1', function: { name: 'files__list', arguments: '{}' } })));
		await new Promise((written) => response.write(event(chunk({}, 'tool_calls')), written));
		response.destroy();
	});

	expect(error).toBeUndefined();
	expect(callsOf(parts)).toHaveLength(1);
});

test('a server that does not stream is understood as well', async () => {
	const message = {
		role: 'assistant',
		content: 'Reading.',
		tool_calls: [{ id: 'c1', type: 'function', function: { name: 'files__list', arguments: '{}' } }],
	};
	const usage = { prompt_tokens: 12, completion_tokens: 3 };

	const { events: came, parts } = await said(
		whole(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }),
	);

	expect(givenCalls(parts)).toEqual([{ id: 'c1', name: 'files__list', input: {} }]);
	expect(came).toEqual([
		{ type: 'text', text: 'Reading.' },
		{ type: 'usage', usage: { inputTokens: 12, outputTokens: 3 } },
	]);
});

// https://platform.openai.com/docs/api-reference/chat-streaming/streaming, `delta.function_call`, “Deprecated and replaced by `tool_calls`”.
test.each<[string, HttpAnswer]>([
	[
		'in pieces',
		events([
			chunk({ role: 'assistant', function_call: { name: 'files__read', arguments: '' } }),
			chunk({ function_call: { arguments: '{"path"' } }),
			chunk({ function_call: { arguments: ':"a.md"}' } }),
			chunk({}, 'function_call'),
		]),
	],
	[
		'whole',
		whole(200, {
			choices: [
				{
					message: { content: null, function_call: { name: 'files__read', arguments: '{"path":"a.md"}' } },
					finish_reason: 'function_call',
				},
			],
		}),
	],
])('a call as older servers make it is a call, %s', async (_, answer) => {
	const { parts, error } = await said(answer);

	expect(error).toBeUndefined();
	expect(callsOf(parts)).toEqual([{ id: expect.any(String), name: 'files__read', input: { path: 'a.md' } }]);
});
