import type { Ranking } from '../policy.ts';
import { type Tool, toolId } from '../tool.ts';
import { wireName } from '../wireNames.ts';
import { analyze, tokenize } from './analyzer.ts';
import { parseQuery } from './query.ts';
import { rankByFields } from './rankByFields.ts';
import { rankByNameParts } from './rankByNameParts.ts';
import { rankByOkapi } from './rankByOkapi.ts';
import type { Ranker } from './ranker.ts';

/** Prepares a corpus for one ranking. */
const rankers: Readonly<Record<Ranking, (tools: readonly Tool[]) => Ranker>> = {
	default: rankByFields,
	okapi: rankByOkapi,
	'name-parts': rankByNameParts,
};

/** A tool with its score for one query; scores of two queries cannot be compared. */
export interface ScoredTool<T extends Tool = Tool> {
	readonly tool: T;
	readonly score: number;
}

/** Options of {@link ToolIndex}. */
export interface ToolIndexOptions {
	readonly ranking?: Ranking;
}

/** Options of {@link ToolIndex.search}. */
export interface ToolSearchOptions {
	/** Most hits wanted; all if absent. */
	readonly limit?: number;
	/** Search this server's tools only. */
	readonly server?: string;
}

/**
 * Full-text index over tools: built once, searched often.
 *
 * ```ts
 * const index = new ToolIndex(tools);
 * index.search('create a calendar event', { limit: 5 });
 * index.search('+slack send', { server: 'chat' });
 * ```
 *
 * A search gives tools that match at all, best first, then by name: the same answer every time. A tool whose very name
 * stands in the query comes before all others. A word marked `+` must be in a tool's name, description or hint.
 */
export class ToolIndex<T extends Tool = Tool> {
	readonly tools: readonly T[];
	readonly #rank: Ranker;

	constructor(tools: readonly T[], options: ToolIndexOptions = {}) {
		this.tools = tools;
		this.#rank = rankers[options.ranking ?? 'default'](tools);
	}

	search(query: string, options: ToolSearchOptions = {}): ScoredTool<T>[] {
		const { text, required } = parseQuery(query);
		const scores = this.#rank(text);
		const top = Math.max(0, ...scores.values());
		const named = new Set(text.toLowerCase().split(/[\s,;]+/));
		const hits: ScoredTool<T>[] = [];
		for (const [place, score] of scores) {
			const tool = this.tools[place];
			if (!tool || !(score > 0)) continue;
			if (options.server !== undefined && tool.server !== options.server) continue;
			if (!required.every((term) => hasTerm(tool, term))) continue;
			hits.push({ tool, score: isNamed(tool, named) ? score + top : score });
		}
		hits.sort(
			(a, b) =>
				b.score - a.score || compare(a.tool.name, b.tool.name) || compare(a.tool.server, b.tool.server),
		);
		return hits.slice(0, options.limit);
	}
}

function hasTerm(tool: Tool, term: string): boolean {
	const text = `${tool.server} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''} ${tool.searchHint ?? ''}`;
	if (text.toLowerCase().includes(term)) return true;
	const terms = new Set(analyze(text));
	return analyze(term).length > 0 && analyze(term).every((part) => terms.has(part));
}

/** A name of one plain word ("search", "fetch") is a word like any other: only names that look like names count. */
function isNamed(tool: Tool, words: ReadonlySet<string>): boolean {
	if (words.has(toolId(tool).toLowerCase()) || words.has(wireName(tool).toLowerCase())) return true;
	return words.has(tool.name.toLowerCase()) && (tokenize(tool.name).length > 1 || words.size === 1);
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
