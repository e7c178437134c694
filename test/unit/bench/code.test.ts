import { describe, expect, test } from 'vitest';
import { joinedCost, recordedCost, stubOf } from '../../../bench/code/cost.ts';
import { type Bound, type JoinedRound, planned, type Way } from '../../../bench/code/program.ts';
import { type RecordedCall, type Recording, type Round, recordingOf } from '../../../bench/code/recording.ts';

function call(tool: string, args: object, result: unknown, isError = false): RecordedCall {
	const text = typeof result === 'string' ? result : JSON.stringify(result);
	return { kind: 'call', server: 'github', tool, args, result: text, isError };
}

function recording(rounds: readonly (RecordedCall | Round)[], answer = 'Done.'): Recording {
	return {
		id: 'task',
		system: 'You use tools.',
		question: 'Which issues of acme/shop are open?',
		rounds: rounds.map((round) => ('calls' in round ? round : { text: '', calls: [round] })),
		answer,
	};
}

/** Tools of each round of the plan, joined ones in one string. */
function shape(of: Recording, bound: Bound, way: Way = 'program'): string[] {
	return planned(of, { bound, way }).map((item) => {
		const { calls } = item.kind === 'joined' ? item : item.round;
		return calls.map(({ tool }) => tool).join('+');
	});
}

function programOf(of: Recording, bound: Bound): JoinedRound {
	const [program] = planned(of, { bound, way: 'program' }).filter((item) => item.kind === 'joined');
	if (!program) throw new Error('Nothing was joined');
	return program;
}

describe('a recorded conversation', () => {
	const route = { id: 'a', function: { name: 'route', arguments: '{"query":"issues"}' } };
	const execute = {
		id: 'b',
		function: {
			name: 'execute-tool',
			arguments: '{"server_name":"github","tool_name":"list","params":{"state":"open"}}',
		},
	};
	const read = (content: string) =>
		recordingOf('task', [
			{ role: 'system', content: 'You use tools.' },
			{ role: 'user', content: 'Which?' },
			{ role: 'assistant', content: 'I look.', tool_calls: [route, execute] },
			{
				role: 'tool',
				tool_call_id: 'a',
				content:
					"meta=None content=[TextContent(type='text', text=\"- it's\", annotations=None)] isError=False",
			},
			{ role: 'tool', tool_call_id: 'b', content },
			{ role: 'assistant', content: 'These.' },
		]);
	const results = (content: string) =>
		read(content).rounds.flatMap(({ calls }) => calls.map(({ result, isError }) => ({ result, isError })));

	test('keeps the servers’ result texts unchanged', () => {
		const { rounds, answer } = read(
			String.raw`meta=None content=[TextContent(type='text', text='{\n  "_meta": null,\n  "content": [{"type": "text", "text": "caf\xe9 \\"A\\"\\nB"}],\n  "isError": false\n}', annotations=None)] isError=False`,
		);
		expect(answer).toBe('These.');
		expect(rounds).toMatchObject([
			{
				text: 'I look.',
				calls: [
					{ kind: 'search', result: "- it's" },
					{
						kind: 'call',
						server: 'github',
						tool: 'list',
						args: { state: 'open' },
						result: 'café "A"\nB',
						isError: false,
					},
				],
			},
		]);
	});

	test('is read even if a result is truncated', () => {
		const cut = String.raw`meta=None content=[TextContent(type='text', text='{\n  "_meta": null,\n  "content": [\n {\n "type": "text",\n "text": "one\\ntwo`;
		expect(results(cut)[1]).toEqual({ result: 'one\ntwo', isError: false });
	});

	test('marks failed calls', () => {
		const failed = `meta=None content=[TextContent(type='text', text='{"_meta": null, "content": [{"type": "text", "text": "No such repository"}], "isError": true}', annotations=None)] isError=False`;
		expect(results(failed)[1]).toEqual({ result: 'No such repository', isError: true });
		expect(results('Tool call timed out.')[1]?.isError).toBe(true);
	});
});

