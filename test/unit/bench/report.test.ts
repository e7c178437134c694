import { describe, expect, test } from 'vitest';
import type { Benchmark } from '../../../bench/benchmark.ts';
import { formatOutcome, quantity, ratio } from '../../../bench/report.ts';

const benchmark: Benchmark = {
	name: 'b',
	title: 'Bytes',
	measure: async () => ({ kind: 'failed', message: '' }),
};

describe('given the outcome of a benchmark', () => {
	test('when it was measured, then names are left-aligned, numbers right-aligned and notes below', () => {
		const table = {
			columns: ['', 'bytes'],
			rows: [
				['VSIX', '1,234,567'],
				['code', '42'],
			],
		};
		const text = formatOutcome(benchmark, {
			kind: 'measured',
			figures: {},
			tables: [table],
			notes: ['Minified.'],
		});
		expect(text).toBe(
			[
				'## Bytes',
				'',
				'          bytes',
				'────  ─────────',
				'VSIX  1,234,567',
				'code         42',
				'',
				'Minified.',
			].join('\n'),
		);
	});

	test('when it has several tables, then each has its title', () => {
		const tables = ['small', 'large'].map((title) => ({
			title,
			columns: ['', 'ms'],
			rows: [['index', '1']],
		}));
		const text = formatOutcome(benchmark, { kind: 'measured', figures: {}, tables, notes: [] });
		expect(text).toBe(
			[
				'## Bytes',
				...tables.map(({ title }) =>
					['', `### ${title}`, '', '       ms', '─────  ──', 'index   1'].join('\n'),
				),
			].join('\n'),
		);
	});

	test('when it was skipped or failed, then the report says why', () => {
		expect(formatOutcome(benchmark, { kind: 'left out', reason: 'no VS Code' })).toContain(
			'Left out: no VS Code',
		);
		expect(formatOutcome(benchmark, { kind: 'failed', message: 'no room' })).toContain('FAILED: no room');
	});
});

describe('given numbers in a report', () => {
	test('then they are rounded to three digits', () => {
		expect([0.004_218, 1.2345, 99.96, 1732.4].map(quantity)).toEqual(['0.00422', '1.23', '100', '1,732']);
		expect(ratio(1732, 278)).toBe('6.2×');
	});
});
