import { describe, expect, test } from 'vitest';
import type { LabelledQuery } from '../../../bench/querySet.ts';
import { judge, meanRelevance, type Relevance, toolsToJudge } from '../../../bench/relevance.ts';
import type { Tool } from '../../../src/discovery/index.ts';

const tool = (name: string): Tool => ({ server: 's', name, inputSchema: {} });
const filler = (n: number): Tool[] => Array.from({ length: n }, (_, i) => tool(`other_${i}`));

const query: LabelledQuery = {
	id: 'q',
	text: 'read the file and post it',
	gold: [
		[
			['s', 'read'],
			['s', 'cat'],
		],
		[['s', 'post']],
	],
	also: [['s', 'list']],
};

/** Gains of the first ranks, 1 / log2(1 + rank), and what two needs can have at most: 1 + 0.63093. */
const gain = { 1: 1, 2: 0.63093, 3: 0.5, 6: 0.356207, 7: 1 / 3 };
const idealOfTwo = 1.63093;

describe('given a query with two needs', () => {
	test('when one alternative of a need ranks first, then it is a hit and covers half of the needs', () => {
		const judged = judge(query, [tool('cat'), ...filler(9)]);
		expect(judged).toMatchObject({ hit1: 1, r5: 0.5, r10: 0.5, mrr: 1, refused: 0 });
		expect(judged.ndcg10).toBeCloseTo(gain[1] / idealOfTwo, 5);
	});

	test('when both alternatives of a need are found, then the need counts once, at the better rank', () => {
		const both = judge(query, [tool('cat'), tool('read')]);
		expect(both).toEqual(judge(query, [tool('cat')]));
	});

	test('when the second need is met at rank six, then only the top-ten measures count it', () => {
		const ranked = [...filler(1), tool('read'), ...filler(3), tool('post')];
		const judged = judge(query, ranked);
		expect(judged).toMatchObject({ hit1: 0, r5: 0.5, r10: 1, mrr: 0.5 });
		expect(judged.ndcg10).toBeCloseTo((gain[2] + gain[6]) / idealOfTwo, 5);
	});

	test('when both needs are met by the first two ranks, then every score is perfect, in either order', () => {
		expect(judge(query, [tool('post'), tool('read')])).toEqual({
			hit1: 1,
			r5: 1,
			r10: 1,
			mrr: 1,
			ndcg10: 1,
			refused: 0,
		});
	});

	test('when a helper tool ranks before the answer, then it takes up no rank', () => {
		const ranked = [tool('list'), tool('read'), ...filler(3), tool('post')];
		expect(judge(query, ranked)).toMatchObject({ hit1: 1, r5: 1, r10: 1, mrr: 1 });
		expect(toolsToJudge(query)).toBe(11);
	});

	test('when the answer is at rank eleven, then it does not count', () => {
		expect(judge(query, [...filler(10), tool('read')])).toMatchObject({
			r10: 0,
			mrr: 0,
			ndcg10: 0,
			refused: 0,
		});
	});

	test('when another server’s tool has the same name, then it is not a hit', () => {
		expect(judge(query, [{ ...tool('read'), server: 'elsewhere' }]).hit1).toBe(0);
	});

	test('when nothing is found, then the query counts as refused', () => {
		expect(judge(query, [])).toEqual({ hit1: 0, r5: 0, r10: 0, mrr: 0, ndcg10: 0, refused: 1 });
	});
});

describe('given a query with one need', () => {
	const one: LabelledQuery = { id: 'q', text: 'post', gold: [[['s', 'post']]] };

	test('then its gain depends on its rank', () => {
		expect(judge(one, [...filler(2), tool('post')])).toMatchObject({ mrr: 1 / 3, ndcg10: gain[3] });
		expect(judge(one, [...filler(6), tool('post')])).toMatchObject({ r5: 0, r10: 1, ndcg10: gain[7] });
	});
});

describe('given two needs that the same tool meets', () => {
	test('when it ranks first, then the scores are perfect and do not exceed one', () => {
		const sync: LabelledQuery = { id: 'q', text: 'pull and push', gold: [[['s', 'sync']], [['s', 'sync']]] };
		expect(judge(sync, [tool('sync')])).toMatchObject({ r5: 1, ndcg10: 1 });
	});
});

describe('given twelve needs', () => {
	test('when the first ten tools meet ten of them, then the nDCG is perfect', () => {
		const names = Array.from({ length: 12 }, (_, i) => `need_${i}`);
		const many: LabelledQuery = { id: 'q', text: 'all', gold: names.map((name) => [['s', name]]) };
		const judged = judge(many, names.map(tool));
		expect(judged.ndcg10).toBeCloseTo(1);
		expect(judged.r10).toBeCloseTo(10 / 12);
	});
});

describe('given several judgements', () => {
	test('then each measure is averaged', () => {
		const all: Relevance[] = [
			{ hit1: 1, r5: 1, r10: 1, mrr: 1, ndcg10: 0.5, refused: 0 },
			{ hit1: 0, r5: 0.5, r10: 1, mrr: 0.25, ndcg10: 0.25, refused: 1 },
		];
		expect(meanRelevance(all)).toEqual({
			hit1: 0.5,
			r5: 0.75,
			r10: 1,
			mrr: 0.625,
			ndcg10: 0.375,
			refused: 0.5,
		});
		expect(meanRelevance([])).toEqual({ hit1: 0, r5: 0, r10: 0, mrr: 0, ndcg10: 0, refused: 0 });
	});
});
