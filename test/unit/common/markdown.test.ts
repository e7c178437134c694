import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { code, codeBlock, plain } from '../../../src/common/markdown.ts';
import { runs } from '../../effort.ts';
import { activeMarkup, hostileTexts } from './hostileText.ts';

describe.each(hostileTexts)('%j is shown, not obeyed', (text) => {
	test('as text', () => {
		expect(activeMarkup(plain(text))).toEqual([]);
		expect(plain(text)).not.toContain('\n');
	});

	test('as inline code', () => {
		expect(activeMarkup(`before ${code(text)} after`)).toEqual([]);
		expect(code(text)).not.toContain('\n');
	});

	test('as a block of code', () => {
		expect(activeMarkup(`before\n\n${codeBlock(text, 'text')}\n\nafter`)).toEqual([]);
	});
});

test('what these tests call markup is found where it is', () => {
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

test('what is escaped reads as it was', () => {
	expect(plain('a_b (c) [d] 1. #e').replace(/\\(?=[!-/:-@[-`{-~])/g, '')).toBe('a_b (c) [d] 1. #e');
	expect(code('write_file')).toBe('`write_file`');
});

test('a person reads the text itself, not what a prompt makes of it', () => {
	expect(codeBlock('<manifest package="a">\n')).toBe('```\n<manifest package="a">\n```');
	expect(code('a </manifest>')).toBe('`a </manifest>`');
});

test('inline code is cut where a limit is given', () => {
	expect(code('x'.repeat(30), 10)).toBe(`\`${'x'.repeat(7)}...\``);
});

test('code of nothing is code, and does not open a fence', () => {
	expect(code('')).toBe('` `');
	expect(code('\u200b\u202e')).toBe('` `');
});

test('whatever a text is: nothing of it is markup', () => {
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

describe('a text that is a block of code already', () => {
	test('is not fenced a second time, and keeps its language', () => {
		expect(codeBlock('```json\n{ "a": 1 }\n```\n', 'text')).toBe('```json\n{ "a": 1 }\n```');
		expect(codeBlock('~~~~\na\n```\n~~~~', 'text')).toBe('````text\na\n```\n````');
	});

	test('is not even where its end was cut off', () => {
		expect(codeBlock('```python\nprint(1)\nprint(', 'text')).toBe('```python\nprint(1)\nprint(\n```');
	});

	test('is shown as it is where there is more beside it, or where it only looks like one', () => {
		const two = '```\na\n```\nand\n```\nb\n```';
		expect(codeBlock(two)).toBe(`\`\`\`\`\n${two}\n\`\`\`\``);
		expect(codeBlock('```[x](y)\na\n```')).toBe('````\n```[x](y)\na\n```\n````');
	});
});