describe('a program', () => {
	const list = call('list', { repo: 'acme/shop' }, [{ id: 'iss_481' }, { id: 'iss_482' }]);
	const details = call('get', { id: 'iss_481' }, { title: 'Slow search', body: 'words '.repeat(200) });

	test('uses an id from an earlier result, which parallel calls cannot do', () => {
		const task = recording([list, details]);
		expect(shape(task, 'conservative')).toEqual(['list+get']);
		expect(shape(task, 'optimistic', 'parallel')).toEqual(['list', 'get']);
	});

	test('does not choose among several results under the conservative bound', () => {
		const task = recording([list, call('get', { id: 'iss_482' }, 'It is slow.')]);
		expect(shape(task, 'conservative')).toEqual(['list', 'get']);
		expect(shape(task, 'optimistic')).toEqual(['list+get']);
	});

	test('extracts nothing from a text whose format the model has not seen', () => {
		const text = (result: string) => call('list_text', { repo: 'acme/shop' }, result);
		const get = call('get', { id: 'iss_481' }, 'It is slow.');
		expect(shape(recording([text('iss_481: slow search'), get]), 'conservative')).toEqual([
			'list_text',
			'get',
		]);
		const seen = { text: 'I try again.', calls: [text('iss_481: slow search')] };
		expect(shape(recording([text('error'), text('iss_007: none'), seen, get]), 'conservative').at(-1)).toBe(
			'list_text+get',
		);
	});

	test('does not write a report about results that the model must read first', () => {
		const report = 'The slow search is the worst problem, and words about it abound in every single body.';
		const task = recording([list, details, call('create', { text: report }, 'Created.')]);
		expect(shape(task, 'optimistic')).toEqual(['list+get', 'create']);
	});

	test('ends at a failed call, even if only the result text says that it failed', () => {
		const next = call('close', { repo: 'acme/shop' }, 'Closed.');
		for (const failed of [call('list', {}, 'Not allowed', true), call('list', {}, { success: false })]) {
			expect(shape(recording([failed, next]), 'optimistic')).toEqual(['list', 'close']);
		}
	});

	test('ends where the model reacts to what it reads', () => {
		const same = (text: string) =>
			shape(
				recording([list, { text, calls: [call('close', { repo: 'acme/shop' }, 'Closed.')] }]),
				'conservative',
			);
		expect(same('Now I close them.')).toEqual(['list+close']);
		expect(same("These aren't it. Let me try something else.")).toEqual(['list', 'close']);
	});

	test('joins calls with new words after confirmations, and after any result under the optimistic bound', () => {
		const note = (text: string) => call('note', { text }, 'Written.');
		expect(shape(recording([note('alpha'), note('beta')]), 'conservative')).toEqual(['note+note']);
		const task = recording([call('read', { repo: 'acme/shop' }, 'A long text. '.repeat(50)), note('gamma')]);
		expect(shape(task, 'conservative')).toEqual(['read', 'note']);
		expect(shape(task, 'optimistic')).toEqual(['read+note']);
	});

	test('joins calls across the searches between them only under the optimistic bound', () => {
		const search: RecordedCall = { ...call('route', {}, '- server_name: github'), kind: 'search' };
		const task = recording([list, search, details]);
		expect(shape(task, 'conservative')).toEqual(['list', 'route', 'get']);
		expect(shape(task, 'optimistic')).toEqual(['route', 'list+get']);
	});

	test('returns what the model used later, and results that it may have read', () => {
		const task = recording([list, details], 'The one on slow search.');
		expect(programOf(task, 'conservative').returned).toEqual(['', '{"title":"Slow search"}']);
		expect(programOf(task, 'optimistic').returned).toEqual(['', ' "title": "Slow search",']);
		const mixed = planned(task, { bound: 'conservative', way: 'program', returns: 'optimistic' });
		expect(mixed).toMatchObject([{ returned: ['', ' "title": "Slow search",'] }]);
		const unused = recording([list, call('count', { repo: 'acme/shop' }, 'zebra')], 'Done.');
		expect(programOf(unused, 'conservative').returned).toEqual([list.result, 'zebra']);
		expect(programOf(unused, 'optimistic').returned).toEqual(['', '']);
	});
});

describe('the cost of a conversation', () => {
	const surroundings = { head: 1000, tools: new Map(), shown: (result: string) => result };
	const program = (bound: Bound) => ({ bound, way: 'program', stubs: true }) as const;
	const issues = Array.from({ length: 200 }, (_, i) => ({
		id: `iss_${i}`,
		title: `Title number ${i * 7919}`,
	}));

	test('falls by more than half when a program filters a long list', () => {
		const get = call('get', { id: 'iss_0' }, { state: 'urgent' });
		const task = recording([call('list', { repo: 'acme/shop' }, issues), get], 'It is urgent.');
		const recorded = recordedCost(task, surroundings);
		expect(recorded).toMatchObject({ requests: 3 });
		const joined = joinedCost(task, program('conservative'), surroundings);
		expect(joined.requests).toBe(2);
		expect(joined.prompt).toBeLessThan(recorded.prompt / 2);
		expect(joined.price).toBeLessThan(recorded.price / 2);
	});

	test('rises by the definition and the stubs when nothing can be joined', () => {
		const found = '- server_name: github\n  tool_name: list\n- server_name: github\n  tool_name: get\n';
		const search: RecordedCall = { ...call('route', {}, found), kind: 'search' };
		const task = recording([search, call('list', {}, 'No such repository', true)]);
		const tool = { server: 'github', name: 'list', inputSchema: { type: 'object' as const } };
		const around = { ...surroundings, tools: new Map([['github:list', tool]]) };
		const cost = (stubs: boolean) => joinedCost(task, { ...program('conservative'), stubs }, around).prompt;
		expect(cost(false)).toBeGreaterThan(recordedCost(task, around).prompt);
		expect(cost(true)).toBeGreaterThan(cost(false));
	});

	test('counts each result again with every later request', () => {
		const first = call('list', { repo: 'acme/shop' }, issues);
		const once = recordedCost(recording([first]), surroundings);
		const twice = recordedCost(recording([first, call('close', {}, 'Closed.')]), surroundings);
		expect(once.callResults).toBeGreaterThan(1000);
		expect(twice.callResults).toBeGreaterThan(2 * once.callResults);
	});
});

test('a stub is one line with the types of the parameters', () => {
	const inputSchema = {
		type: 'object' as const,
		properties: {
			repo: { type: 'string' },
			state: { enum: ['open', 'closed'] },
			labels: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
		},
		required: ['repo'],
	};
	expect(stubOf({ server: 'github', name: 'list_issues', inputSchema })).toBe(
		'github.list_issues({ repo: string; state?: "open" | "closed"; labels?: { id?: number }[] }): unknown',
	);
	expect(stubOf({ server: 'github', name: 'odd-name', inputSchema: { type: 'object' } })).toBe(
		'github["odd-name"]({}): unknown',
	);
});
