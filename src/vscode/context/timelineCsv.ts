import { type NamedTools, type TimelineEntry, turnNumbers } from '../../discovery/session/journal.ts';

/** What a cell may hold; `undefined` is an empty cell. */
type Cell = string | number | boolean | undefined;

/**
 * A table as RFC 4180 has it, lines ended by CR LF. Text that a spreadsheet would take for a formula gets an apostrophe before it:
 * what models, users and servers wrote must not run on the machine of whoever opens the file (OWASP, CSV injection).
 */
export function csv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
	return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: Cell): string {
	if (value === undefined) return '';
	if (typeof value !== 'string') return String(value);
	const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Columns of the exported timeline, in their order. Tokens of definitions are estimated, those of input and output are the provider's own, and `usd` is its own or by the model's price. */
const columns = [
	'at',
	'turn',
	'kind',
	'model',
	'tools',
	'count',
	'words',
	'reason',
	'ms',
	'failed',
	'definition_tokens',
	'every_tool_tokens',
	'input_tokens',
	'cached_input_tokens',
	'cache_write_tokens',
	'output_tokens',
	'thought_tokens',
	'usd',
] as const;

type Row = Partial<Readonly<Record<(typeof columns)[number], Cell>>>;

/** What happened in a chat, one row an entry. `turn`: as the page numbers it. */
export function timelineCsv(timeline: readonly TimelineEntry[]): string {
	const turns = turnNumbers(timeline);
	const rows = timeline.map((entry, i) => {
		const at = new Date(entry.at).toISOString();
		const row: Row = { at, turn: turns[i], kind: entry.kind, ...cells(entry) };
		return columns.map((column) => row[column]);
	});
	return csv(columns, rows);
}

function cells(entry: TimelineEntry): Row {
	switch (entry.kind) {
		case 'turn':
			return { model: entry.model, words: entry.message };
		case 'request':
			return {
				count: entry.tools,
				definition_tokens: entry.tokens,
				every_tool_tokens: entry.everyToolTokens,
				input_tokens: entry.measured?.inputTokens,
				cached_input_tokens: entry.measured?.cachedInputTokens,
				cache_write_tokens: entry.measured?.cacheWriteTokens,
				output_tokens: entry.measured?.outputTokens,
				thought_tokens: entry.measured?.thoughtTokens,
				usd: entry.measured?.usd,
			};
		case 'search':
			return {
				...tools(entry.found),
				words: entry.words,
				reason: entry.fault,
				failed: entry.fault !== undefined,
			};
		case 'load':
			return { ...tools(entry.tools), words: entry.words, reason: entry.reason };
		case 'evict':
		case 'unload':
			return tools(entry.tools);
		case 'call':
			return { tools: entry.tool, count: 1, ms: entry.ms, failed: entry.failed };
		case 'agent':
			return {
				tools: entry.agent,
				count: entry.calls,
				words: entry.task,
				ms: entry.ms,
				failed: entry.failed,
			};
		case 'failure':
			return { words: entry.message, failed: true };
	}
}

function tools({ names, count }: NamedTools): Row {
	return { tools: names.join(' '), count };
}
