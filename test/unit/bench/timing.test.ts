import { describe, expect, it } from 'vitest';
import { median, percentile } from '../../../bench/timing.ts';

describe('given the numbers from 1 to 100 in disorder', () => {
	const numbers = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);

	it('then each percentile is the number of that name', () => {
		expect([0.01, 0.5, 0.99, 1].map((share) => percentile(numbers, share))).toEqual([1, 50, 99, 100]);
	});

	it('then they stay in their order', () => {
		const before = [...numbers];
		percentile(numbers, 0.5);
		expect(numbers).toEqual(before);
	});
});

describe('given few values', () => {
	it('then a percentile is one of them, never something between', () => {
		expect(percentile([10, 30, 20], 0.99)).toBe(30);
		expect(median([40, 10, 30, 20])).toBe(20);
		expect(median([7])).toBe(7);
	});

	it('then none give no number', () => {
		expect(percentile([], 0.5)).toBeNaN();
	});
});
