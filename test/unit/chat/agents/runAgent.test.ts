import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../../src/chat/agents/agent.ts';
import { agentRounds, agentRuns, runAgentTool } from '../../../../src/chat/agents/runAgent.ts';
import type { CallConcern } from '../../../../src/chat/callConcern.ts';
import type { LoopEvent } from '../../../../src/chat/loopEvent.ts';
import { ReadTexts } from '../../../../src/chat/results/readTexts.ts';
import { resultText, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { office, sessionOf } from '../../discovery/fixtures.ts';
import {
	asks,
	call,
	lastResults,
	lastTexts,
	type Round,
	ScriptedModel,
	says,
	turn,
} from '../conversation.ts';
import { agent, asked, players, requestsOf } from './agents.ts';

const find = (...names: string[]) => call('search_tools', { tool_names: names });
const give = (name: string, task = 'Do your part.') => call('run_agent', { agent: name, task });

function hosted(...agents: readonly Agent[]) {
	const tool = runAgentTool(agents);
	return tool ? [tool] : [];
}

function ofType<T extends LoopEvent['type']>(events: readonly LoopEvent[], type: T) {
	return events.filter((event): event is LoopEvent & { type: T } => event.type === type);
}

describe('an agent', () => {
	test('searches, loads, calls and answers in its own loop, with its own messages', async () => {
		const model = new ScriptedModel([
			asks(give('clerk', 'Now, please.')),
			asks(find('send_message')),
			asks(call('slack__send_message', { channel: 'a', text: 'b' })),
			says('They know.'),
			says('Done.'),
		]);
		const session = sessionOf();
		const { events, end } = await turn(model, { session, hosted: hosted(agent('clerk')) });

		expect(end).toMatchObject({ reason: 'answered' });
		expect(model.requests.map(asked)).toEqual(['chat', 'clerk', 'clerk', 'clerk', 'chat']);
		expect(requestsOf(model, 'clerk')[0]?.messages).toEqual([{ role: 'user', text: 'Now, please.' }]);
		expect(lastTexts(model)).toEqual(['They know.']);
		const inside = ofType(events, 'agentEvent').map(({ event }) => event.type);
		expect(inside).toEqual([
			...['searchStarted', 'searchFinished', 'activated', 'toolStarted', 'toolFinished', 'text', 'end'],
		]);
		expect(ofType(events, 'agentFinished')).toMatchObject([
			{ agent: 'clerk', report: { text: 'They know.', calls: 1, loaded: ['slack:send_message'] } },
		]);
	});

	test('is named to the tool runner for each call, and hands over its messages', async () => {
		const model = new ScriptedModel([
			asks(call('slack__send_message', { channel: 'a', text: 'b' }), give('clerk')),
			asks(call('slack__send_message', { channel: 'a', text: 'c' })),
			says('Done.'),
			says('Done.'),
		]);
		const session = sessionOf();
		session.load(session.surface.tools.filter(({ server }) => server === 'slack'));
		const askers: (string | undefined)[] = [];
		const { events } = await turn(model, {
			session,
			hosted: hosted(agent('clerk')),
			runTool: async (_tool, { input }, { agent: by }) => {
				askers.push(`${by}: ${input.text}`);
				return textResult('sent');
			},
		});
		expect(askers.sort()).toEqual(['clerk: c', 'undefined: b']);
		expect(ofType(events, 'agentFinished')).toHaveLength(1);
		const entry = session.log.entries.find(({ kind }) => kind === 'agent');
		expect(entry?.kind === 'agent' && entry.messages.map(({ role }) => role)).toEqual([
			'user',
			'assistant',
			'tool',
			'assistant',
		]);
	});

	test('reports data flow between servers, whether the chat or the agent saw the text', async () => {
		const told = 'The alarm of the house goes off with the code 4711, ask Ada.';
		const session = sessionOf();
		session.load(session.surface.tools);
		const flows: (readonly CallConcern[])[] = [];
		const model = new ScriptedModel([
			asks(call('calendar__create_event')),
			asks(give('clerk')),
			asks(call('slack__send_message', { channel: 'a', text: told })),
			says('Sent.'),
			says('Done.'),
		]);
		await turn(model, {
			session,
			hosted: hosted(agent('clerk')),
			reads: { texts: new ReadTexts(), chat: 'a' },
			runTool: async (_tool, _call, { concerns: its }) => {
				flows.push(its);
				return textResult(told);
			},
		});
		expect(flows).toMatchObject([[], [{ server: 'calendar' }]]);
	});

	test('does not change what its caller has loaded, or the order of use', async () => {
		const session = sessionOf();
		session.load(session.surface.tools.filter(({ server }) => server === 'calendar'));
		const before = structuredClone(session.activations);
		const model = new ScriptedModel([
			asks(give('clerk')),
			asks(call('calendar__create_event'), find('send_message')),
			says('Done.'),
		]);
		await turn(model, { session, hosted: hosted(agent('clerk')) });
		expect(session.activations).toEqual(before);
	});

	test('starts with a copy of its caller’s loaded tools, or with none loaded', async () => {
		const session = sessionOf();
		session.load(session.surface.tools.filter(({ name }) => name === 'create_event'));
		const model = players({
			chat: [asks(give('heir'), give('fresh')), says('Done.')],
			heir: [says('Here.')],
			fresh: [says('Here.')],
		});
		await turn(model, { session, hosted: hosted(agent('heir'), agent('fresh', { inheritsActive: false })) });
		const tools = (who: string) => requestsOf(model, who)[0]?.tools.map(({ name }) => name);
		expect(tools('heir')).toEqual(['search_tools', 'run_agent', 'calendar__create_event']);
		expect(tools('fresh')).toEqual(['search_tools', 'run_agent']);
	});

	test('reads large results with its caller’s read_result tool', async () => {
		const readOn = {
			definition: { name: 'read_result', description: 'Reads on.', inputSchema: {} },
			run: async () => ({ result: textResult('page 2') }),
		};
		const model = players({
			chat: [asks(give('clerk')), says('Done.')],
			clerk: [
				asks(find('create_event')),
				asks(call('calendar__create_event')),
				asks(call('read_result')),
				says('Read.'),
			],
		});
		await turn(model, {
			hosted: [...hosted(agent('clerk')), readOn],
			runTool: async () => textResult('all of it'),
			fitResult: async () => textResult('its beginning'),
		});
		const told = requestsOf(model, 'clerk')
			.map(({ messages }) => messages.at(-1))
			.flatMap((message) => (message?.role === 'tool' ? message.results : []));
		expect(told.slice(1).map(({ result }) => resultText(result))).toEqual(['its beginning', 'page 2']);
		const tools = requestsOf(model, 'clerk')[0]?.tools.map(({ name }) => name);
		expect(tools).toEqual(['search_tools', 'run_agent', 'read_result']);
	});

	test('sees only the tools on its list, even among inherited ones', async () => {
		const session = sessionOf();
		session.load(session.surface.tools.filter(({ name }) => name === 'create_event'));
		const model = new ScriptedModel([
			asks(give('clerk')),
			asks(find('delete_event'), call('calendar__create_event'), call('run_agent')),
			says('It cannot be done.'),
			says('Done.'),
		]);
		await turn(model, { session, hosted: hosted(agent('clerk', { tools: ['slack/*'] })) });
		const [first, second] = requestsOf(model, 'clerk');
		expect(first?.tools.map(({ name }) => name)).toEqual(['search_tools']);
		expect(JSON.stringify(first)).not.toMatch(/_event|calendar \(/);
		const answers = second?.messages.at(-1);
		const texts = answers?.role === 'tool' ? answers.results.map(({ result }) => resultText(result)) : [];
		expect(texts[0]).not.toContain('no longer available');
		expect(texts[1]).toMatch(/no tool 'calendar__create_event'/);
		expect(texts[2]).toMatch(/no tool 'run_agent'/);
	});

	test('adds its usage to its caller’s and is one timeline entry', async () => {
		const usage = { type: 'usage', usage: { inputTokens: 100, outputTokens: 10 } } as const;
		const counted =
			(round: Round): Round =>
			(request, signal) => [usage, ...(round(request, signal) as Iterable<never>)];
		const model = new ScriptedModel(
			[asks(give('clerk')), asks(call('slack__search')), says('Found.'), says('Done.')].map(counted),
		);
		const session = sessionOf();
		session.load(session.surface.tools.filter(({ id }) => id === 'slack:search'));
		const { events } = await turn(model, { session, hosted: hosted(agent('clerk')) });
		expect(session.log.usage).toMatchObject({
			measuredAnswers: 4,
			inputTokens: 400,
			outputTokens: 40,
			requests: 4,
		});
		expect(session.log.usage.calls).toMatchObject([{ server: 'slack', tool: 'search', calls: 1 }]);
		const after = session.log.timeline.slice(session.log.timeline.findIndex(({ kind }) => kind === 'turn'));
		expect(after.map(({ kind }) => kind)).toEqual(['turn', 'request', 'agent', 'request']);
		expect(after[2]).toMatchObject({ agent: 'clerk', task: 'Do your part.', calls: 1, failed: false });
		expect(ofType(events, 'agentFinished')[0]?.report.tokens).toBe(220);
	});
});

describe('given several agents', () => {
	test('when they are called at once, then they run in parallel and each call gets its own result', async () => {
		let arrived = 0;
		let meet = () => {};
		const met = new Promise<void>((resolve) => {
			meet = resolve;
		});
		const waits = (text: string): Round =>
			async function* () {
				arrived++;
				if (arrived === 2) meet();
				await met;
				yield { type: 'text', text } as const;
			};
		const model = players({
			chat: [asks(give('one'), give('two')), says('Done.')],
			one: [waits('One.')],
			two: [waits('Two.')],
		});
		await turn(model, { hosted: hosted(agent('one'), agent('two')) });
		expect(lastTexts(model)).toEqual(['One.', 'Two.']);
	});

	test('when they call each other, then the depth is bounded', async () => {
		const model = players({
			chat: [asks(give('one')), says('Done.')],
			one: [asks(give('two')), says('One.')],
			two: [asks(give('one')), says('Two.')],
		});
		const { events } = await turn(model, { hosted: hosted(agent('one'), agent('two')) });
		const names = (who: string) => requestsOf(model, who)[0]?.tools.map(({ name }) => name);
		expect(names('one')).toContain('run_agent');
		expect(names('two')).not.toContain('run_agent');
		expect(model.requests.map(asked)).toEqual(['chat', 'one', 'two', 'two', 'one', 'chat']);
		const [inner] = ofType(
			ofType(events, 'agentEvent').map(({ event }) => event),
			'agentFinished',
		);
		expect(inner).toMatchObject({ agent: 'two', report: { text: 'Two.' } });
	});

	test('when a restricted agent calls another one, then that one is restricted, too', async () => {
		const model = players({
			chat: [asks(give('one')), says('Done.')],
			one: [asks(give('two')), says('One.')],
			two: [says('Two.')],
		});
		await turn(model, { hosted: hosted(agent('one', { tools: ['slack/*', 'agent'] }), agent('two')) });
		expect(JSON.stringify(requestsOf(model, 'two')[0]?.tools)).not.toMatch(/_event|calendar \(/);
	});

	test('when there are too many in one turn, then the rest fail, and the next turn starts over', async () => {
		const many = Array.from({ length: agentRuns + 2 }, (_, i) => give('clerk', `Task ${i}`));
		const model = players({ chat: [asks(...many), says('Done.')], clerk: [says('Here.')] });
		const session = sessionOf();
		await turn(model, { session, hosted: hosted(agent('clerk')) });
		const failed = lastResults(model).filter(({ result }) => result.isError);
		expect(failed.map(({ result }) => resultText(result))).toEqual(
			Array(2).fill(expect.stringContaining('which is the limit')),
		);
		const next = players({ chat: [asks(give('clerk')), says('Done.')], clerk: [says('Here.')] });
		await turn(next, { session, hosted: hosted(agent('clerk')) });
		expect(lastTexts(next)).toEqual(['Here.']);
	});
});

describe('given an agent that ends early', () => {
	test('when it hits its round limit, then its caller gets the reason and its text so far', async () => {
		let n = 0;
		const busy: Round = () => [
			{ type: 'text', text: `Step ${++n}.` },
			{ type: 'toolCall', call: call('slack__search', { query: `${n}` }) },
		];
		const model = players({ chat: [asks(give('clerk')), says('Done.')], clerk: [busy] });
		const session = sessionOf();
		session.load(session.surface.tools);
		const { end } = await turn(model, { session, hosted: hosted(agent('clerk')) });
		expect(end).toMatchObject({ reason: 'answered' });
		expect(requestsOf(model, 'clerk').length).toBe(agentRounds);
		const [text = ''] = lastTexts(model);
		expect(text).toMatch(/^Error: The agent 'clerk' ended before its task was done: Stopped after 15 rounds/);
		expect(text).toMatch(/said so far:\n\nStep 1\.\n\nStep 2\./);
		expect(session.log.timeline.find(({ kind }) => kind === 'agent')).toMatchObject({
			failed: true,
			calls: 15,
		});
	});

	test('when its model fails or says nothing, then its caller gets an error and the turn goes on', async () => {
		const fails: Round = () => {
			throw new Error('The provider is gone.');
		};
		const model = players({
			chat: [asks(give('broken'), give('silent')), says('Done.')],
			broken: [fails],
			silent: [() => []],
		});
		const { end } = await turn(model, { hosted: hosted(agent('broken'), agent('silent')) });
		expect(end).toMatchObject({ reason: 'answered' });
		expect(lastTexts(model)).toEqual([
			"Error: The agent 'broken' ended before its task was done: The provider is gone.",
			"Error: The agent 'silent' ended before its task was done: It ended without an answer.",
		]);
	});

	test('when the user stops, then the turn ends at once and the timeline shows the failed agent', async () => {
		const stop = new AbortController();
		const messages = [{ role: 'user' as const, text: 'Do it.' }];
		const session = sessionOf();
		session.load(session.surface.tools);
		const model = players({
			chat: [asks(give('one', 'Wait.'))],
			one: [asks(give('two', 'Wait.'))],
			two: [asks(call('slack__search'))],
		});
		const { end } = await turn(model, {
			session,
			messages,
			signal: stop.signal,
			runTool: () => new Promise(() => queueMicrotask(() => stop.abort())),
			hosted: hosted(agent('one'), agent('two')),
		});
		expect(end).toEqual({ type: 'end', reason: 'cancelled' });
		expect(session.log.timeline.at(-1)).toMatchObject({ kind: 'agent', agent: 'one', failed: true });
		expect(JSON.stringify(messages)).toContain('stopped');
	});

	test('when its answer is huge, then the answer is truncated and says so', async () => {
		const model = new ScriptedModel([asks(give('clerk')), says('word '.repeat(100_000)), says('Done.')]);
		await turn(model, { hosted: hosted(agent('clerk')) });
		const [text = ''] = lastTexts(model);
		expect(text.length).toBeLessThan(17_000);
		expect(text).toMatch(/499999 characters in all; the rest was cut off\)$/);
	});
});

describe('run_agent', () => {
	test('is missing when models may call no agent', () => {
		expect(runAgentTool([])).toBeUndefined();
		expect(runAgentTool([agent('clerk', { isForModels: false })])).toBeUndefined();
	});

	test('answers with an error for an unknown agent, and no agent runs', async () => {
		const model = new ScriptedModel([asks(give('nobody')), says('No.')]);
		const { events } = await turn(model, { hosted: hosted(agent('clerk')) });
		expect(lastTexts(model)).toEqual([expect.stringContaining("no agent 'nobody'")]);
		expect(ofType(events, 'agentStarted')).toEqual([]);
		expect(ofType(events, 'toolFinished')).toMatchObject([{ result: { isError: true } }]);
	});

	test.each(['append', 'native', 'call'] as const)('works with tools loaded by %s', async (loading) => {
		const send =
			loading === 'call'
				? call('call_tool', { name: 'slack__search', arguments: {} })
				: call('slack__search');
		const model = new ScriptedModel([
			asks(give('clerk')),
			asks(find('slack:search')),
			asks(send),
			says('Found.'),
			says('Done.'),
		]);
		const ran: string[] = [];
		await turn(model, {
			session: sessionOf(office, { loading }),
			runTool: async (tool) => {
				ran.push(tool.id);
				return textResult('');
			},
			hosted: hosted(agent('clerk')),
		});
		expect(ran).toEqual(['slack:search']);
		expect(lastTexts(model)).toEqual(['Found.']);
	});
});
