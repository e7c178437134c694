import { expect, test } from 'vitest';
import { exactText, writtenOut } from '../../../src/common/exactText.ts';

test.each([
	['the Kelvin sign', '\u212a'],
	['a Greek question mark', 'x\u037ey'],
	['a script g', '\u0261it'],
	['a Roman numeral', 'pay\u2160'],
	['a slash that is none', 'etc\u2215passwd'],
	['a full stop that is none', 'a\u2024com'],
	['a hyphen that is none', 'rm \u2011rf'],
	['a Cyrillic letter behind a digit', 'v1\u0430'],
	['a Coptic letter in a word', 'c\u2c9fm'],
	['a Hebrew letter in a word', 'g\u05e1ogle'],
	['a Bengali digit in a number', '8\u09ea'],
	['a mark that strikes a letter out', 'pa\u0336y'],
	['marks that pile up', `a${'\u0301'.repeat(9)}`],
	['a placeholder of an object', 'x\ufffcy'],
	['other letters behind a thousand Latin ones', `${'a'.repeat(1_000)}\u0440\u0430`],
])('%s is escaped', (_what, text) => {
	expect(writtenOut(text)).toMatch(/\\u\{[\dA-F]+\}/);
});

test.each([
	'Grüße an Åsa, 5 µm',
	'Привет, дом 5а',
	'Tiếng Việt',
	'iPhoneを買う',
	'ใช้API',
	'नमस्ते',
	'مرحبا',
	'½ cup — “quoted” ™ H₂O',
	'1️⃣ 👨‍👩‍👧',
])('%j stays unescaped', (text) => {
	expect(writtenOut(text)).toBe(text);
});

test.each([
	['C:\\Users\\ada', 'C:\\Users\\ada'],
	['C:\\Program Files\\x', '"C:\\\\Program Files\\\\x"'],
	['\\u{202E}', '"\\\\u{202E}"'],
	['', '""'],
])('as a word, %j is %s', (text, word) => {
	expect(exactText(text)).toBe(word);
});
