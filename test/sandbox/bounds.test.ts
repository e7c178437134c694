import { describe, expect, test } from 'vitest';
import { isWithinBounds } from '../../src/sandbox/bounds.ts';

function nested(levels: number): unknown {
	let value: unknown = {};
	for (let level = 1; level < levels; level++) value = { a: value };
	return value;
}

describe('what is checked has bounds', () => {
	test.each([
		['64 levels', nested(64), true],
		['65 levels', nested(65), false],
		['100,000 levels', nested(100_000), false],
		['20,000 nodes', Array(19_999).fill(0), true],
		['20,001 nodes', Array(20_000).fill(0), false],
		['512 k characters of text', 'a'.repeat(512 * 1024), true],
		['one more', ['a'.repeat(512 * 1024)], false],
		['512 k characters of names', { ['a'.repeat(512 * 1024 + 1)]: 0 }, false],
		['nothing', undefined, true],
	])('%s', (_what, value, isWithin) => {
		expect(isWithinBounds(value)).toBe(isWithin);
	});
});
