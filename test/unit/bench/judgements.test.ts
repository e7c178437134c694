import { describe, expect, test } from 'vitest';
import type { Contender } from '../../../bench/contenders/contender.ts';
import { judgeSet, macroScores, scoresBy } from '../../../bench/judgements.ts';
import type { LabelledQuery, QuerySet } from '../../../bench/querySet.ts';
import type { Tool } from '../../../src/discovery/index.ts';

const tools: Tool[] = ['read', 'write', 'post'].map((name) => ({ server: 's', name, inputSchema: {} }));

const query = (id: string, text: string, wanted: string | undefined, kind: string): LabelledQuery => ({
	id,
	kind,
	text,
	gold: wanted === undefined ? [] : [[['s', wanted]]],
});

const set: QuerySet = {
	name: 'small',
	tools,
	queries: [
		query('1', 'read', 'read', 'plain'),
		query('2', 'store', 'write', 'synonym'),
		query('3', 'post read', 'read', 'plain'),
		query('4', 'post coffee', undefined, 'negative'),
		query('5', 'brew coffee', undefined, 'negative'),
	],
};

/** Finds the tools whose names stand in the query, in the query's order. */
const byName: Contender = {
	name: 'byName',
	index: async (indexed) => (text, limit) =>
		text
			.split(' ')
			.flatMap((word) => indexed.filter(({ name }) => name === word))
			.slice(0, limit),
};

describe('given a contender and a set of queries', () => {
	test('then only queries with an answer are judged, and one without results counts as refused', async () => {
		const { judgements } = await judgeSet(set, byName);
		expect(judgements.map((one) => [one.query.id, one.relevance.mrr, one.relevance.refused])).toEqual([
			['1', 1, 0],
			['2', 0, 1],
			['3', 0.5, 0],
		]);
	});

	test('then a query without an answer that still gets results counts as a false alarm', async () => {
		const { falseAlarms } = await judgeSet(set, byName);
		expect(falseAlarms).toEqual({ set: 'small', contender: 'byName', negatives: 2, answered: 1 });
	});

	test('then each group of queries has its own scores', async () => {
		const { judgements } = await judgeSet(set, byName);
		const scores = scoresBy(judgements, ({ query }) => (query.kind === 'plain' ? 'small.plain' : undefined));
		expect(scores).toHaveLength(1);
		expect(scores[0]).toMatchObject({ name: 'small.plain', contender: 'byName', queries: 2 });
		expect(scores[0]?.relevance).toMatchObject({ hit1: 0.5, mrr: 0.75 });
	});
});

describe('given a large set and a small one', () => {
	test('then both weigh the same in the macro score', async () => {
		const large = await judgeSet(set, byName);
		const [first] = set.queries;
		const small = await judgeSet({ ...set, name: 'tiny', queries: first ? [first] : [] }, byName);
		const [macro] = macroScores('macro', [...large.judgements, ...small.judgements]);
		expect(macro).toMatchObject({ name: 'macro', contender: 'byName', queries: 4 });
		expect(macro?.relevance.hit1).toBeCloseTo((1 / 3 + 1) / 2);
	});
});
