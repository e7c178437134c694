import { describe, expect, test } from 'vitest';
import { maxIdenticalCalls } from '../../../src/chat/modelCalls.ts';
import { maxRounds } from '../../../src/chat/toolLoop.ts';
import { type ChatMessage, userText } from '../../../src/discovery/catalog/message.ts';
import { errorResult, textResult } from '../../../src/discovery/catalog/tool.ts';
import { office, servers, sessionOf, surfaceOf, tool } from '../discovery/fixtures.ts';
import { asks, call, lastResults, lastTexts, ScriptedModel, says, turn } from './conversation.ts';

const findMessage = () => call('search_tools', { tool_names: ['send_message'] });
const sendMessage = (text = 'hi') => call('slack__send_message', { text });

describe('given a model that searches, calls and answers', () => {
	test('then its next request has the tool that it found, and nothing else changes', async () => {
		const model = new ScriptedModel([asks(findMessage()), asks(sendMessage()), says('Sent.')]);
		const { events, end } = await turn(model);

		expect(end).toMatchObject({ reason: 'answered' });
		expect(events.map(({ type }) => type)).toEqual([
			'searchStarted',
			'searchFinished',
			'activated',
			'toolStarted',
			'toolFinished',
			'text',
			'end',
		]);
		expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
			['search_tools'],
			['search_tools', 'slack__send_message'],
			['search_tools', 'slack__send_message'],
		]);
		expect(model.requests[1]?.tools[0]).toEqual(model.requests[0]?.tools[0]);
		expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
			'user',
			'assistant',
			'tool',
			'assistant',
			'tool',
		]);
	});

	test('then with discovery off each definition is estimated once, however often it is sent and measured', async () => {
		let read = 0;
		const toJSON = () => {
			read++;
			return { type: 'object' };
		};
		const tools = servers({ crm: [{ ...tool('crm', 'list', 'List'), inputSchema: { toJSON } }] });
		const session = sessionOf(tools, { enabled: false });
		const model = new ScriptedModel([asks(call('crm__list')), says('Done.')]);
		model.maxInputTokens = 100_000;
		const before = read;
		await turn(model, { session });
		expect(model.requests.map((request) => request.tools.length)).toEqual([1, 1]);
		expect(read - before).toBe(1);
	});

	test.each([
		['search, then call', () => [findMessage(), sendMessage()]],
		['call, then search', () => [sendMessage(), findMessage()]],
	])('when search and call come in one batch, in the order %s, then both work', async (_order, batch) => {
		const calls = batch();
		const model = new ScriptedModel([asks(...calls), says('Sent.')]);
		await turn(model);
		expect(lastResults(model).map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
		expect(lastTexts(model)).toContain('slack:send_message done');
		expect(lastResults(model).every(({ result }) => !result.isError)).toBe(true);
	});

	test('then its system prompt describes discovery while anything is deferred', async () => {
		const on = new ScriptedModel([says('Hello.')]);
		const off = new ScriptedModel([says('Hello.')]);
		await turn(on);
		await turn(off, { session: sessionOf(office, { enabled: false }) });
		expect(on.requests[0]?.system).toMatch(/^Be brief\.\n\n6 tools /);
		expect(off.requests[0]?.system).toBe('Be brief.');
		expect(off.requests[0]?.tools).toHaveLength(6);
	});
});

describe('a call that cannot run gets an error, and the loop goes on', () => {
	test.each([
		[
			'calendar__create_event',
			"Error: Tool 'calendar__create_event' is not yet loaded. Use the 'search_tools' tool to discover and load it first, then call it again.",
		],
		['xylophone', "Error: There is no tool 'xylophone'. Use the 'search_tools' tool to find one."],
		['', "Error: There is no tool ''. Use the 'search_tools' tool to find one."],
	])('with the name %j', async (name, text) => {
		const model = new ScriptedModel([asks(call(name)), says('Sorry.')]);
		const { events, end } = await turn(model);
		expect(end).toMatchObject({ reason: 'answered' });
		expect(lastTexts(model)).toEqual([text]);
		expect(lastResults(model)[0]?.result.isError).toBe(true);
		expect(events.map(({ type }) => type)).not.toContain('toolStarted');
	});
});

