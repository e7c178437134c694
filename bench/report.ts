import type { Benchmark, Outcome, Table } from './benchmark.ts';

const GAP = '  ';

/** One group of figures as people read it. */
export function formatOutcome(benchmark: Benchmark, outcome: Outcome): string {
	const title = `## ${benchmark.title}`;
	return `${title}\n\n${textOf(outcome)}`;
}

function textOf(outcome: Outcome): string {
	switch (outcome.kind) {
		case 'measured':
			return [...outcome.tables.map(formatTable), ...outcome.notes].join('\n\n');
		case 'left out':
			return `Left out: ${outcome.reason}`;
		case 'failed':
			return `FAILED: ${outcome.message}`;
	}
}

function formatTable({ title, columns, rows }: Table): string {
	const widths = columns.map((column, i) =>
		Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)),
	);
	const line = (cells: readonly string[]): string =>
		widths
			.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width)))
			.join(GAP)
			.trimEnd();
	const lines = [line(columns), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)];
	return [...(title === undefined ? [] : [`### ${title}\n`]), ...lines].join('\n');
}

/** A whole number with thousands separators. */
export function count(value: number): string {
	return Math.round(value).toLocaleString('en-US');
}

/** Three significant digits: `0.0042`, `1.23`, `4,567`. */
export function quantity(value: number): string {
	return Math.abs(value) >= 100 ? count(value) : Number(value.toPrecision(3)).toString();
}

/** A share in per cent with two decimals. */
export function percent(share: number): string {
	return `${(100 * share).toFixed(2)}%`;
}

/** A multiple: `2.5×`. */
export function ratio(value: number, to: number): string {
	return `${Number((value / to).toPrecision(2))}×`;
}
