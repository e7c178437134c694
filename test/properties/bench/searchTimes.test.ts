import { describe, expect, test } from 'vitest';
import type { Contender } from '../../../bench/contenders/contender.ts';
import { expectedMs, searchTimes } from '../../../bench/searchTimes.ts';

const MB_NUMBERS = 125_000;

describe('given a contender whose index of two megabytes is built in three slices', () => {
	const held: Float64Array[] = [];
	const asked: string[] = [];
	const contender: Contender = {
		name: 'two',
		async index(_tools, pause) {
			const index: Float64Array[] = [];
			await pause();
			index.push(new Float64Array(MB_NUMBERS));
			await pause();
			index.push(new Float64Array(MB_NUMBERS));
			return (query) => {
				asked.push(query);
				held.length = index.length;
				return [];
			};
		},
	};

	test('then its memory is measured, even if it was built before', async () => {
		for (const _ of [1, 2]) {
			const { megabytes } = await searchTimes(contender, [], ['a']);
			expect(megabytes).toBeGreaterThan(1);
			expect(megabytes).toBeLessThan(3);
		}
	});

	test('then indexing time includes pauses, and every query runs equally often', async () => {
		asked.length = 0;
		const times = await searchTimes(contender, [], ['a', 'b']);
		expect(times.contender).toBe('two');
		expect(times.pauseMs).toBeLessThanOrEqual(times.indexMs);
		expect(times.p50Us).toBeLessThanOrEqual(times.p99Us);
		const [a, b] = ['a', 'b'].map((query) => asked.filter((one) => one === query).length);
		expect(a).toBe(b);
		expect(a).toBeGreaterThan(2);
	});
});

describe('given the measured times of ten tools', () => {
	test('then the estimate for a hundred tools is ten times a build, a warm-up and a pass', () => {
		const times = { contender: 'c', indexMs: 20, pauseMs: 20, megabytes: 1, p50Us: 500, p99Us: 900 };
		expect(expectedMs(times, 10, 40)).toBe(10 * (20 + 2 * 40 * 0.5));
	});
});
