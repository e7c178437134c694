import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import { type DiscoveryPolicy, defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import { searchFixes } from '../../../../src/discovery/evaluation/searchFixes.ts';
import { office, policyFor, servers, surfaceOf, tool } from '../fixtures.ts';
import { asks } from './evaluating.ts';

/** `slack:send_message: words` of each hint that is proposed. */
async function proposed(
	all: readonly CatalogServer[],
	queries: readonly LabelledQuery[],
	more: Partial<DiscoveryPolicy> = {},
): Promise<string[]> {
	const surface = surfaceOf(all, more);
	const fixes = await searchFixes(await evaluate(surface, queries, { pause: async () => {} }), surface);
	return fixes.map((fix) => `${fix.server}:${fix.tool}: ${fix.words} <- ${fix.queries.join(', ')}`);
}

describe('given a query with words that its tool lacks', () => {
	test('then the proposed hint has these words in order, without small talk', async () => {
		const query = 'please frobnicate the sprocket for me';
		expect(await proposed(office, [asks(query, 'slack:list_channels')])).toEqual([
			`slack:list_channels: frobnicate sprocket <- ${query}`,
		]);
	});

	test('when there are many such words, then the hint has the rarest ones', async () => {
		const all = servers({ a: [tool('a', 'x', 'wombats'), tool('a', 'y', 'wombats in burrows'), 'z'] });
		const [fix] = await proposed(all, [asks('wombats burrows gubbins sprockets', 'a:z')], {
			ranking: 'name-parts',
		});
		expect(fix).toMatch(/^a:z: burrows gubbins sprockets <-/);
	});

	test('when two queries for one tool fail, then one hint covers both without duplicate words', async () => {
		const queries = [
			asks('gubbins', 'slack:list_channels'),
			asks('gubbins sprockets', 'slack:list_channels'),
		];
		expect(await proposed(office, queries)).toEqual([
			'slack:list_channels: gubbins sprockets <- gubbins, gubbins sprockets',
		]);
	});

	test('when the query needs two tools, then each tool gets a hint', async () => {
		const query = asks('gubbins', 'slack:list_channels', 'calendar:delete_event');
		expect(await proposed(office, [query])).toEqual([
			'slack:list_channels: gubbins <- gubbins',
			'calendar:delete_event: gubbins <- gubbins',
		]);
	});

	test('when either of two tools is enough, then the better match gets the hint', async () => {
		const all = servers({ a: [tool('a', 'x'), tool('a', 'y', 'about wombats')] });
		const many = servers({ b: Array.from({ length: 9 }, (_, i) => tool('b', `wombats_${i}`)) });
		const [fix] = await proposed([...all, ...many], [asks('wombats gubbins', ['a:x', 'a:y'])]);
		expect(fix).toMatch(/^a:y: /);
	});
});

describe('no hint is proposed', () => {
	test('with words that the tool’s name or hint already has', async () => {
		const tools = new Map([['list_channels', { searchHint: 'gubbins' }]]);
		const slack = { ...defaultServerPolicy, deferLoading: true, tools };
		const hinted = { servers: new Map(policyFor(office).servers).set('slack', slack) };
		const query = asks('gubbins channel sprocket', 'slack:list_channels', 'calendar:delete_event');
		const fixes = await proposed(office, [query], hinted);
		expect(fixes.filter((fix) => /^slack:.*(gubbins|channel).*<-/.test(fix))).toEqual([]);
	});

	test('for a query that is answered correctly or that should find nothing', async () => {
		expect(
			await proposed(office, [asks('list channels', 'slack:list_channels'), asks('send a message')]),
		).toEqual([]);
	});

	test('when the ranking ignores hints', async () => {
		const query = asks('gubbins', 'slack:list_channels');
		expect(await proposed(office, [query], { ranking: 'okapi' })).toEqual([]);
		expect(await proposed(office, [query], { ranking: 'name-parts' })).toHaveLength(1);
	});
});
