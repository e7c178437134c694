import { describe, expect, it } from 'vitest';
import { median, percentile, timeOf, timeSlices } from '../../../bench/timing.ts';

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

describe('given work that pauses twice', () => {
	const work = async (pause: () => Promise<void>): Promise<string> => {
		await pause();
		await pause();
		return 'done';
	};

	it('then it has three slices, and gives what it gives', async () => {
		const { result, sliceMs } = await timeSlices(work);
		expect(result).toBe('done');
		expect(sliceMs).toHaveLength(3);
		expect(Math.min(...sliceMs)).toBeGreaterThanOrEqual(0);
	});

	it('then others have their turn in a pause, and their time is not counted', async () => {
		let othersMs = 0;
		setImmediate(() => {
			othersMs = timeOf(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50));
		});
		const { sliceMs } = await timeSlices(work);
		expect(othersMs).toBeGreaterThan(0);
		expect(sliceMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(othersMs);
	});
});
