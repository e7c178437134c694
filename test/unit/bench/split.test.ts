import { describe, expect, test } from 'vitest';
import { fnv1a, inTuningPart } from '../../../bench/split.ts';

describe('given test vectors of FNV-1a', () => {
	test('then the hashes match', () => {
		expect(['', 'a', 'foobar'].map(fnv1a)).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
	});
});

describe('given labelled queries', () => {
	test('then each query always falls into the same part', () => {
		const ids = [
			'q001',
			'q002',
			'az0',
			'az1',
			'mt0',
			'G1_instruction588',
			'live_multiple_2-1-0',
			'q-fs-read-many',
		];
		const tuned = ids.filter((id) => inTuningPart({ id }));
		expect(tuned).toEqual(['q001', 'q002', 'az0', 'live_multiple_2-1-0']);
	});

	test('then about half of them are for tuning, even with consecutive ids', () => {
		const sides = Array.from({ length: 1_000 }, (_, i) => inTuningPart({ id: `q${1_000 + i}` }));
		const tuned = sides.filter(Boolean).length;
		const changes = sides.filter((side, i) => i > 0 && side !== sides[i - 1]).length;
		for (const number of [tuned, changes]) {
			expect(number).toBeGreaterThan(400);
			expect(number).toBeLessThan(600);
		}
	});

	test('then all queries of a task fall into the same part', () => {
		for (const task of ['0e3287cb', '5a2720cd', 'f1', 'f2', 'f3', 'f4']) {
			const sides = [task, `${task}#2`, `${task}#17`].map((id) => inTuningPart({ id }));
			expect(new Set(sides).size).toBe(1);
		}
	});
});
