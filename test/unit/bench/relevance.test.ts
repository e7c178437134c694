import { describe, expect, it } from 'vitest';
import type { LabelledQuery } from '../../../bench/querySet.ts';
import { judge, toolsToJudge } from '../../../bench/relevance.ts';
import { meanRelevance, type Relevance } from '../../../src/discovery/evaluation/relevance.ts';
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
	it('when one alternative of a need comes first, then that is a hit and half of the needs', () => {
		const judged = judge(query, [tool('cat'), ...filler(9)]);
		expect(judged).toMatchObject({ hit1: 1, r5: 0.5, r10: 0.5, mrr: 1, refused: 0 });
		expect(judged.ndcg10).toBeCloseTo(gain[1] / idealOfTwo, 5);
	});

	it('when both alternatives of one need come, then the need still counts once, where the first one stands', () => {
		const both = judge(query, [tool('cat'), tool('read')]);
		expect(both).toEqual(judge(query, [tool('cat')]));
	});

	it('when the second need is met in sixth place, then only what looks at ten counts it', () => {
		const ranked = [...filler(1), tool('read'), ...filler(3), tool('post')];
		const judged = judge(query, ranked);
		expect(judged).toMatchObject({ hit1: 0, r5: 0.5, r10: 1, mrr: 0.5 });
		expect(judged.ndcg10).toBeCloseTo((gain[2] + gain[6]) / idealOfTwo, 5);
	});

	it('when both come first, in any order, then nothing is missing', () => {
		expect(judge(query, [tool('post'), tool('read')])).toEqual({
			hit1: 1,
			r5: 1,
			r10: 1,
			mrr: 1,
			ndcg10: 1,
			refused: 0,
		});
	});

	it('when a helper stands before the answer, then it takes no place', () => {
		const ranked = [tool('list'), tool('read'), ...filler(3), tool('post')];
		expect(judge(query, ranked)).toMatchObject({ hit1: 1, r5: 1, r10: 1, mrr: 1 });
		expect(toolsToJudge(query)).toBe(11);
	});

	it('when an answer stands in eleventh place, then it is too late', () => {
		expect(judge(query, [...filler(10), tool('read')])).toMatchObject({
			r10: 0,
			mrr: 0,
			ndcg10: 0,
			refused: 0,
		});
	});

	it('when another server has a tool of that name, then that is no hit', () => {
		expect(judge(query, [{ ...tool('read'), server: 'elsewhere' }]).hit1).toBe(0);
	});

	it('when nothing comes back, then it was refused', () => {
		expect(judge(query, [])).toEqual({ hit1: 0, r5: 0, r10: 0, mrr: 0, ndcg10: 0, refused: 1 });
	});
});

describe('given a query with one need', () => {
	const one: LabelledQuery = { id: 'q', text: 'post', gold: [[['s', 'post']]] };

	it('then its gain is that of its rank', () => {
		expect(judge(one, [...filler(2), tool('post')])).toMatchObject({ mrr: 1 / 3, ndcg10: gain[3] });
		expect(judge(one, [...filler(6), tool('post')])).toMatchObject({ r5: 0, r10: 1, ndcg10: gain[7] });
	});
});

describe('given two needs that one tool meets', () => {
	it('when it comes first, then that is all there is, not more', () => {
		const sync: LabelledQuery = { id: 'q', text: 'pull and push', gold: [[['s', 'sync']], [['s', 'sync']]] };
		expect(judge(sync, [tool('sync')])).toMatchObject({ r5: 1, ndcg10: 1 });
	});
});

describe('given twelve needs', () => {
	it('when the first ten tools meet ten of them, then no ranking of ten could do better', () => {
		const names = Array.from({ length: 12 }, (_, i) => `need_${i}`);
		const many: LabelledQuery = { id: 'q', text: 'all', gold: names.map((name) => [['s', name]]) };
		const judged = judge(many, names.map(tool));
		expect(judged.ndcg10).toBeCloseTo(1);
		expect(judged.r10).toBeCloseTo(10 / 12);
	});
});

describe('given several judgements', () => {
	it('then their mean is that of each measure', () => {
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
