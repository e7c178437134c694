import { expect, test } from 'vitest';
import { slopeOf } from '../../soak/growth.ts';

test('the slope of a line is that of its points, whatever swings evenly about it', () => {
	const points = [0, 1, 2, 3, 4, 5, 6].map((at) => ({ at, value: 7 + 2 * at }));
	const swings = [1, -1, 0, 0, 0, -1, 1];
	const swinging = points.map(({ at, value }, i) => ({ at, value: value + (swings[i] ?? 0) }));
	expect(slopeOf(points)).toBeCloseTo(2);
	expect(slopeOf(swinging)).toBeCloseTo(2);
});

test('nothing grows within no time', () => {
	expect(slopeOf([])).toBe(0);
	expect(slopeOf([{ at: 3, value: 5 }])).toBe(0);
	expect(
		slopeOf([
			{ at: 3, value: 5 },
			{ at: 3, value: 9 },
		]),
	).toBe(0);
});
