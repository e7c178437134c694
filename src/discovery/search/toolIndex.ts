import { compareStrings } from '../compareStrings.ts';
import type { Ranking } from '../policy.ts';
import { type Tool, toolId } from '../tool.ts';
import { wireName } from '../wireNames.ts';
import { analyzeName, fold, tokenize } from './analyzer.ts';
import { parseQuery } from './query.ts';
import { rankByFields } from './rankByFields.ts';
import { rankByNameParts } from './rankByNameParts.ts';
import { rankByOkapi } from './rankByOkapi.ts';
import type { Ranker } from './ranker.ts';

/** Characters of a query that are read; more would be a document, and cost a tenth of a second for each 10 kB. */
const longestQuery = 4000;

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
 * stands in the query comes before all others. A word marked `+` must be in a tool's name, description or hint; the other
 * words rank those that have it, and where they find none of those, the marked words do.
 */
export class ToolIndex<T extends Tool = Tool> {
	readonly tools: readonly T[];
	readonly #rank: Ranker;
	/** Places of tools by every name they go by, in lower case. */
	readonly #named = new Map<string, number[]>();

	constructor(tools: readonly T[], options: ToolIndexOptions = {}) {
		this.tools = tools;
		this.#rank = rankers[options.ranking ?? 'default'](tools);
		tools.forEach((tool, place) => {
			for (const name of namesOf(tool)) {
				const places = this.#named.get(name);
				if (places) places.push(place);
				else this.#named.set(name, [place]);
			}
		});
	}

	search(query: string, options: ToolSearchOptions = {}): ScoredTool<T>[] {
		const { text, required } = parseQuery(query.slice(0, longestQuery));
		const wanted = (tool: Tool) =>
			(options.server === undefined || tool.server === options.server) &&
			required.every((term) => hasTerm(tool, term));
		const ranked = this.#matches(text).filter(({ tool }) => wanted(tool));
		const hits =
			ranked.length > 0 || required.length === 0
				? ranked
				: this.#matches(required.join(' ')).filter(({ tool }) => wanted(tool));
		return hits.sort(byScoreThenName).slice(0, options.limit);
	}

	/** Tools that match a text, in no order; named ones score higher than the best of the others. */
	#matches(text: string): ScoredTool<T>[] {
		const scores = this.#rank(text);
		let top = 0;
		for (const score of scores.values()) top = Math.max(top, score);
		const named = this.#namedIn(text);
		return [...new Set([...scores.keys(), ...named])].flatMap((place) => {
			const tool = this.tools[place];
			const score = (scores.get(place) ?? 0) + (named.has(place) ? top || 1 : 0);
			return tool && score > 0 ? [{ tool, score }] : [];
		});
	}

	/** A name of one plain word ("search", "fetch") is a word like any other, unless it is all that is asked. */
	#namedIn(text: string): Set<number> {
		const words = text
			.toLowerCase()
			.split(/[\s,;"'`()]+/)
			.map((word) => word.replace(/[.:!?]+$/, ''))
			.filter(Boolean);
		const names = words.filter((word) => words.length === 1 || tokenize(word).length > 1);
		return new Set(names.flatMap((name) => this.#named.get(name) ?? []));
	}
}

function namesOf(tool: Tool): Set<string> {
	return new Set([toolId(tool), wireName(tool), tool.name].map((name) => name.toLowerCase()));
}

/** Whether a term stands in a tool's name, description or hint, as it is or word by word, inflected or not. */
function hasTerm(tool: Tool, term: string): boolean {
	const text = fold(
		`${tool.server} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''} ${tool.searchHint ?? ''}`,
	);
	const stems = analyzeName(term);
	return (
		text.includes(fold(term)) ||
		tokenize(term).every((word, i) => text.includes(word) || text.includes(stems[i] ?? word))
	);
}

function byScoreThenName(a: ScoredTool, b: ScoredTool): number {
	return (
		b.score - a.score ||
		compareStrings(a.tool.name, b.tool.name) ||
		compareStrings(a.tool.server, b.tool.server)
	);
}
