import { expect, test } from 'vitest';
import { surfaceTokens } from '../../../../src/discovery/session/toolTokens.ts';
import {
	countedTools,
	meanMs,
	noUsage,
	restoredUsage,
	withCall,
} from '../../../../src/discovery/session/usage.ts';
import { headTokens, search, sessionOf } from '../fixtures.ts';

test('a chat adds up what providers report and what it calls, and keeps it', () => {
	const session = sessionOf();
	let changes = 0;
	session.onDidChange(() => changes++);
	session.nextPrompt();
	const cost = headTokens(session);
	session.journal.answer({ inputTokens: 100, outputTokens: 5 });
	session.journal.answer({
		inputTokens: 150,
		outputTokens: 7,
		cachedInputTokens: 90,
		cacheWriteTokens: 30,
		thoughtTokens: 4,
	});
	const [first, second] = session.surface.tools;
	if (!first || !second) throw new Error('the office has tools');
	session.journal.call(first, { ms: 12.4, failed: false });
	session.journal.call(second, { ms: 0, failed: false });
	session.journal.call(first, { ms: 30, failed: true });

	const usage = {
		measuredAnswers: 2,
		inputTokens: 250,
		cachedInputTokens: 90,
		cacheWriteTokens: 30,
		outputTokens: 12,
		thoughtTokens: 4,
		requests: 1,
		definitionTokens: cost,
		everyToolTokens: surfaceTokens(session.surface).all,
		calls: [
			{ server: 'slack', tool: 'send_message', calls: 2, failures: 1, totalMs: 42, lastMs: 30 },
			{ server: 'slack', tool: 'list_channels', calls: 1, failures: 0, totalMs: 0, lastMs: 0 },
		],
	};
	expect(session.journal.usage).toEqual(usage);
	expect(sessionOf(undefined, undefined, JSON.parse(JSON.stringify(session.state))).journal.usage).toEqual(
		usage,
	);
	expect(changes).toBe(6);
	session.reset();
	expect(session.journal.usage.calls).toEqual([]);
});

test('a chat keeps what its answers cost, of those whose price is known, and what every tool would have cost', () => {
	const session = sessionOf();
	const price = { input: 2, output: 10 };
	session.nextPrompt();
	const more = surfaceTokens(session.surface).all - headTokens(session);
	session.journal.answer({ inputTokens: 1_000_000, outputTokens: 100_000 }, price);
	session.journal.answer({ inputTokens: 500, outputTokens: 10 });
	expect(session.journal.usage.cost).toMatchObject({ answers: 1, toldAnswers: 0, usd: 3 });
	expect(session.journal.usage.cost?.everyToolUsd).toBeCloseTo(3 + (2 * more) / 1_000_000, 10);
	const kept = JSON.parse(JSON.stringify(session.state));
	expect(sessionOf(undefined, undefined, kept).journal.usage.cost).toEqual(session.journal.usage.cost);
	session.reset();
	expect(session.journal.usage).not.toHaveProperty('cost');
});

test('what an agent cost is its caller’s', () => {
	const [agent, caller] = [sessionOf(), sessionOf()];
	agent.journal.answer({ inputTokens: 9, outputTokens: 1, usd: 0.25, thoughtTokens: 1 });
	caller.journal.answer({ inputTokens: 9, outputTokens: 1, usd: 0.5 });
	const run = { agent: 'scout', task: 'look', ms: 1, calls: 0, failed: false };
	caller.journal.agent(run, agent.journal.usage);
	expect(caller.journal.usage.cost).toEqual({ answers: 2, toldAnswers: 2, usd: 0.75 });
	expect(caller.journal.usage.thoughtTokens).toBe(1);
});

test('usage that was kept before thought and the cache were counted apart is taken up', () => {
	const { cacheWriteTokens: _, thoughtTokens: __, ...old } = { ...noUsage, inputTokens: 5 };
	expect(restoredUsage(old)).toEqual({ ...noUsage, inputTokens: 5 });
});

test('a session that an earlier version kept has used nothing yet', () => {
	const { usage: _, ...old } = sessionOf().state;
	expect(sessionOf(undefined, undefined, old).journal.usage.measuredAnswers).toBe(0);
});

test('calls that an earlier version counted without their time stay counted, and make no call look faster', () => {
	const calls = [{ server: 'slack', tool: 'send_message', calls: 3 }];
	const usage = restoredUsage({ ...noUsage, calls });
	expect(meanMs(usage.calls)).toBeUndefined();
	const more = withCall(usage, { server: 'slack', name: 'send_message' }, { ms: 50, failed: false });
	expect(more.calls).toMatchObject([{ calls: 4, failures: 0, totalMs: 50 }]);
	expect(meanMs(more.calls)).toBe(50);
	expect(restoredUsage(JSON.parse(JSON.stringify(more)))).toEqual(more);
});

test('of more tools than are counted, one that was called least makes room', () => {
	const outcome = { ms: 1, failed: false };
	const names = Array.from({ length: countedTools }, (_, i) => `t${i}`);
	const called = ['t0', ...names, 'new'].reduce(
		(usage, name) => withCall(usage, { server: 'big', name }, outcome),
		noUsage,
	);
	const counted = called.calls.map(({ tool }) => tool);
	expect(counted).toHaveLength(countedTools);
	expect(counted).toEqual(expect.arrayContaining(['t0', 't2', 'new']));
	expect(counted).not.toContain('t1');
});

test('searches that find nothing are counted; a request that cannot be searched is not one of them', async () => {
	const session = sessionOf();
	await search(session, { query: 'send a message' });
	expect(session.journal.statistics).not.toHaveProperty('searches_without_hit');
	await search(session, { query: 'xylophone' });
	await search(session, { tool_names: ['no_such_tool_anywhere'] });
	await search(session, {});
	await search(session, { server_name: 'nowhere' });
	expect(session.journal.statistics).toMatchObject({ search_calls: 5, searches_without_hit: 2 });
	const again = sessionOf(undefined, undefined, JSON.parse(JSON.stringify(session.state)));
	expect(again.journal.statistics).toEqual(session.journal.statistics);
	session.reset();
	expect(session.journal.statistics).toEqual({ search_calls: 0, tools_discovered: 0 });
});
