import { describe, expect, test } from 'vitest';
import { contextReport } from '../../../../../src/discovery/report.ts';
import { callsByServer, noUsage } from '../../../../../src/discovery/session/usage.ts';
import { tilesOf } from '../../../../../src/vscode/context/page/tiles.ts';
import { chatState, lastUses, searches } from '../../../../../src/vscode/context/page/words.ts';
import { hubWith, toolOf } from '../../fixtures.ts';
import { happened, load, namedTools } from '../happenings.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function reportOf(sessions: ReturnType<typeof hubWith>) {
	return contextReport(sessions.currentOrNext().discovery);
}

describe('the heading of the context page', () => {
	test('shows the number of loaded tools, the limit, and the model', () => {
		const sessions = hubWith(['read', 'write', 'list'], { pinned: ['list'] });
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(chatState(reportOf(sessions))).toBe('1 of at most 24 tools loaded · 1 always loaded');
		chat.discovery.beginTurn({ model: 'gpt-4.1', loading: 'append' }, { role: 'user', text: 'hello' });
		expect(chatState(reportOf(sessions))).toBe('1 of at most 24 tools loaded · 1 always loaded · gpt-4.1');
	});

	test('shows no limit if there is none', () => {
		expect(chatState(reportOf(hubWith(['read'], {}, { maxActiveSchemas: null })))).toBe('0 tools loaded');
	});

	test('says that discovery is off', () => {
		expect(chatState(reportOf(hubWith(['read'], {}, { enabled: false })))).toBe(
			'Discovery is off: 1 tool loaded',
		);
	});
});

describe('the tiles of the context page', () => {
	test('only show what a request would cost if none was sent yet', () => {
		const [now, saved, measured] = tilesOf(reportOf(hubWith(many)));
		expect(now?.source).toBe('estimated');
		expect(now?.share?.value).toBeGreaterThan(0.5);
		expect([saved, measured].map((tile) => [tile?.value, tile?.source])).toEqual([
			['–', undefined],
			['–', undefined],
		]);
	});

	test('show saved tokens, and the tokens that the provider counted', () => {
		const { costs } = reportOf(hubWith(many));
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
		expect(saved).toMatchObject({ value: '≈19k', source: 'estimated', share: { value: 0.95 } });
		expect(saved?.text).toContain('2 requests');
		expect(measured).toMatchObject({ value: '4k', source: 'measured', share: { value: 0.75 } });
	});

	test('show the cost of the chat only if the price is known', () => {
		const { costs, usage } = reportOf(hubWith(many));
		expect(tilesOf({ costs, usage }).map(({ key }) => key)).not.toContain('cost');
		const cost = { answers: 2, toldAnswers: 2, usd: 0.05, everyToolUsd: 1 };
		expect(tilesOf({ costs, usage: { ...usage, cost } }).at(-1)).toMatchObject({
			key: 'cost',
			value: '$0.05',
			source: 'measured',
			text: 'for 2 answers; ≈$1.00 with every tool loaded, estimated',
			share: { words: '95% saved', value: 0.95 },
		});
		const reckoned = { answers: 1, toldAnswers: 0, usd: 0.05 };
		expect(tilesOf({ costs, usage: { ...usage, cost: reckoned } }).at(-1)).toMatchObject({
			value: '≈$0.05',
			source: 'estimated',
			text: 'for 1 answer',
		});
	});

	test('show no saving if nothing was saved', () => {
		const { costs } = reportOf(hubWith(['read']));
		const usage = { ...noUsage, requests: 1, definitionTokens: 300, everyToolTokens: 100 };
		expect(tilesOf({ costs, usage })[1]).toMatchObject({ value: '0', text: 'tokens in 1 request' });
	});

	test('say why the Offline Planner saves nothing', () => {
		const { costs } = reportOf(hubWith(['read']));
		const usage = { ...noUsage, requests: 4 };
		expect(tilesOf({ costs, usage })[1]).toMatchObject({
			value: '–',
			text: 'The Offline Planner uses no tokens.',
		});
	});
});

describe('the rest of the context page', () => {
	test('shows when a tool was last used', () => {
		const timeline = happened(
			load('files:read', 'files:list'),
			{ kind: 'call', tool: 'files:read', ms: 1, failed: false },
			{ kind: 'unload', tools: namedTools('files:list') },
		);
		const [first, second] = timeline;
		expect([...lastUses(timeline)]).toEqual([
			['files:read', second?.at],
			['files:list', first?.at],
		]);
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
		expect(searches({ search_calls: 3, tools_discovered: 1, searches_without_hit: 2 })).toBe(
			'3 searches, 2 found nothing; 1 tool found.',
		);
		expect(searches({ search_calls: 1, tools_discovered: 0 })).toBe('1 search; 0 tools found.');
	});
});
