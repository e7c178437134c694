import { type NamedTools, type TimelineEntry, turnNumbers } from '../../../discovery/journal/timeline.ts';
import { type Cell, csv } from './csv.ts';

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
