import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortestPiece, TextMatcher } from '../../../../src/chat/results/textMatcher.ts';
import { runs } from '../../../effort.ts';

/** The longest piece of each text, as somebody would find it who has time. */
function longestPieces(texts: readonly string[], other: string): number[] {
	return texts.map((text) => {
		let longest = 0;
		for (let start = 0; start < text.length; start++) {
			while (other.includes(text.slice(start, start + longest + 1)) && start + longest < text.length)
				longest++;
		}
		return longest >= shortestPiece ? longest : 0;
	});
}

test('every common text of 24 characters or more is found, and nothing shorter', () => {
	// Few letters, so that much agrees; no digits, so that nothing looks like a secret.
	const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 120 });
	const random = fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((it) => it.replace(/\d/g, 'x'));
	fc.assert(
		fc.property(text, random, random, random, (shared, before, between, after) => {
			const other = `${before}${shared}${after}`;
			const looked = [`${after}${shared}${between}`, shared, between];
			const found = new TextMatcher(looked).longestIn(other);
			const lengths = looked.map((_, i) => found.find(({ index }) => index === i)?.length ?? 0);
			const expected = longestPieces(looked, other);
			expect(lengths.map((length) => length > 0)).toEqual(expected.map((length) => length > 0));
			for (const { index, start, length } of found) {
				expect(other).toContain(looked[index]?.slice(start, start + length));
			}
		}),
		{ numRuns: runs(100), seed: 3 },
	);
});

test('a piece of 24 characters is found at any offset, and one of 23 never', () => {
	const piece = 'abcdefghijklmnopqrstuvwx';
	for (let offset = 0; offset < 60; offset++) {
		const matcher = new TextMatcher([`${'-'.repeat(offset)}${piece}!`]);
		expect(matcher.longestIn(`${'.'.repeat(60 - offset)}${piece}?`)).toEqual([
			{ index: 0, start: offset, length: piece.length },
		]);
		expect(matcher.longestIn(`${'.'.repeat(60 - offset)}${piece.slice(1)}?`)).toEqual([]);
	}
});

describe('text that looks like a secret matches from 12 characters on', () => {
	const told =
		'The token is sk-ab12CD34ef, the card 4111111111111111, the day 2026-11-21, the word configuration.';
	test.each([
		['a key', 'sk-ab12CD34ef', true],
		['a key in a sentence', 'Use sk-ab12CD34ef.', true],
		['a number of a card', 'pay with 4111111111111111', true],
		['a part of a key', 'sk-ab12CD34', false],
		['a word', 'the configuration', false],
		['a day', 'on 2026-11-21,', false],
	])('%s', (_what, text, isFound) => {
		expect(new TextMatcher([text]).longestIn(told).length > 0).toBe(isFound);
	});
});

test.each([
	['of one letter', 'a', `${'a'.repeat(20)}b`],
	['that agree almost as long as it takes', `${'a'.repeat(23)}b`, `${'a'.repeat(22)}b`],
	['of pairs', 'ab', 'ab'.repeat(11)],
])('texts %s are searched in linear time', (_what, theirs, ours) => {
	// What compares everything with everything would take minutes.
	const other = theirs.repeat(1_000_000 / theirs.length);
	const matcher = new TextMatcher([ours.repeat(400), ours.repeat(300)]);
	expect(matcher.longestIn(other).length).toBeLessThanOrEqual(2);
});
