import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import { argumentCheck } from '../../../src/chat/runCall.ts';
import { loadingWay } from '../../../src/chat/toolLoop.ts';
import { Catalog } from '../../../src/discovery/catalog/catalog.ts';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../../src/discovery/catalog/toolSurface.ts';
import { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { callsOf, plainAnswer } from '../../../src/models/answerParts.ts';
import { ModelError } from '../../../src/models/modelError.ts';
import { ids, office, policyFor, sessionOf } from '../discovery/fixtures.ts';
import { asks, call, lastTexts, ScriptedModel, says, turn } from './conversation.ts';

const find = () => call('search_tools', { tool_names: ['send_message'] });

test.each([
	['auto', ['native', 'append'], 'native'],
	['append', ['native', 'append'], 'append'],
	['native', ['append', 'call'], 'append'],
	['call', ['append', 'call'], 'call'],
] as const)(
	'given the setting %s and a model that supports %j, the loading method is %s',
	(setting, loadings, expected) => {
		expect(loadingWay(setting, { loadings })).toBe(expected);
	},
);

test('results reach the model in the configured form, and the chat shows them unchanged', async () => {
	const model = new ScriptedModel([asks(call('slack__search', { query: 'a' })), says('Found.')]);
	const session = sessionOf(office, { enabled: false });
	const { events } = await turn(model, { session, resultFormat: 'function_args_result' });
	expect(lastTexts(model)).toEqual(['Result of slack__search({"query":"a"}):\nslack:search done']);
	expect(events.find(({ type }) => type === 'toolFinished')).toMatchObject({
		result: textResult('slack:search done'),
	});
});

test('when call_tool’s arguments cannot be checked, then the user is asked', async () => {
	const send = call('call_tool', { name: 'slack__send_message', arguments: {} });
	const model = new ScriptedModel([asks(find()), asks(send), says('Sent.')]);
	const concerns: unknown[] = [];
	await turn(model, {
		session: sessionOf(office, { loading: 'call' }),
		checkArguments: argumentCheck({
			validate: async () => ({ kind: 'unchecked', reason: 'checking took longer than 250 ms' }),
		}),
		runTool: async (_tool, _call, { concerns: its }) => {
			concerns.push(its);
			return textResult('sent');
		},
	});
	expect(concerns).toEqual([[{ kind: 'unchecked', reason: 'checking took longer than 250 ms' }]]);
});

test('repeating one call ends the turn, however call_tool’s arguments are written', async () => {
	const forms = [{ channel: 'a' }, '{"channel":"a"}', '{ "channel": "a" }'];
	const wrapped = forms.map((args) => asks(call('call_tool', { name: 'slack__search', arguments: args })));
	const model = new ScriptedModel([asks(call('search_tools', { tool_names: ['slack:search'] })), ...wrapped]);
	const { end } = await turn(model, { session: sessionOf(office, { loading: 'call' }) });
	expect(end).toMatchObject({
		reason: 'repeating',
		call: { name: 'slack__search', input: { channel: 'a' } },
		name: 'slack:search',
	});
});

test('each call counts as one use of its tool', async () => {
	const model = new ScriptedModel([
		asks(find()),
		asks(call('slack__send_message'), call('slack__send_message')),
		says('Sent.'),
	]);
	const session = sessionOf();
	await turn(model, { session });
	expect(session.log.entries.filter(({ kind }) => kind === 'use')).toHaveLength(2);
});

test('a call with truncated arguments gets an error and does not run', async () => {
	const cut = { ...call('slack__send_message'), fault: 'The arguments are not valid JSON.' };
	const model = new ScriptedModel([asks(find()), asks(cut), says('Again.')]);
	await turn(model);
	expect(lastTexts(model)).toEqual(['Error: The arguments are not valid JSON.']);
});

test('retries, dropped tools and usage are reported', async () => {
	const events: LoopEvent[] = [
		{ type: 'toolDropped', name: 'a__b', reason: 'Its schema is too large.' },
		{ type: 'retrying', afterMs: 1000, reason: 'It is overloaded.' },
		{ type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } },
	];
	const session = sessionOf();
	const said = { type: 'text', text: 'Done.' } as const;
	const scripted = new ScriptedModel([() => [...events, said] as never]);
	const told = await turn(scripted, { session });
	expect(told.events.slice(0, -1)).toEqual([...events, said]);
	expect(session.log.usage).toMatchObject({ measuredAnswers: 1, inputTokens: 10 });
});

