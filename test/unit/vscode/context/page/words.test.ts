import { describe, expect, test } from 'vitest';
import { type ActiveTool, contextReport } from '../../../../../src/discovery/report.ts';
import { callsByServer, noUsage } from '../../../../../src/discovery/session/usage.ts';
import { tilesOf } from '../../../../../src/vscode/context/page/tiles.ts';
import {
	chatState,
	inOrderOfCalls,
	lastCalls,
	searchSummary,
} from '../../../../../src/vscode/context/page/words.ts';
import { sessionsWith, toolOf } from '../../fixtures.ts';
import { happened, load } from '../happenings.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function reportOf(sessions: ReturnType<typeof sessionsWith>) {
	return contextReport(sessions.currentOrNext().discovery);
}

describe('the heading of the context page', () => {
	test('shows the number of loaded tools, the limit, and the model', () => {
		const sessions = sessionsWith(['read', 'write', 'list'], { pinned: ['list'] });
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(chatState(reportOf(sessions))).toMatchSnapshot();
		chat.discovery.beginTurn({ model: 'gpt-4.1', loading: 'append' }, { role: 'user', text: 'hello' });
		expect(chatState(reportOf(sessions))).toMatchSnapshot();
	});

	test('shows no limit if there is none', () => {
		expect(chatState(reportOf(sessionsWith(['read'], {}, { maxActiveSchemas: null })))).toMatchSnapshot();
	});

	test('says that discovery is off', () => {
		expect(chatState(reportOf(sessionsWith(['read'], {}, { enabled: false })))).toMatchSnapshot();
	});
});

describe('the tiles of the context page', () => {
	test('only show what a request would cost if none was sent yet', () => {
		const [now, saved, measured] = tilesOf(reportOf(sessionsWith(many)));
		expect(now?.source).toMatchSnapshot();
		expect(now?.share?.value).toBeGreaterThan(0.5);
		expect([saved, measured].map((tile) => [tile?.value, tile?.source])).toEqual([
			['–', undefined],
			['–', undefined],
		]);
	});

	test('show saved tokens, and the tokens that the provider counted', () => {
		const { costs } = reportOf(sessionsWith(many));
		const usage = {
			...noUsage,
			requests: 2,
			definitionTokens: 1000,
			everyToolTokens: 20_000,
			measuredAnswers: 1,
			inputTokens: 4000,
			cachedInputTokens: 3000,
			outputTokens: 50,
		};
		const [, saved, measured] = tilesOf({ costs, usage });
		expect([saved, measured]).toMatchSnapshot();
	});

	test('show the cost of the chat only if the price is known', () => {
		const { costs, usage } = reportOf(sessionsWith(many));
		expect(tilesOf({ costs, usage }).map(({ key }) => key)).not.toContain('cost');
		const cost = { answers: 2, reportedAnswers: 2, usd: 0.05, everyToolUsd: 1 };
		expect(tilesOf({ costs, usage: { ...usage, cost } }).at(-1)).toMatchSnapshot();
		const reckoned = { answers: 1, reportedAnswers: 0, usd: 0.05 };
		expect(tilesOf({ costs, usage: { ...usage, cost: reckoned } }).at(-1)).toMatchSnapshot();
	});

	test('show no saving if nothing was saved', () => {
		const { costs } = reportOf(sessionsWith(['read']));
		const usage = { ...noUsage, requests: 1, definitionTokens: 300, everyToolTokens: 100 };
		expect(tilesOf({ costs, usage })[1]).toMatchSnapshot();
	});

	test('say why the Offline Planner saves nothing', () => {
		const { costs } = reportOf(sessionsWith(['read']));
		const usage = { ...noUsage, requests: 4 };
		expect(tilesOf({ costs, usage })[1]).toMatchSnapshot();
	});
});

describe('the rest of the context page', () => {
	test('shows when a tool was last called, and lists the last called first, then the last loaded', () => {
		const call = { kind: 'call', ms: 1, failed: false } as const;
		const timeline = happened(
			load('files:read', 'files:list'),
			{ ...call, tool: 'files:read' },
			{ ...call, tool: 'files:list' },
			{ ...call, tool: 'files:read' },
		);
		const [, , listed, read] = timeline;
		const calls = lastCalls(timeline);
		expect([...calls]).toEqual([
			['files:read', read?.at],
			['files:list', listed?.at],
		]);
		const tools = ['early', 'list', 'late', 'read'].map(
			(name, i) => ({ server: 'files', name, lastTurn: i }) as unknown as ActiveTool,
		);
		expect(inOrderOfCalls(tools, calls).map(({ name }) => name)).toEqual(['read', 'list', 'late', 'early']);
	});

	test('sums calls per server, with the most used server first', () => {
		const call = { failures: 0 };
		const sums = callsByServer([
			{ ...call, server: 'git', tool: 'log', calls: 1, totalMs: 10 },
			{ ...call, server: 'files', tool: 'list', calls: 1, totalMs: 20 },
			{ ...call, server: 'files', tool: 'read', calls: 3, totalMs: 100, failures: 2 },
		]);
		expect(sums.map(({ server, calls, failures, meanMs }) => [server, calls, failures, meanMs])).toEqual([
			['files', 4, 2, 30],
			['git', 1, 0, 10],
		]);
		expect(sums[0]?.tools.map(({ tool }) => tool)).toEqual(['read', 'list']);
	});

	test('summarizes searches', () => {
		expect(
			searchSummary({ search_calls: 3, tools_discovered: 1, searches_without_hit: 2 }),
		).toMatchSnapshot();
		expect(searchSummary({ search_calls: 1, tools_discovered: 0 })).toMatchSnapshot();
	});
});
