import { describe, expect, test } from 'vitest';
import { median, percentile, timeOf, timeSlices } from '../../../bench/timing.ts';

describe('given the shuffled numbers from 1 to 100', () => {
	const numbers = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);

	test('then each percentile is the matching number', () => {
		expect([0.01, 0.5, 0.99, 1].map((share) => percentile(numbers, share))).toEqual([1, 50, 99, 100]);
	});

	test('then their order is not changed', () => {
		const before = [...numbers];
		percentile(numbers, 0.5);
		expect(numbers).toEqual(before);
	});
});

describe('given few values', () => {
	test('then a percentile is one of the values, never interpolated', () => {
		expect(percentile([10, 30, 20], 0.99)).toBe(30);
		expect(median([40, 10, 30, 20])).toBe(20);
		expect(median([7])).toBe(7);
	});

	test('then an empty list gives NaN', () => {
		expect(percentile([], 0.5)).toBeNaN();
	});
});

describe('given work that pauses twice', () => {
	const work = async (pause: () => Promise<void>): Promise<string> => {
		await pause();
		await pause();
		return 'done';
	};

	test('then it has three slices, and its result is returned', async () => {
		const { result, sliceMs } = await timeSlices(work);
		expect(result).toBe('done');
		expect(sliceMs).toHaveLength(3);
		expect(Math.min(...sliceMs)).toBeGreaterThanOrEqual(0);
	});

	test('then other work runs during a pause, and its time is not counted', async () => {
		let othersMs = 0;
		setImmediate(() => {
			othersMs = timeOf(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50));
		});
		const { sliceMs } = await timeSlices(work);
		expect(othersMs).toBeGreaterThan(0);
		expect(sliceMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(othersMs);
	});
});