describe('the loop ends', () => {
	test('after 25 rounds', async () => {
		let round = 0;
		const model = new ScriptedModel([
			() => [{ type: 'toolCall', call: call('search_tools', { query: `try ${round++}` }) }],
		]);
		const { end } = await turn(model);
		expect(end).toMatchObject({ reason: 'roundLimit', rounds: 25 });
		expect(model.requests).toHaveLength(maxRounds);
	});

	test('after three identical calls, though their ids differ', async () => {
		const model = new ScriptedModel([
			() => [{ type: 'toolCall', call: call('search_tools', { query: 'again' }) }],
		]);
		const { end } = await turn(model);
		expect(end).toMatchObject({ reason: 'repeating', call: { input: { query: 'again' } } });
		expect(model.requests).toHaveLength(maxIdenticalCalls);
	});

	test('not for one search before each of five successful calls', async () => {
		const rounds = ['a', 'b', 'c', 'd', 'e'].flatMap((text) => [
			asks(findMessage()),
			asks(sendMessage(text)),
		]);
		const { end } = await turn(new ScriptedModel([...rounds, says('Sent all five.')]));
		expect(end).toMatchObject({ reason: 'answered' });
	});

	test('not while one call gets a different answer each time', async () => {
		const percents = ['20 %', '40 %', '60 %', '80 %', '90 %', '100 %'];
		const polls = Array.from({ length: 6 }, () => asks(sendMessage()));
		const { end } = await turn(new ScriptedModel([asks(findMessage()), ...polls, says('Done.')]), {
			runTool: async () => textResult(percents.shift() ?? ''),
		});
		expect(end).toMatchObject({ reason: 'answered' });
	});

	test.each([
		['two calls take turns', () => 'same', ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']],
		[
			'other calls only fail in between',
			(text: string) => (text === 'a' ? 'same' : undefined),
			['a', 'x', 'a', 'y', 'a', 'z'],
		],
	])('when %s', async (_which, answer, texts) => {
		const model = new ScriptedModel([
			asks(findMessage()),
			...texts.map((text) => asks(sendMessage(text))),
			says('Over.'),
		]);
		const { end } = await turn(model, {
			runTool: async (_tool, { input }) => {
				const text = answer(String(input.text));
				return text === undefined ? errorResult('No.') : textResult(text);
			},
		});
		expect(end).toMatchObject({ reason: 'repeating' });
	});

	test('before it sends more tools than the model accepts', async () => {
		const model = new ScriptedModel([says('Hello.')], 5);
		const { events, end } = await turn(model, { session: sessionOf(office, { enabled: false }) });
		expect(end).toMatchObject({ reason: 'tooManyTools', tools: 6, limit: 5 });
		expect(model.requests).toEqual([]);
		expect(events).toHaveLength(1);
	});

	test('with the model’s error, after the text that came before it', async () => {
		const broken = new Error('429');
		const model = new ScriptedModel([
			function* () {
				yield { type: 'text', text: 'I will' } as const;
				throw broken;
			},
		]);
		const { events, end } = await turn(model);
		expect(end).toEqual({ type: 'end', reason: 'failed', error: broken });
		expect(events[0]).toEqual({ type: 'text', text: 'I will' });
	});

	test('with the model’s error when it throws before streaming', async () => {
		const answer = () => {
			throw new Error('no key');
		};
		const { events } = await turn(Object.assign(new ScriptedModel([]), { answer }));
		expect(events).toEqual([{ type: 'end', reason: 'failed', error: new Error('no key') }]);
	});

	test('when the model says nothing', async () => {
		expect((await turn(new ScriptedModel([() => []]))).end).toMatchObject({ reason: 'answered' });
	});
});

test('text, names and results in any script stay unchanged', async () => {
	const session = sessionOf(servers({ 日本: ['天気 🌦'] }), { enabled: false });
	const [definition] = session.nextHead.tools;
	const asked = call(definition?.name ?? '', { 都市: '東京 🗼' });
	const model = new ScriptedModel([asks(asked), says('晴れ ☀️ \u202e')]);
	const { events } = await turn(model, {
		session,
		runTool: async (tool, { input }) => textResult(`${tool.name} ${JSON.stringify(input)}`),
	});
	expect(lastTexts(model)).toEqual(['天気 🌦 {"都市":"東京 🗼"}']);
	expect(events).toContainEqual({ type: 'text', text: '晴れ ☀️ \u202e' });
});

test('the cost of an answer uses the price of the model that gave it', async () => {
	const usage = { inputTokens: 1_000_000, outputTokens: 0 };
	const model = new ScriptedModel([
		() => [
			{ type: 'usage', usage },
			{ type: 'text', text: 'Done.' },
		],
	]);
	const session = sessionOf();
	await turn(Object.assign(model, { price: { input: 3, output: 15 } }), { session });
	expect(session.log.usage.cost).toMatchObject({ answers: 1, usd: 3 });
});

test('a server that appears between two turns is noted below earlier notes in the message', async () => {
	const session = sessionOf();
	const messages: ChatMessage[] = [{ role: 'user', text: 'Hello.' }];
	await turn(new ScriptedModel([says('Hello.')]), { session, messages });
	session.surface = surfaceOf([...office, ...servers({ mail: ['send_mail', 'read_mail'] })]);
	messages.push({ role: 'user', text: 'Continue', news: 'The window closed.' });
	await turn(new ScriptedModel([says('Well.')]), { session, messages });
	expect(messages.at(-2)).toEqual({
		role: 'user',
		text: 'Continue',
		news: 'The window closed.\n\nChanged since the server list was made:\n- New servers: mail (2 tools)',
	});
});

test('when an answer has only thoughts, then the model is asked to go on, even after servers changed', async () => {
	const session = sessionOf();
	const model = new ScriptedModel([
		() => {
			session.surface = surfaceOf([...office, ...servers({ mail: ['send_mail'] })]);
			return [{ type: 'thinking', text: 'Hm.' }];
		},
		says('Done.'),
	]);
	await turn(model, { session });
	const last = model.requests[1]?.messages.at(-1);
	if (last?.role !== 'user') throw new Error('the model was asked to go on');
	expect(userText(last)).toContain('only thoughts');
	expect(userText(last)).toContain('New servers: mail');
});
