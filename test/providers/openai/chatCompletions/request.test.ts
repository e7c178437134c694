import type { ChatCompletionCreateParams } from 'openai/resources';
import { expect, test } from 'vitest';
import { tool } from '../../conversation.ts';
import { answerOf, Loopback, whole } from '../../loopback.ts';
import { ask, chunk, events, modelAt } from './server.ts';

const hello = events([chunk({ content: 'hello' }, 'stop')]);
const refusal = whole(400, { error: { message: 'Unrecognized request argument supplied: stream_options' } });

test('a request names its model first, then its tools, then what grows', async () => {
	await using server = await Loopback.start(hello);

	await answerOf(
		modelAt(server.url, { maxOutputTokens: 100 }),
		ask({ system: 'Be brief.', tools: [tool('a')] }),
	);

	expect(server.received[0]?.body).toBe(
		JSON.stringify({
			model: 'gpt-4.1',
			tools: [
				{
					type: 'function',
					function: { name: 'a', description: 'Does a.', parameters: tool('a').inputSchema },
				},
			],
			messages: [
				{ role: 'system', content: 'Be brief.' },
				{ role: 'user', content: 'hi' },
			],
			max_tokens: 100,
			stream: true,
			stream_options: { include_usage: true },
		}),
	);
});

test('without tools or a limit of output, neither is named', async () => {
	await using server = await Loopback.start(hello);

	await answerOf(modelAt(server.url));

	expect(Object.keys(server.sent<ChatCompletionCreateParams>())).toEqual([
		'model',
		'messages',
		'stream',
		'stream_options',
	]);
});

test('a server that refuses to count is asked without, from the second request on at once', async () => {
	await using server = await Loopback.start(refusal, hello);
	const model = modelAt(server.url);

	const { events: came, error } = await answerOf(model);
	await answerOf(model);

	expect(error).toBeUndefined();
	expect(came).toEqual([{ type: 'text', text: 'hello' }]);
	expect(server.received.map(({ body }) => body.includes('stream_options'))).toEqual([true, false, false]);
});

test.each([
	['', 1],
	['stream_options is not supported', 2],
	["Unknown parameter: 'tools'", 1],
	['This model does not exist', 1],
])('a request that is refused with “%s” is sent %i times', async (message, times) => {
	await using server = await Loopback.start(whole(400, { error: { message } }));

	const settings = { maxOutputTokens: 100 };
	const request = ask({ mustCall: true, tools: [tool('a')] });
	const { error } = await answerOf(modelAt(server.url, settings), request);

	expect(error).toMatchObject({ reason: 'invalidRequest' });
	expect(server.received).toHaveLength(times);
});
