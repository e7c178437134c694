import { describe, expect, test } from 'vitest';
import { restartDelayMs } from '../../../src/mcp/backoff.ts';
import { defaultLimits } from '../../../src/mcp/limits.ts';

describe('the wait before a restart', () => {
	test('doubles from one second to sixteen, five times, then there is none', () => {
		const waits = [1, 2, 3, 4, 5, 6].map((failures) => restartDelayMs(failures, 0.5, defaultLimits));
		expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
	});

	test('varies by a fifth either way', () => {
		expect(restartDelayMs(1, 0, defaultLimits)).toBe(800);
		expect(restartDelayMs(1, 1, defaultLimits)).toBe(1_200);
	});
});
