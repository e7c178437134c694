import { describe, expect, test } from 'vitest';
import type { ArgumentCheck } from '../../../src/chat/loopOptions.ts';
import { formatResult } from '../../../src/chat/runCall.ts';
import type { ToolCall } from '../../../src/discovery/catalog/message.ts';
import type { DiscoveryPolicy } from '../../../src/discovery/catalog/policy.ts';
import {
	declinedResult,
	errorResult,
	type ResultContent,
	type ToolResult,
	textResult,
} from '../../../src/discovery/catalog/tool.ts';
import { ids, office, sessionOf, surfaceOf, toolset } from '../discovery/fixtures.ts';
import { asks, call, lastResults, lastTexts, ScriptedModel, says, turn } from './conversation.ts';

const fitting = { channel: 'general', text: 'hi' };
const send = (input: Readonly<Record<string, unknown>> = fitting) => call('slack__send_message', input);

/** As much of a check as these schemas need. */
const checkArguments: ArgumentCheck = async ({ required }, input) => ({
	faults: (required as string[]).filter((name) => !(name in input)).map((name) => `/: ${name} is missing`),
	concerns: [],
});

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
		{ server: 'slack', tool: 'list_channels', calls: 1, failures: 0, totalMs: 3 },
		{ server: 'slack', tool: 'search', calls: 2, failures: 2, totalMs: 40 },
	]);
});

test('the time of a call excludes waiting for the user', async () => {
	const session = off();
	const { now, work } = clock();
	await turn(new ScriptedModel([asks(call('slack__search')), says('Done.')]), {
		session,
		now,
		runTool: async (_tool, _call, { onBegun }) => {
			work(30_000);
			onBegun();
			work(4);
			return textResult('ok');
		},
	});
	expect(session.log.usage.calls).toMatchObject([{ totalMs: 4 }]);
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

const readCall = { name: 'files__read_file', input: { path: 'a.txt' } };
const image: ResultContent = { type: 'image', data: 'AA==', mimeType: 'image/png' };

describe('a formatted tool result', () => {
	test('is unchanged by default', () => {
		const result = textResult('Hello');
		expect(formatResult(result, readCall, 'result')).toBe(result);
	});

	const line = 'Result of files__read_file:';
	test.each([
		['starts with its call', textResult('Hello'), textResult(`${line}\nHello`)],
		['is still an error', errorResult('Error: gone'), errorResult(`${line}\nError: gone`)],
		[
			'keeps its images, after the first line',
			{ content: [image, { type: 'text', text: 'A cat' }], isError: false },
			{ content: [{ type: 'text', text: line }, image, { type: 'text', text: 'A cat' }], isError: false },
		],
		['has only the first line when it is empty', { content: [], isError: false }, textResult(line)],
	] satisfies [string, ToolResult, ToolResult][])('%s', (_what, result, formatted) => {
		expect(formatResult(result, readCall, 'function_result')).toEqual(formatted);
	});

	test('has at most 500 characters of the arguments', () => {
		const long = { name: 'write', input: { text: 'a'.repeat(10_000) } };
		const [first] = formatResult(textResult('ok'), long, 'function_args_result').content;
		expect(first).toEqual({ type: 'text', text: `Result of write({"text":"${'a'.repeat(488)}...):\nok` });
	});
});
