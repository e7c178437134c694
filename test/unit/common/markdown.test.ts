import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { code, codeBlock, plain, quotedLines, withoutEscapes } from '../../../src/common/markdown.ts';
import { runs } from '../../effort.ts';
import { activeMarkup, hostileTexts } from './hostileText.ts';

describe.each(hostileTexts)('%j is shown as plain text', (text) => {
	test('when it is escaped', () => {
		expect(activeMarkup(plain(text))).toEqual([]);
		expect(plain(text)).not.toContain('\n');
	});

	test('when its lines are quoted', () => {
		const quoted = quotedLines(`first\n${text}\nlast`);
		expect(quoted).toMatch(/^> first {2}\n(> .*\n)*> last$/);
		expect(activeMarkup(quoted.replace(/^> /gm, ''))).toEqual([]);
	});

	test('when it is inline code', () => {
		expect(activeMarkup(`before ${code(text)} after`)).toEqual([]);
		expect(code(text)).not.toContain('\n');
	});

	test('when it is a code block', () => {
		expect(activeMarkup(`before\n\n${codeBlock(text, 'text')}\n\nafter`)).toEqual([]);
	});
});

test('the helper of these tests detects active markup', () => {
	for (const text of [
		'[x](command:y)',
		'<b>',
		'**b**',
		'https://evil.example',
		'``` \n```\n[x]',
		'\\\\[x]',
		'`a` [x]',
	]) {
		expect(activeMarkup(text), text).not.toEqual([]);
	}
	for (const text of ['plain, text.', '`[x](y)`', '```\n[x]\n```', '\\[x\\]', '`` ` [x] ``']) {
		expect(activeMarkup(text), text).toEqual([]);
	}
});

test('escaped text reads like the original', () => {
	expect(plain('a_b (c) [d] 1. #e').replace(/\\(?=[!-/:-@[-`{-~])/g, '')).toBe('a_b (c) [d] 1. #e');
	expect(code('write_file')).toBe('`write_file`');
});

test('a dialog shows our Markdown without escapes and stars, and values as they are', () => {
	const question = `⚠ **From ${code('a*b\\_c')}:** ${plain('1 * 2_3')} and ${code('**`x`**')}.`;
	expect(withoutEscapes(question)).toBe('⚠ From `a*b\\_c`: 1 * 2_3 and ``**`x`**``.');
});

test('code shows text exactly, without the changes made for prompts', () => {
	expect(codeBlock('<manifest package="a">\n')).toBe('```\n<manifest package="a">\n```');
	expect(code('a </manifest>')).toBe('`a </manifest>`');
});

test('inline code is truncated at a given limit', () => {
	expect(code('x'.repeat(30), 10)).toBe(`\`${'x'.repeat(7)}...\``);
});

test('inline code of an empty text is not a fence', () => {
	expect(code('')).toBe('` `');
	expect(code('\u200b\u202e')).toBe('` `');
});

test('no text at all becomes active markup', () => {
	const text = fc.string({
		unit: fc.constantFrom(...'`~*_[]()<>!#:|$&\\\n -=+.', 'a', 'javascript', 'https', 'command', '//', '@'),
	});
	fc.assert(
		fc.property(text, (written) => {
			expect(activeMarkup(plain(written))).toEqual([]);
			expect(activeMarkup(`x ${code(written)} y`)).toEqual([]);
			expect(activeMarkup(`x\n\n${codeBlock(written)}\n\ny`)).toEqual([]);
		}),
		{ numRuns: runs(200) },
	);
});

describe('given a text that already is a code block', () => {
	test('then it is not fenced again, and keeps its language', () => {
		expect(codeBlock('```json\n{ "a": 1 }\n```\n', 'text')).toBe('```json\n{ "a": 1 }\n```');
		expect(codeBlock('~~~~\na\n```\n~~~~', 'text')).toBe('````text\na\n```\n````');
	});

	test('then it is not fenced again even if its end was truncated', () => {
		expect(codeBlock('```python\nprint(1)\nprint(', 'text')).toBe('```python\nprint(1)\nprint(\n```');
	});

	test('then it is fenced again if it only looks like one block', () => {
		const two = '```\na\n```\nand\n```\nb\n```';
		expect(codeBlock(two)).toBe(`\`\`\`\`\n${two}\n\`\`\`\``);
		expect(codeBlock('```[x](y)\na\n```')).toBe('````\n```[x](y)\na\n```\n````');
	});
});
