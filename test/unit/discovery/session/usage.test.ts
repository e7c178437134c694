import { expect, test } from 'vitest';
import type { CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { firstCost } from '../../../../src/discovery/session/toolTokens.ts';
import { countedTools, noUsage, withUsage } from '../../../../src/discovery/session/usage.ts';
import { headTokens, keptLog, search, sessionOf } from '../fixtures.ts';

test('a chat totals reported tokens and calls, and restores the totals from its log', () => {
	const session = sessionOf();
	let changes = 0;
	session.onDidChange(() => changes++);
	session.nextRequest();
	const cost = headTokens(session);
	session.measured({ inputTokens: 100, outputTokens: 5 });
	session.measured({
		inputTokens: 150,
		outputTokens: 7,
		cachedInputTokens: 90,
		cacheWriteTokens: 30,
		thoughtTokens: 4,
	});
	const [first, second] = session.surface.tools;
	if (!first || !second) throw new Error('the office has tools');
	const call = ({ server, name: tool }: CatalogTool, ms: number, failed: boolean) =>
		session.log.append({ kind: 'call', server, tool, ms, failed });
	call(first, 12, false);
	call(second, 0, false);
	call(first, 30, true);

	const usage = {
		measuredAnswers: 2,
		inputTokens: 250,
		cachedInputTokens: 90,
		cacheWriteTokens: 30,
		outputTokens: 12,
		thoughtTokens: 4,
		requests: 1,
		definitionTokens: cost,
		everyToolTokens: firstCost(session.surface).everyToolTokens,
		calls: [
			{ server: 'slack', tool: 'send_message', calls: 2, failures: 1, totalMs: 42 },
			{ server: 'slack', tool: 'list_channels', calls: 1, failures: 0, totalMs: 0 },
		],
	};
	expect(session.log.usage).toEqual(usage);
	expect(sessionOf(undefined, undefined, keptLog(session)).log.usage).toEqual(usage);
	expect(changes).toBe(6);
	session.log.append({ kind: 'reset' });
	expect(session.log.usage.calls).toEqual([]);
});

test('a chat totals the cost of answers with a known price, and the cost if all tools were sent', () => {
	const session = sessionOf();
	const price = { input: 2, output: 10 };
	session.nextRequest();
	const more = firstCost(session.surface).everyToolTokens - headTokens(session);
	session.measured({ inputTokens: 1_000_000, outputTokens: 100_000 }, price);
	session.measured({ inputTokens: 500, outputTokens: 10 });
	expect(session.log.usage.cost).toMatchObject({ answers: 1, reportedAnswers: 0, usd: 3 });
	expect(session.log.usage.cost?.everyToolUsd).toBeCloseTo(3 + (2 * more) / 1_000_000, 10);
	const kept = keptLog(session);
	expect(sessionOf(undefined, undefined, kept).log.usage.cost).toEqual(session.log.usage.cost);
	session.log.append({ kind: 'reset' });
	expect(session.log.usage).not.toHaveProperty('cost');
});

test('the cost of an agent run is added to its caller', () => {
	const [agent, caller] = [sessionOf(), sessionOf()];
	agent.measured({ inputTokens: 9, outputTokens: 1, usd: 0.25, thoughtTokens: 1 });
	caller.measured({ inputTokens: 9, outputTokens: 1, usd: 0.5 });
	const run = { agent: 'scout', task: 'look', ms: 1, calls: 0, failed: false };
	caller.log.append({ kind: 'agent', ...run, usage: agent.log.usage, messages: [] });
	expect(caller.log.usage.cost).toEqual({ answers: 2, reportedAnswers: 2, usd: 0.75 });
	expect(caller.log.usage.thoughtTokens).toBe(1);
});

test('when too many tools were called, then the least called ones are dropped from the usage', () => {
	const once = { server: 'big', calls: 1, failures: 0, totalMs: 1 };
	const names = Array.from({ length: countedTools }, (_, i) => `t${i}`);
	const called = ['t0', ...names, 'new'].reduce(
		(usage, name) => withUsage(usage, { calls: [{ ...once, tool: name }] }),
		noUsage,
	);
	const counted = called.calls.map(({ tool }) => tool);
	expect(counted).toHaveLength(countedTools);
	expect(counted).toEqual(expect.arrayContaining(['t0', 't2', 'new']));
	expect(counted).not.toContain('t1');
});

test('searches without a hit are counted, but invalid requests are not', async () => {
	const session = sessionOf();
	await search(session, { query: 'send a message' });
	expect(session.log.statistics).not.toHaveProperty('searches_without_hit');
	await search(session, { query: 'xylophone' });
	await search(session, { tool_names: ['no_such_tool_anywhere'] });
	await search(session, {});
	await search(session, { server_name: 'nowhere' });
	expect(session.log.statistics).toMatchObject({ search_calls: 5, searches_without_hit: 2 });
	const again = sessionOf(undefined, undefined, keptLog(session));
	expect(again.log.statistics).toEqual(session.log.statistics);
	session.log.append({ kind: 'reset' });
	expect(session.log.statistics).toEqual({ search_calls: 0, tools_discovered: 0 });
});
