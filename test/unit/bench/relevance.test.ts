import { describe, expect, it } from 'vitest';
import type { LabelledQuery } from '../../../bench/querySet.ts';
import { judge, meanRelevance } from '../../../bench/relevance.ts';
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

describe('given a query with two needs', () => {
	it('when one alternative of a need comes first, then that is a hit and half of the needs', () => {
		expect(judge(query, [tool('cat'), ...filler(9)])).toEqual({ hit1: 1, r5: 0.5, r10: 0.5 });
	});

	it('when both alternatives of one need come, then the need still counts once', () => {
		expect(judge(query, [tool('cat'), tool('read')])).toEqual({ hit1: 1, r5: 0.5, r10: 0.5 });
	});

	it('when the second need is met in sixth place, then only recall@10 counts it', () => {
		const ranked = [...filler(1), tool('read'), ...filler(3), tool('post')];
		expect(judge(query, ranked)).toEqual({ hit1: 0, r5: 0.5, r10: 1 });
	});

	it('when a helper stands before the answer, then it takes no place', () => {
		const ranked = [tool('list'), tool('read'), ...filler(3), tool('post')];
		expect(judge(query, ranked)).toEqual({ hit1: 1, r5: 1, r10: 1 });
	});

	it('when another server has a tool of that name, then that is no hit', () => {
		expect(judge(query, [{ ...tool('read'), server: 'elsewhere' }]).hit1).toBe(0);
	});
});

describe('given several judgements', () => {
	it('then their mean is that of each measure', () => {
		const all = [
			{ hit1: 1, r5: 1, r10: 1 },
			{ hit1: 0, r5: 0.5, r10: 1 },
		];
		expect(meanRelevance(all)).toEqual({ hit1: 0.5, r5: 0.75, r10: 1 });
		expect(meanRelevance([])).toEqual({ hit1: 0, r5: 0, r10: 0 });
	});
});
