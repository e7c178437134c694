import { expect, test } from 'vitest';
import { abortable } from '../../../src/discovery/cancellation.ts';
import { declinedResult, textResult } from '../../../src/discovery/toolResult.ts';
import { servers, sessionOf } from '../discovery/fixtures.ts';
import { lastResults, lastTexts, turn } from './conversation.ts';
import { asks, call, ScriptedModel, says } from './scriptedModel.ts';

const five = ['a', 'b', 'c', 'd', 'e'];
const session = () => sessionOf(servers({ s: five }), { enabled: false });
const calls = () => five.map((name) => call(`s__${name}`));

test('of five calls at once one fails, one is declined and one is of no tool: one message, one result for each, in order', async () => {
	const made = calls();
	const asked = [...made.slice(0, 4), call('s__nothing'), ...made.slice(4)];
	const model = new ScriptedModel([asks(...asked), says('Done.')]);
	let waiting = 0;
	const { end } = await turn(model, {
		session: session(),
		runTool: async (tool) => {
			// They end in another order than that of the calls.
			await new Promise((resolve) => setTimeout(resolve, 5 * (five.length - waiting++)));
			if (tool.name === 'b') throw new Error('the disk is full');
			return tool.name === 'd' ? declinedResult(tool.id) : textResult(tool.name);
		},
	});
	expect(end).toMatchObject({ reason: 'answered' });
	expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
	expect(lastResults(model).map(({ callId }) => callId)).toEqual(asked.map(({ id }) => id));
	expect(lastTexts(model)).toEqual([
		'a',
		'Error: the disk is full',
		'c',
		'The user declined to run s:d.',
		expect.stringMatching(/^Error: /),
		'e',
	]);
});

test('a stop in the middle: what had ended keeps its result, every other call has one, and nothing runs again in the next turn', async () => {
	const stop = new AbortController();
	const messages = [{ role: 'user' as const, text: 'Do it.' }];
	const ran: string[] = [];
	const chat = { session: session(), messages };
	const first = new ScriptedModel([asks(...calls()), says('unreachable')]);
	const { end } = await turn(first, {
		...chat,
		signal: stop.signal,
		runTool: async ({ name }, _call, signal) => {
			ran.push(name);
			if (name === 'c') setTimeout(() => stop.abort(), 5);
			if (name === 'a' || name === 'b') return textResult(name);
			return abortable(new Promise<never>(() => {}), signal);
		},
	});
	expect(end).toMatchObject({ reason: 'cancelled' });
	const next = new ScriptedModel([says('Two of five are done.')]);
	await turn(next, {
		...chat,
		runTool: async ({ name }) => {
			ran.push(name);
			return textResult(name);
		},
	});
	expect(ran.sort()).toEqual(five);
	expect(lastResults(next)).toHaveLength(5);
	expect(lastTexts(next).map((text) => text.slice(0, 24))).toEqual([
		'a',
		'b',
		...Array(3).fill('Error: The user stopped '),
	]);
});

test('what a server hides in a result or in an error does not reach the model', async () => {
	const model = new ScriptedModel([asks(call('s__a'), call('s__b')), says('Done.')]);
	await turn(model, {
		session: session(),
		runTool: async ({ name }) => {
			const text = `⚠️ plain\u{e0069}\u{e0067}\u202e \u001b[31mred\u001b[0m\u200b\n\ttext`;
			if (name === 'b') throw new Error(text);
			return textResult(text);
		},
	});
	expect(lastTexts(model)).toEqual(['⚠️ plain red\n\ttext', 'Error: ⚠️ plain red\n\ttext']);
});
