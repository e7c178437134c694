import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../src/discovery/catalog/message.ts';
import { givenCalls } from '../asGiven.ts';
import { answerOf, asking } from '../loopback.ts';
import { done, lines, modelAt, ollamaServer, piece } from './loopbackOllama.ts';

test.each([1, 2, 3, 7, 100])('an answer in pieces of %i bytes is the same', async (bytes) => {
	const said = `{"message":{"content":"häß"}}\r\n\n  \n{"message":{"content":"🌧️"}}\n{"done":true}`;
	const whole = new TextEncoder().encode(said);
	await using ollama = await ollamaServer([
		async (response) => {
			for (let at = 0; at < whole.length; at += bytes) {
				response.write(whole.subarray(at, at + bytes));
				await new Promise(setImmediate);
			}
			response.end();
		},
	]);
	const { parts, error } = await answerOf(modelAt(ollama), asking('Look.'));
	expect(error).toBeUndefined();
	expect(parts).toEqual([{ type: 'text', text: 'häß🌧️' }]);
});

/** The calls of an answer whose message has these `tool_calls`. */
async function callsOf(toolCalls: unknown): Promise<ToolCall[]> {
	await using ollama = await ollamaServer([lines(piece({ tool_calls: toolCalls }), done())]);
	return givenCalls((await answerOf(modelAt(ollama), asking('Look.'))).parts);
}

function call(given: unknown, id?: unknown): object {
	return { id, function: { index: 0, name: 'web__get', arguments: given } };
}

describe('The calls that a model of Ollama makes', () => {
	test('Arguments that come as text are read', async () => {
		const [made] = await callsOf([call('{"url":"x"}')]);
		expect(made?.input).toEqual({ url: 'x' });
	});

	test('A call without arguments has none', async () => {
		const [made] = await callsOf([{ function: { name: 'web__get' } }]);
		expect(made).toMatchObject({ name: 'web__get', input: {} });
		expect(made).not.toHaveProperty('fault');
	});

	test.each([['"x"'], ['{"url":'], [['x']], [7]])(
		'Arguments such as %j are a fault of the call',
		async (given) => {
			const [made] = await callsOf([call(given)]);
			expect(made).toMatchObject({ input: {}, fault: expect.stringContaining('The arguments are not') });
		},
	);

	test('What is not a call at all is passed over', async () => {
		expect(await callsOf(['web__get', null, [], call({})])).toHaveLength(1);
		expect(await callsOf({ web__get: {} })).toEqual([]);
	});
});