describe('the conversation after a stop', () => {
	const begin = (): ChatMessage[] => [{ role: 'user', text: 'Do it.' }];

	test.each(['append', 'native', 'call'] as const)(
		'%s: has one result for each call, and nothing else is begun, at whatever event it was stopped',
		async (loading) => {
			const send = (n: number) =>
				loading === 'call'
					? call('call_tool', { name: 'slack__send_message', arguments: { n } })
					: call('slack__send_message', { n });
			for (let stopAt = 0, ended = false; !ended; stopAt++) {
				const messages = begin();
				const stop = new AbortController();
				const model = new ScriptedModel([asks(find(), send(1)), asks(send(2), send(3)), says('Sent.')]);
				let seen = 0;
				let requests: number | undefined;
				let begunTooLate = false;
				const { end } = await turn(model, {
					session: sessionOf(office, { loading }),
					messages,
					signal: stop.signal,
					runTool: async ({ id }, _call, { signal }) => {
						begunTooLate ||= signal.aborted;
						return textResult(`${id} done`);
					},
					onEvent: ({ type }) => {
						if (type === 'end' || seen++ !== stopAt) return;
						requests = model.requests.length;
						stop.abort();
					},
				});
				ended = !stop.signal.aborted;
				if (!ended) expect(['cancelled', 'answered']).toContain(end?.reason);
				expect([model.requests.length, begunTooLate]).toEqual([requests ?? 3, false]);
				const made = messages.flatMap((one) => (one.role === 'assistant' ? callsOf(one.parts) : []));
				const answered = messages.flatMap((one) => (one.role === 'tool' ? one.results : []));
				expect(answered.map(({ callId }) => callId)).toEqual(made.map(({ id }) => id));
			}
		},
	);

	test('keeps the text of a truncated answer, but not its incomplete call', async () => {
		const messages = begin();
		const cut = new ModelError('cut', 'The answer was cut.');
		const model = new ScriptedModel([
			function* () {
				yield { type: 'text', text: 'Let me' };
				yield { type: 'toolCall', call: find() };
				throw cut;
			},
		]);
		const { end } = await turn(model, { messages });
		expect(end).toEqual({ type: 'end', reason: 'failed', error: cut });
		expect(messages.slice(1)).toEqual([plainAnswer('Let me')]);
	});
});

describe('given a conversation that is too long for the model', () => {
	const big = async () => textResult('word '.repeat(4000));
	const read = () => call('slack__search', { query: `${Math.random()}` });
	const off = () => sessionOf(office, { enabled: false });

	test.each(['append', 'native'] as const)(
		'then it is trimmed to the limit that the provider named, however far beyond it was, with %s',
		async (loading) => {
			const tooLong = new ModelError('contextTooLong', 'too long', { limits: { contextTokens: 6_000 } });
			const rounds = Array.from({ length: 8 }, () => asks(read()));
			let failed = false;
			const model = new ScriptedModel([
				...rounds,
				function* () {
					if (!failed) {
						failed = true;
						// As a model of the configuration learns it.
						model.maxInputTokens = 6_000;
						throw tooLong;
					}
					yield { type: 'text', text: 'Done.' };
				},
			]);
			model.loadings = [loading];
			const { events, end } = await turn(model, { session: off(), runTool: big });
			expect(events.filter(({ type }) => type === 'trimmed')).not.toEqual([]);
			expect(end).toMatchObject({ reason: 'answered' });
			const last = model.requests.at(-1);
			const kept = last?.messages
				.filter(({ role }) => role === 'tool')
				.map((message) => JSON.stringify(message).length);
			// Of eight results all but the last, which is never trimmed, had to go.
			expect(kept?.filter((length) => length > 5_000)).toHaveLength(1);
		},
	);

	test('when there is nothing to trim, then the turn fails with the provider’s error', async () => {
		const tooLong = new ModelError('contextTooLong', 'too long');
		const model = new ScriptedModel([
			() => {
				throw tooLong;
			},
		]);
		expect((await turn(model)).end).toEqual({ type: 'end', reason: 'failed', error: tooLong });
		expect(model.requests.length).toBe(1);
	});

	test('when the model states its limit, then it is trimmed before it is sent', async () => {
		const model = new ScriptedModel([asks(read()), asks(read()), asks(read()), says('Done.')]);
		model.maxInputTokens = 9000;
		const { events } = await turn(model, { session: off(), runTool: big });
		expect(events.filter(({ type }) => type === 'trimmed').length).toBeGreaterThan(0);
	});
});

