import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../src/chat/loopEvent.ts';
import type { ArgumentCheck } from '../../../src/chat/loopOptions.ts';
import { formatResult } from '../../../src/chat/runCall.ts';
import type { ToolCall } from '../../../src/discovery/catalog/message.ts';
import type { DiscoveryPolicy, Loading } from '../../../src/discovery/catalog/policy.ts';
import {
	declinedResult,
	errorResult,
	type ResultContent,
	textResult,
} from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { ids, office, sessionOf, surfaceOf, toolset } from '../discovery/fixtures.ts';
import { asks, call, lastResults, lastTexts, ScriptedModel, says, turn } from './conversation.ts';

const fitting = { channel: 'general', text: 'hi' };
const send = (input: Readonly<Record<string, unknown>> = fitting) => call('slack__send_message', input);

/** As much of a check as these schemas need. */
const checkArguments: ArgumentCheck = async ({ required }, input) =>
	(required as string[]).filter((name) => !(name in input)).map((name) => `/: ${name} is missing`);

function chat(more: Partial<DiscoveryPolicy> = {}) {
	return sessionOf(office, { onUndiscoveredCall: 'activate', ...more });
}

async function asked(made: readonly ToolCall[], session = chat()) {
	const model = new ScriptedModel([asks(...made), says('Done.')]);
	const ran: string[] = [];
	const { events } = await turn(model, {
		session,
		checkArguments,
		runTool: async (tool, { input }) => {
			ran.push(`${tool.id} ${JSON.stringify(input)}`);
			return textResult('sent');
		},
	});
	return { model, session, events, types: events.map(({ type }) => type), ran };
}

describe('a deferred tool called without a search', () => {
	test('is loaded and run when its arguments are valid, and the next request has it', async () => {
		const { model, session, events, types, ran } = await asked([send()]);
		expect(ran).toEqual([`slack:send_message ${JSON.stringify(fitting)}`]);
		expect(types).toEqual(['activated', 'toolStarted', 'toolFinished', 'text', 'end']);
		expect(events[0]).toMatchObject({ tools: [{ id: 'slack:send_message' }] });
		expect(lastTexts(model)).toEqual(['sent']);
		expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['search_tools', 'slack__send_message']);
		expect(session.activatedByUse).toMatchObject([{ activation: { reason: 'call' } }]);
	});

	test('is neither loaded nor run when its arguments are invalid, and the error has its schema', async () => {
		const { model, session, types, ran } = await asked([send({ channel: 'general' })]);
		expect(ran).toEqual([]);
		expect(types).toEqual(['toolFinished', 'text', 'end']);
		expect(lastTexts(model)[0]).toMatch(
			/^Error: The arguments do not fit 'slack__send_message', so it was not called\.\n- \/: text is missing\nIts input schema: \{.*"channel"/,
		);
		expect(session.activated).toEqual([]);
	});

	test('is run by the second call, after the model has read the schema', async () => {
		const model = new ScriptedModel([asks(send({})), asks(send()), says('Done.')]);
		const session = chat();
		await turn(model, { session, checkArguments });
		expect(lastTexts(model)).toEqual(['slack:send_message done']);
		expect(ids(session.activated)).toEqual(['slack:send_message']);
	});

	test('is loaded once when it is called twice in one answer', async () => {
		const { types, ran } = await asked([send(), send({ ...fitting, text: 'again' })]);
		expect(ran).toHaveLength(2);
		expect(types.filter((type) => type === 'activated')).toHaveLength(1);
	});

	test('is loaded by the search when the same answer also searches for it', async () => {
		const { session, ran } = await asked([send(), call('search_tools', { tool_names: ['send_message'] })]);
		expect(ran).toHaveLength(1);
		expect(session.activatedByUse).toMatchObject([{ activation: { reason: 'name' } }]);
	});

	test('evicts the least recently used tool, and reports it', async () => {
		const session = chat({ maxActiveSchemas: 1 });
		session.load(session.surface.deferred.slice(1, 2));
		const { events } = await asked([send()], session);
		expect(events).toContainEqual({ type: 'evicted', names: ['slack:list_channels'] });
		expect(ids(session.activated)).toEqual(['slack:send_message']);
	});

	test('runs without being loaded when this turn’s tools fill the cap', async () => {
		const session = chat({ maxActiveSchemas: 1 });
		const find = call('search_tools', { tool_names: ['create_event'] });
		const { types, ran } = await asked([find, send()], session);
		expect(ran).toHaveLength(1);
		expect(types.filter((type) => type === 'activated')).toHaveLength(1);
		expect(ids(session.activated)).toEqual(['calendar:create_event']);
	});

	test('does not exist when the toolset excludes it', async () => {
		const session = chat();
		session.surface = surfaceOf(
			office,
			{ onUndiscoveredCall: 'activate' },
			toolset('plan', { calendar: true }),
		);
		const { model, ran } = await asked([send()], session);
		expect(ran).toEqual([]);
		expect(lastTexts(model)[0]).toMatch(/^Error: There is no tool 'slack__send_message'/);
	});
});

