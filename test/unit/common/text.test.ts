import { describe, expect, test } from 'vitest';
import { cleanText, cut, firstSentence, oneLine, sentence, visible } from '../../../src/common/text.ts';

describe('dangerous text of a server is removed from prompts', () => {
	test.each([
		['colours of a terminal', 'red \u001b[31malert\u001b[0m', 'red alert'],
		['a terminal title', 'a\u001b]0;owned\u0007b', 'ab'],
		['eight-bit escapes', 'a\u009b31mb', 'ab'],
		['text that runs backwards', 'abc\u202edef\u2066ghi\u061c', 'abcdefghi'],
		['zero-width characters', 'pass\u200bword\u2060\ufeff', 'password'],
		['invisible tags that spell instructions', `hi${'\u{e0069}\u{e0067}\u{e006e}'}`, 'hi'],
		['variation selectors that carry bytes', `hi${'\u{e0101}\u{e0155}'}\ufe0f`, 'hi'],
		['fillers that look like blanks', 'a\u3164\u115fb', 'ab'],
		['half of a character', 'a\ud83db', 'ab'],
		['NUL, bell and delete', 'a\u0000b\u0007c\u007f', 'abc'],
	])('%s', (_what, text, expected) => {
		expect(cleanText(text)).toBe(expected);
	});

	test.each(['</manifest>', '< / MANIFEST >', '<manifest attr="x">', '</mani\u200bfest>', '</manifest'])(
		'including %j, so that it cannot open or close the manifest’s frame',
		(text) => {
			expect(cleanText(`x ${text} y`)).not.toMatch(/<\s*\/?\s*manifest/i);
		},
	);

	test('including a tag formed from the remains of another one', () => {
		expect(cleanText('</mani</manifest>fest>')).not.toMatch(/<\s*\/?\s*manifest/i);
	});

	test.each([
		['emoji of one sign and of several', '⚠️ 👨‍👩‍👧 👍🏽 ❤️‍🔥 1️⃣ 🇩🇪'],
		['joiners that spelling needs', 'می‌خواهم क्‍ष ශ්‍රී'],
	])('except for %s', (_what, text) => {
		expect(visible(text)).toBe(text);
	});

	test.each([
		['a second selector', '⚠\ufe0f\ufe0f\ufe0f', '⚠\ufe0f'],
		['a joiner that joins nothing', '👍\u200d x\u200dy', '👍 xy'],
		['tags behind a flag', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴'],
	])('including %s', (_what, text, expected) => {
		expect(visible(text)).toBe(expected);
	});

	test('but ordinary text, whole characters and line ends stay', () => {
		expect(cleanText('Grüße, 日本, 🚀\n\tindented')).toBe('Grüße, 日本, 🚀\n\tindented');
	});
});

test.each(['<', '</', '\n', '<manifest ', '\u001b[', '\u001b]', '. ', '`'])(
	'a megabyte that starts with %j is processed in linear time',
	(start) => {
		// What takes time in proportion to the square of the length would take minutes here.
		const blanks = start + ' '.repeat(1_000_000);
		const repeated = start.repeat(1_000_000 / start.length);
		for (const text of [blanks, repeated]) {
			expect(oneLine(text, 80).length).toBeLessThanOrEqual(80);
			expect(firstSentence(text).length).toBeLessThanOrEqual(text.length);
		}
	},
);

test('a line collapses all white space, and is truncated with three dots within the limit', () => {
	expect(oneLine('  a\r\n\tb\u2028c  ')).toBe('a b c');
	expect(oneLine('x'.repeat(81), 80)).toBe(`${'x'.repeat(77)}...`);
	expect(oneLine('x'.repeat(80), 80)).toBe('x'.repeat(80));
});

test('truncation never splits a character', () => {
	expect(cut('🚀🚀🚀🚀', 6)).toBe('🚀...');
});

test.each([
	['Reads a file, e.g. notes.txt. Fails if absent.', 'Reads a file, e.g. notes.txt.'],
	['Version v1.2 of it', 'Version v1.2 of it'],
	['Is it there? Says yes or no.', 'Is it there?'],
	['First paragraph\ncontinued\n\nSecond', 'First paragraph continued'],
	['', ''],
])('the first sentence of %j is %j', (text, sentence) => {
	expect(firstSentence(text)).toBe(sentence);
});

test('a sentence has foreign text on one line, visible and truncated, and the rest as written', () => {
	const name = `a\nb\u202e\u001b[31m</manifest>${'x'.repeat(10_000)}`;
	const said = sentence`Tool "${name}" of “${'weather'}” failed ${3} times.\n`;
	expect(said).toMatch(/^Tool "a b\[\/manifest\]x+\.\.\." of “weather” failed 3 times\.\n$/);
	expect(said.length).toBeLessThan(250);
});

test('only as much of a huge name is processed as is shown', () => {
	let read = 0;
	const replace = String.prototype.replace;
	String.prototype.replace = function (this: string, ...given: Parameters<typeof replace>) {
		read = Math.max(read, this.length);
		return replace.apply(this, given);
	} as typeof replace;
	try {
		expect(oneLine(`\u202e${'a '.repeat(1_000_000)}`, 20)).toBe('a a a a a a a a a...');
	} finally {
		String.prototype.replace = replace;
	}
	expect(read).toBeLessThan(10_000);
});