const clear = 'Send a message to the Slack channel #general, please';
const user = (text: string): ChatMessage => ({ role: 'user', text });
const toolsOf = (model: ScriptedModel) => model.requests.map(({ tools }) => tools.map(({ name }) => name));

/** Answers without a call. */
const sent = () => new ScriptedModel([says('Sent.')]);

describe('the first message of a chat', () => {
	test('loads the tool that it clearly asks for, so the model needs no search', async () => {
		const session = sessionOf();
		const model = new ScriptedModel([
			asks(call('slack__send_message', { channel: 'general' })),
			says('Sent.'),
		]);
		const { events, end } = await turn(model, { session, messages: [user(clear)] });
		expect(events.map(({ type }) => type)).toEqual([
			'prefetched',
			'toolStarted',
			'toolFinished',
			'text',
			'end',
		]);
		expect(events[0]).toMatchObject({ reason: 'prefetch', tools: [{ id: 'slack:send_message' }] });
		expect(toolsOf(model)[0]).toEqual(['search_tools', 'slack__send_message']);
		expect(end).toMatchObject({ reason: 'answered' });
		expect(session.activations).toMatchObject([
			{ wireName: 'slack__send_message', reason: 'prefetch', words: clear },
		]);
	});

	test('loads nothing when the tool is already loaded', async () => {
		const session = sessionOf();
		session.load(session.surface.deferred.slice(0, 1));
		const { events } = await turn(sent(), { session, messages: [user(clear)] });
		expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
		expect(session.activations).toMatchObject([{ reason: 'user' }]);
	});
});

test.each(['append', 'native', 'call'] as const)(
	'%s: a preloaded tool is in the first request, and later messages keep the request head',
	async (loading) => {
		const session = sessionOf(office, { loading });
		const model = sent();
		const messages = [user(clear)];
		await turn(model, { session, messages });
		messages.push(user('Delete the event from the calendar'));
		await turn(model, { session, messages });
		const [before, after] = toolsOf(model);
		expect(before?.at(-1)).toBe('slack__send_message');
		expect(after).toEqual(before);
	},
);

test('a tool named later in a chat is appended to the tool list', async () => {
	const session = sessionOf(office, { loading: 'append' });
	const model = sent();
	const messages = [user('Hello!')];
	await turn(model, { session, messages });
	messages.push(user('use slack:search now'));
	const { events } = await turn(model, { session, messages });
	expect(events[0]).toMatchObject({ type: 'prefetched', reason: 'reference' });
	expect(toolsOf(model).at(-1)).toEqual(['search_tools', 'slack__search']);
	expect(session.activations).toMatchObject([{ reason: 'reference' }]);
});

describe('the cap on loaded tools', () => {
	test('includes preloaded tools, and no search of the turn evicts them', async () => {
		const session = sessionOf(office, { maxActiveSchemas: 1 });
		const model = new ScriptedModel([
			asks(call('search_tools', { tool_names: ['slack:search'] })),
			says('No.'),
		]);
		await turn(model, { session, messages: [user(clear)] });
		expect(ids(session.activated)).toEqual(['slack:send_message']);
	});

	test('evicts older tools for preloaded ones, and reports them', async () => {
		const session = sessionOf(office, { maxActiveSchemas: 1 });
		session.load(session.surface.deferred.filter(({ id }) => id === 'calendar:search'));
		const { events } = await turn(sent(), { session, messages: [user(clear)] });
		expect(events.slice(0, 2)).toMatchObject([
			{ type: 'prefetched', tools: [{ id: 'slack:send_message' }] },
			{ type: 'evicted', names: ['calendar:search'] },
		]);
		expect(ids(session.activated)).toEqual(['slack:send_message']);
	});
});

describe('given a search index', () => {
	const indexedWith = (pause: () => Promise<void>) =>
		new DiscoverySession(new ToolSurface(new Catalog(office, 1), policyFor(office), undefined, { pause }));

	test('when it fails, then the turn goes on without prefetching', async () => {
		const session = indexedWith(() => Promise.reject(new Error('The index broke.')));
		const model = sent();
		const { events } = await turn(model, { session, messages: [user(clear)] });
		expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
		expect(toolsOf(model)).toEqual([['search_tools']]);
	});

	test('when it is never ready, then a stop by the user ends the wait', async () => {
		const stop = new AbortController();
		const session = indexedWith(() => {
			stop.abort();
			return new Promise(() => undefined);
		});
		const model = sent();
		const { end } = await turn(model, { session, messages: [user(clear)], signal: stop.signal });
		expect(end).toMatchObject({ reason: 'cancelled' });
		expect(model.requests).toEqual([]);
	});
});