test('call: the result has the tool’s schema, and the tool list stays unchanged', async () => {
	const session = chat({ loading: 'call' });
	const wrapped = call('call_tool', { name: 'slack__send_message', arguments: fitting });
	const { model, ran } = await asked([wrapped], session);
	expect(ran).toHaveLength(1);
	expect(lastTexts(model)[0]).toMatch(
		/^sent\nslack__send_message is now loaded\. Its input schema: \{.*"channel"/,
	);
	expect(lastResults(model)[0]?.loaded?.map(({ name }) => name)).toEqual(['slack__send_message']);
	expect(new Set(model.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
});

describe.each<Loading>(['append', 'native', 'call'])(
	'%s: a change of a loaded tool is reported once',
	(loading) => {
		const richer = office.map((server) => ({
			...server,
			tools: server.tools.map((one) => ({ ...one, description: `${one.description}, at once` })),
		}));

		function becomeRicher(session: DiscoverySession): void {
			session.surface = surfaceOf(richer, { onUndiscoveredCall: 'activate', loading });
		}

		function noted(text: string): number {
			return text.split('Changed since you loaded it').length - 1;
		}

		function notes(model: ScriptedModel): number[] {
			const last = model.requests.at(-1)?.messages ?? [];
			const results = last.flatMap((one) => (one.role === 'tool' ? one.results : []));
			return results.map(({ result }) => noted(JSON.stringify(result)));
		}

		/** What the user is told. */
		function notices(events: readonly LoopEvent[]): string[] {
			return events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
		}

		const notice = 'Reloaded because their servers changed them: slack:send_message.';

		test('in mid-turn, with the next result of a server tool', async () => {
			const session = chat({ loading });
			const model = new ScriptedModel([asks(send()), asks(send({ ...fitting, text: 'b' })), says('Done.')]);
			let runs = 0;
			const { events } = await turn(model, {
				session,
				checkArguments,
				runTool: async () => {
					if (runs++ === 0) becomeRicher(session);
					return textResult('sent');
				},
			});
			expect(notes(model)).toEqual([1, 0]);
			expect(notices(events)).toEqual([notice]);
		});

		test('in mid-turn, with the next result of a hosted tool', async () => {
			const session = chat({ loading });
			const model = new ScriptedModel([asks(send()), asks(call('think')), says('Done.')]);
			const { events } = await turn(model, {
				session,
				hosted: [
					{
						definition: { name: 'think', description: 'Thinks.', inputSchema: {} },
						run: async () => {
							becomeRicher(session);
							return { result: textResult('thought') };
						},
					},
				],
			});
			expect(notes(model)).toEqual([0, 1]);
			expect(notices(events)).toEqual([notice]);
		});
	},
);

const off = () => sessionOf(office, { enabled: false });

/** A clock that only work moves on. */
function clock() {
	let time = 5;
	return { now: () => time, work: (ms: number) => (time += ms) };
}

test('the time of a call is measured from start to result, and failures are counted', async () => {
	const session = off();
	const { now, work } = clock();
	const made = ['list_channels', 'search', 'search'].map((name, n) => asks(call(`slack__${name}`, { n })));
	await turn(new ScriptedModel([...made, says('Done.')]), {
		session,
		now,
		runTool: async ({ name }, { input }) => {
			work(name === 'search' ? 20 : 3);
			if (input.n === 1) throw new Error('The server is gone.');
			return input.n === 2 ? errorResult('Nothing there.') : textResult('ok');
		},
	});
	expect(session.log.usage.calls).toEqual([
		{ server: 'slack', tool: 'list_channels', calls: 1, failures: 0, totalMs: 3, lastMs: 3 },
		{ server: 'slack', tool: 'search', calls: 2, failures: 2, totalMs: 40, lastMs: 20 },
	]);
});

test('the time of a call excludes waiting for the user', async () => {
	const session = off();
	const { now, work } = clock();
	await turn(new ScriptedModel([asks(call('slack__search')), says('Done.')]), {
		session,
		now,
		runTool: async (_tool, _call, _signal, _onProgress, onBegun) => {
			work(30_000);
			onBegun();
			work(4);
			return textResult('ok');
		},
	});
	expect(session.log.usage.calls).toMatchObject([{ totalMs: 4, lastMs: 4 }]);
});

test('parallel calls are measured separately', async () => {
	const session = off();
	const { now, work } = clock();
	const model = new ScriptedModel([asks(call('slack__search'), call('calendar__search')), says('Done.')]);
	const slow = Promise.withResolvers<void>();
	await turn(model, {
		session,
		now,
		runTool: async ({ server }) => {
			if (server === 'slack') await slow.promise;
			else work(2);
			return textResult('ok');
		},
		onEvent: (event) => {
			if (event.type !== 'toolFinished' || event.tool?.server !== 'calendar') return;
			work(100);
			slow.resolve();
		},
	});
	expect(session.log.usage.calls.map(({ server, totalMs }) => [server, totalMs])).toEqual([
		['calendar', 2],
		['slack', 102],
	]);
});

test.each([
	['that the user declines', async () => declinedResult('slack:search'), []],
	['of a tool that is not there', async () => textResult(''), ['slack__nothing_like_it_at_all']],
])('a call %s is not counted', async (_what, runTool, names) => {
	const session = off();
	const [name = 'slack__search'] = names;
	await turn(new ScriptedModel([asks(call(name)), says('Done.')]), { session, runTool });
	expect(session.log.usage.calls).toEqual([]);
});

test('without an injected clock, the system clock is used', async () => {
	const session = off();
	await turn(new ScriptedModel([asks(call('slack__search')), says('Done.')]), { session });
	expect(session.log.usage.calls[0]?.totalMs).toBeGreaterThanOrEqual(0);
	expect(Number.isInteger(session.log.usage.calls[0]?.totalMs)).toBe(true);
});

const readCall = { name: 'files__read_file', input: { path: 'a.txt', lines: [1, 2] } };
const image: ResultContent = { type: 'image', data: 'AA==', mimeType: 'image/png' };

describe('a formatted tool result', () => {
	test('is unchanged by default', () => {
		const result = textResult('Hello');
		expect(formatResult(result, readCall, 'result')).toBe(result);
	});

	test.each([
		['function_result', 'Result of files__read_file:\nHello'],
		['function_args_result', 'Result of files__read_file({"path":"a.txt","lines":[1,2]}):\nHello'],
	] as const)('starts with its call in the format %s', (format, text) => {
		expect(formatResult(textResult('Hello'), readCall, format)).toEqual(textResult(text));
	});

	test('is still an error if the tool failed', () => {
		const result = formatResult(errorResult('Error: gone'), readCall, 'function_result');
		expect(result).toEqual(errorResult('Result of files__read_file:\nError: gone'));
	});

	test('keeps its images, after the first line', () => {
		const content = [image, { type: 'text', text: 'A cat' }] as const;
		expect(formatResult({ content, isError: false }, readCall, 'function_result').content).toEqual([
			{ type: 'text', text: 'Result of files__read_file:' },
			image,
			{ type: 'text', text: 'A cat' },
		]);
	});

	test('has only the first line when the result is empty', () => {
		const result = formatResult({ content: [], isError: false }, readCall, 'function_result');
		expect(result).toEqual(textResult('Result of files__read_file:'));
	});

	test('has at most 500 characters of the arguments', () => {
		const long = { name: 'write', input: { text: 'a'.repeat(10_000) } };
		const [first] = formatResult(textResult('ok'), long, 'function_args_result').content;
		expect(first).toEqual({ type: 'text', text: `Result of write({"text":"${'a'.repeat(488)}...):\nok` });
	});
});
