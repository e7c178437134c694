import { describe, expect, test } from 'vitest';
import { csv } from '../../../../src/vscode/context/exports/csv.ts';

function lineOf(...cells: Parameters<typeof csv>[1][number]): string | undefined {
	return csv(['a'], [cells]).split('\r\n')[1];
}

describe('a table as CSV', () => {
	test('has its header first, and every line ended by CR LF', () => {
		expect(csv(['a', 'b'], [[1, true]])).toBe('a,b\r\n1,true\r\n');
	});

	test('quotes what would end a cell or a line, and doubles quotes', () => {
		expect(csv(['a'], [['x,y', 'say "hi"', 'two\nlines']])).toBe('a\r\n"x,y","say ""hi""","two\nlines"\r\n');
	});

	test('leaves nothing empty', () => {
		expect(lineOf(undefined, 0, '', false)).toBe(',0,,false');
	});

	test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('keeps a spreadsheet from computing %j', (text) => {
		expect(lineOf(text)).toBe(`'${text}`);
	});

	test('keeps it from computing what is quoted, too', () => {
		expect(lineOf('=HYPERLINK("http://x","y")')).toBe('"\'=HYPERLINK(""http://x"",""y"")"');
		expect(csv(['a'], [['\r=1']])).toBe('a\r\n"\'\r=1"\r\n');
	});

	test('leaves numbers numbers', () => {
		expect(lineOf(-5)).toBe('-5');
	});
});
