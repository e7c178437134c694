import { describe, expect, test } from 'vitest';
import { headAndTail, pageBytes, ResultPages } from '../../../../src/chat/results/resultPages.ts';

/** Characters of one to four bytes, of which some take two UTF-16 units. */
const mixed = 'aé日🌍';

function pagesOf(text: string): string[] {
	const pages = new ResultPages(Buffer.from(text));
	return Array.from({ length: pages.count }, (_, i) => pages.page(i + 1) ?? '');
}

describe('the pages of a large text', () => {
	test.each([
		['one endless line', mixed.repeat(20_000)],
		['emoji only', '🌍'.repeat(9_001)],
		['short lines', 'A line of a file, with 日本語 in it.\n'.repeat(3_000)],
		['lines that are longer than a page', `${'x'.repeat(pageBytes * 2)}\n`.repeat(5)],
		['blank lines', '\n'.repeat(30_000)],
		['a page and one byte', `${'x'.repeat(pageBytes)}y`],
		['exactly two pages', 'x'.repeat(pageBytes * 2)],
	])('%s: join to the whole text, stay within the limit and split no character', (_kind, text) => {
		const pages = pagesOf(text);
		expect(pages.join('')).toBe(text);
		expect(pages.length).toBeGreaterThan(1);
		for (const page of pages) {
			expect(Buffer.byteLength(page)).toBeLessThanOrEqual(pageBytes);
			expect(page).not.toContain('\ufffd');
		}
	});

	test('end at line ends when lines are short', () => {
		const pages = pagesOf('0123456789\n'.repeat(2_000));
		expect(pages.every((page) => page.endsWith('\n'))).toBe(true);
	});

	test('do not include page 0, a page past the last one, or a fraction', () => {
		const pages = new ResultPages(Buffer.from('abc'));
		expect([0, 1, 2, 1.5, Number.NaN, -1].map((number) => pages.page(number))).toEqual([
			undefined,
			'abc',
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});
});

describe('the head and tail of a large text', () => {
	test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('split no character at limit %i', (limit) => {
		const { head, tail } = headAndTail(Buffer.from(mixed.repeat(20)), limit, limit);
		expect(mixed.repeat(20).startsWith(head)).toBe(true);
		expect(mixed.repeat(20).endsWith(tail)).toBe(true);
		expect(Buffer.byteLength(head)).toBeLessThanOrEqual(limit);
		expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(limit);
	});

	test('are whole lines when lines are short', () => {
		const { head, tail } = headAndTail(Buffer.from('0123456789\n'.repeat(100)), 40, 40);
		expect(head).toBe('0123456789\n'.repeat(3));
		expect(tail).toBe('0123456789\n'.repeat(3));
	});

	test('do not overlap', () => {
		const { head, tail } = headAndTail(Buffer.from('abcdef'), 4, 4);
		expect(head + tail).toBe('abcdef');
	});
});
