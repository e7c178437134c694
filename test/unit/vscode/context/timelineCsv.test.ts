import { describe, expect, test } from 'vitest';
import { timelineCsv } from '../../../../src/vscode/context/exports/timelineCsv.ts';
import { happened, load, names, turn } from './timeline.ts';

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
					{ kind: 'search', words: '', found: names(), fault: 'no such server' },
					{ kind: 'search', words: 'x', found: names('a:b', 'c:d') },
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
