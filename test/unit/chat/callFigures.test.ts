import { expect, test } from 'vitest';
import { declinedResult, errorResult, textResult } from '../../../src/discovery/toolResult.ts';
import { office, sessionOf } from '../discovery/fixtures.ts';
import { turn } from './conversation.ts';
import { asks, call, ScriptedModel, says } from './scriptedModel.ts';

const off = () => sessionOf(office, { enabled: false });

/** A clock that only work moves on. */
function clock() {
	let time = 5;
	return { now: () => time, work: (ms: number) => (time += ms) };
}

test('what a call takes is measured from its beginning to its result, and failures are counted', async () => {
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
	expect(session.usage.calls).toEqual([
		{ server: 'slack', tool: 'list_channels', calls: 1, failures: 0, totalMs: 3, lastMs: 3 },
		{ server: 'slack', tool: 'search', calls: 2, failures: 2, totalMs: 40, lastMs: 20 },
	]);
});

test('while the user is asked nothing is measured', async () => {
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
	expect(session.usage.calls).toMatchObject([{ totalMs: 4, lastMs: 4 }]);
});

test('calls side by side are each measured for themselves', async () => {
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
	expect(session.usage.calls.map(({ server, totalMs }) => [server, totalMs])).toEqual([
		['calendar', 2],
		['slack', 102],
	]);
});

test.each([
	['that the user declines', async () => declinedResult('slack:search'), []],
	['of a tool that is not there', async () => textResult(''), ['slack__nothing_like_it_at_all']],
])('a call %s is no call', async (_what, runTool, names) => {
	const session = off();
	const [name = 'slack__search'] = names;
	await turn(new ScriptedModel([asks(call(name)), says('Done.')]), { session, runTool });
	expect(session.usage.calls).toEqual([]);
});

test('without a clock of the caller’s the system’s is used', async () => {
	const session = off();
	await turn(new ScriptedModel([asks(call('slack__search')), says('Done.')]), { session });
	expect(session.usage.calls[0]?.totalMs).toBeGreaterThanOrEqual(0);
	expect(Number.isInteger(session.usage.calls[0]?.totalMs)).toBe(true);
});
