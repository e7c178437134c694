import { describe, expect, test } from 'vitest';
import { csv, timelineCsv } from '../../../../src/vscode/context/timelineCsv.ts';
import { happened, load, namedTools, turn } from './happenings.ts';

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

function rows(text: string): readonly Readonly<Record<string, string>>[] {
	const [header = '', ...lines] = text.trimEnd().split('\r\n');
	const columns = header.split(',');
	return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [columns[i], cell])));
}

describe('a timeline as CSV', () => {
	test('has a row an entry, with its time and its turn', () => {
		const table = rows(timelineCsv(happened(load('files:read'), turn('read it'), turn('again'))));
		expect(table.map(({ at, turn, kind }) => [at, turn, kind])).toEqual([
			['2026-01-02T12:00:00.000Z', '0', 'load'],
			['2026-01-02T12:00:01.000Z', '1', 'turn'],
			['2026-01-02T12:00:02.000Z', '2', 'turn'],
		]);
		expect(table[0]).toMatchObject({
			tools: 'files:read',
			count: '1',
			words: 'read a file',
			reason: 'search',
		});
		expect(table[1]).toMatchObject({ model: 'gpt-4.1', words: 'read it' });
	});

	test('numbers the turns as the entries have them', () => {
		const entries = happened(load('files:read'), turn('again')).map((entry, i) => ({
			...entry,
			turn: 41 + i,
		}));
		expect(rows(timelineCsv(entries)).map(({ turn: number }) => number)).toEqual(['41', '42']);
	});

	test('has what was estimated and what was measured of a request', () => {
		const measured = {
			inputTokens: 900,
			outputTokens: 30,
			cachedInputTokens: 700,
			thoughtTokens: 20,
			usd: 0.002,
		};
		const [row] = rows(
			timelineCsv(happened({ kind: 'request', tools: 4, tokens: 500, everyToolTokens: 9000, measured })),
		);
		expect(row).toMatchObject({
			count: '4',
			definition_tokens: '500',
			every_tool_tokens: '9000',
			input_tokens: '900',
			cached_input_tokens: '700',
			output_tokens: '30',
			cache_write_tokens: '',
			thought_tokens: '20',
			usd: '0.002',
		});
	});

	test('says what failed', () => {
		const table = rows(
			timelineCsv(
				happened(
					{ kind: 'call', tool: 'files:read', ms: 12, failed: true },
					{ kind: 'search', words: '', found: namedTools(), fault: 'no such server' },
					{ kind: 'search', words: 'x', found: namedTools('a:b', 'c:d') },
					{ kind: 'agent', agent: 'scout', task: 'look', ms: 5, calls: 2, failed: false },
					{ kind: 'failure', message: 'stopped' },
				),
			),
		);
		expect(table.map(({ failed }) => failed)).toEqual(['true', 'true', 'false', 'false', 'true']);
		expect(table[0]).toMatchObject({ tools: 'files:read', ms: '12' });
		expect(table[2]).toMatchObject({ tools: 'a:b c:d', count: '2' });
	});

	test('keeps what a user wrote from running as a formula', () => {
		expect(timelineCsv(happened(turn('=cmd()')))).toContain(",'=cmd(),");
	});
});
