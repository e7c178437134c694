import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../src/models/chatModel.ts';
import { answered, asking, done, LoopbackOllama, lines, modelAt, piece } from './loopbackOllama.ts';

/** The calls of an answer whose message has these `tool_calls`. */
async function callsOf(toolCalls: unknown, before: readonly ToolCall[] = []): Promise<ToolCall[]> {
	await using ollama = await LoopbackOllama.start({
		chat: [lines(piece({ tool_calls: toolCalls }), done())],
	});
	const request = asking('Look.');
	const messages = [...request.messages, { role: 'assistant' as const, text: '', toolCalls: before }];
	const events = await answered(modelAt(ollama.url), { ...request, messages });
	return events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
}

function call(given: unknown, id?: unknown): object {
	return { id, function: { index: 0, name: 'web__get', arguments: given } };
}

describe('The calls that a model of Ollama makes', () => {
	test('An id that Ollama gives is kept', async () => {
		expect(await callsOf([call({ url: 'x' }, 'call_abc')])).toEqual([
			{ id: 'call_abc', name: 'web__get', input: { url: 'x' } },
		]);
	});

	test('Calls without an id, or with one that the conversation has already, get one of their own', async () => {
		const before = [{ id: 'call_0', name: 'web__get', input: {} }];

		const calls = await callsOf(
			[call({}), call({}, ''), call({}, 7), call({}, 'call_0'), call({}, 'call_0')],
			before,
		);

		expect(new Set([...before, ...calls].map(({ id }) => id)).size).toBe(6);
	});

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
