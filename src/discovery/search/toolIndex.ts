import { getOrAdd } from '../../common/memo.ts';
import { compareStrings } from '../../common/text.ts';
import type { Ranking } from '../catalog/policy.ts';
import { type Tool, toolId } from '../catalog/tool.ts';
import { hashEnd, wireName } from '../catalog/wireNames.ts';
import { type FieldRankingOptions, RankerByFields, rankByFields } from './byFields/rankByFields.ts';
import { rankByNameParts, rankByOkapi } from './documentedRankings.ts';
import { explain, type WordMatch, wordMatch } from './explain.ts';
import { areSeveralNeeds, fused, fusedHits, fusedHitsOfPart } from './fusion.ts';
import { type Hit, hitsOf } from './hit.ts';
import { knownExpansions } from './known/knownServers.ts';
import { noParts, queryParts, withoutPastedText } from './queryParts.ts';
import { byScore, finish, type Ranked, type RankedTools, type Ranker, type RankerSteps } from './ranker.ts';
import { parseQuery } from './searchRequest.ts';
import { scoreWithUse, type ToolUse, type UseEvidence } from './useEvidence.ts';
import { stem } from './words/analyzer.ts';
import { fold, tokenize } from './words/tokenizer.ts';

/** If none of the first hits shares more than small talk with the query, the search finds nothing. */
const judgedHits = 5;

/** Tools ranked by their own words if past chats speak for some, which may come from far down. */
const rankedWithUse = 60;

export interface ToolIndexOptions extends FieldRankingOptions {
	readonly ranking?: Ranking;
	/** A previous index of the same ranking, whose documents are reused. */
	readonly previous?: ToolIndex;
	/** What was learned from past chats, read at each search. Only the default ranking uses it. */
	readonly use?: () => UseEvidence | undefined;
}

export interface ToolIndexBuildOptions extends ToolIndexOptions {
	/** Awaited between steps of about ten milliseconds. */
	readonly pause: () => Promise<void>;
}

export interface ToolSearchOptions {
	/** Most hits; absent: all. */
	readonly limit?: number;
	/** Search only this server's tools. */
	readonly server?: string;
	/** Include tools that share only small talk with the query. */
	readonly unlikely?: boolean;
	/** Tools that the chat has loaded or called, by `server:tool`: tools that usually follow them rank slightly higher. */
	readonly after?: readonly string[];
}

export interface SearchResult<T extends Tool = Tool> {
	/** Best first. */
	readonly hits: readonly Hit<T>[];
	readonly matches: number;
	/** Several clauses of the query have likely tools, so it may need different ones. */
	readonly hasNeeds?: true;
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
 * words rank those that have it, and where they find none of those, the marked words do. Tools that share nothing but small talk with
 * the query are no hits. How sure the first hit is, its confidence says; how likely each is of use, its relevance. What past chats say of
 * tools (`use`) changes the order of the others.
 */
export class ToolIndex<T extends Tool = Tool> {
	/** By name, then by server: the order of equal scores. */
	readonly tools: readonly T[];
	readonly #ranker: Ranker;
	readonly #servers: ToolIndexOptions['servers'];
	readonly #knownExpansions: ToolIndexOptions['knownExpansions'];
	readonly #use: () => UseEvidence | undefined;
	/** Places by the name of the tool, in lower case. Computed on demand. */
	#named: ReadonlyMap<string, readonly number[]> | undefined;
	/** Places by `server:tool`. Computed on demand. */
	#places: ReadonlyMap<string, number> | undefined;

	/**
	 * Builds an index synchronously: a third of a second for ten thousand tools. Use {@link ToolIndex.build} to keep the thread responsive; it passes
	 * the `ranker`.
	 */
	constructor(tools: readonly T[], options: ToolIndexOptions = {}, ranker?: Ranker) {
		this.tools = inOrder(tools);
		this.#servers = options.servers;
		this.#knownExpansions = options.knownExpansions;
		this.#use = options.use ?? noUse;
		this.#ranker = ranker ?? finish(rankerSteps(this.tools, options));
	}

	/** The default ranking's ranker, which can lend its documents to a later index. */
	get byFields(): RankerByFields | undefined {
		return this.#ranker instanceof RankerByFields ? this.#ranker : undefined;
	}

	/** Builds an index in steps, with what Discovery knows of common servers. */
	static async build<T extends Tool>(
		tools: readonly T[],
		{ pause, ...options }: ToolIndexBuildOptions,
	): Promise<ToolIndex<T>> {
		const ordered = inOrder(tools);
		const allOptions = { ...options, knownExpansions: await knownExpansions(ordered) };
		const steps = rankerSteps(ordered, allOptions);
		for (;;) {
			const { done, value } = steps.next();
			await pause();
			if (!done) continue;
			const index = new ToolIndex(ordered, allOptions, value);
			for (const _ of index.#prepare()) await pause();
			return index;
		}
	}

	/** Computes in steps what the first search would. */
	*#prepare(): Generator<void> {
		if (this.byFields) yield* this.byFields.prepare();
		yield;
		this.#placesOf('');
	}

	/** The best tools for a query; empty if no tool shares a meaningful word with it. */
	search(query: string, options: ToolSearchOptions = {}): Hit<T>[] {
		return [...this.find(query, options).hits];
	}

	/** Like {@link ToolIndex.search}, with the number of matches. */
	find(query: string, options: ToolSearchOptions = {}): SearchResult<T> {
		const text = withoutPastedText(query);
		// A search with marked words or for one server is not split, and the other rankings must score as documented.
		const isFree = this.byFields !== undefined && options.server === undefined && !text.includes('+');
		const { sentences, clauses } = isFree ? queryParts(text) : noParts;
		const hitsByPart = new Map<string, readonly Hit<T>[]>();
		const hitsOfParts = (texts: readonly string[]) =>
			texts.map((text) =>
				getOrAdd(hitsByPart, text, () => this.#findText(text, { ...options, limit: fusedHitsOfPart }).hits),
			);
		const clauseHits = hitsOfParts(clauses);
		if (!areSeveralNeeds(clauseHits)) return this.#findText(text, options);
		const { limit = this.tools.length } = options;
		const { hits, matches } = this.#findText(text, { ...options, limit: Math.max(limit, fusedHits) });
		const all = fused(hits, hitsOfParts(sentences), clauseHits);
		return { hits: all.slice(0, limit), matches: Math.max(matches, all.length), hasNeeds: true };
	}

	#findText(query: string, options: ToolSearchOptions): SearchResult<T> {
		const { text, required } = parseQuery(query);
		const accepts = this.#filter(required, options.server);
		const limit = options.limit ?? this.tools.length;
		const { after = [] } = options;
		let found = this.#rankWithNamed(text, { limit: Math.max(limit, judgedHits), accepts, after });
		if (found.hits.length === 0 && required.length > 0)
			found = this.#rankWithNamed(required.join(' '), { limit, accepts, after });
		const strict = !options.unlikely && options.server === undefined;
		if (strict && !found.isMatch) return { hits: [], matches: 0 };
		return { hits: found.hits.slice(0, limit), matches: found.matches };
	}

	/** The words of a query that a tool has, and where; then those learned from past chats. */
	explain(query: string, tool: Tool): WordMatch[] {
		const { text, required } = parseQuery(withoutPastedText(query));
		const words = [...required, text].join(' ');
		const matches = explain(tool, this.#ranker.asked(words), {
			server: this.#servers?.get(tool.server),
			knownExpansion: this.#knownExpansions?.get(tool),
		});
		const learned = this.#evidence()?.wordsFor(toolId(tool), words) ?? [];
		return [...matches, ...learned.map((word) => wordMatch(word, 'use', word))];
	}

	#evidence(): UseEvidence | undefined {
		return this.byFields && this.#use();
	}

	/** Ranks the accepted tools. Named tools come first, with a score above all others. */
	#rankWithNamed(
		text: string,
		{ limit, accepts, after }: RankOptions,
	): SearchResult<T> & { readonly isMatch: boolean } {
		const namedPlaces = this.#namedIn(text).filter((place) => accepts?.(place) ?? true);
		const { hits, matches, isMatch } = this.#rankWithUse(text, {
			limit: limit + namedPlaces.length,
			accepts,
			after,
		});
		if (namedPlaces.length === 0) return { hits: this.#hits(hits, false), matches, isMatch };
		const top = hits[0]?.score ?? 1;
		const scoreOfPlace = new Map(hits.map(({ place, score }) => [place, score]));
		const first = namedPlaces.map((place): Hit<T> => {
			const score = top + (scoreOfPlace.get(place) ?? 0);
			return { tool: this.tools[place] as T, score, confidence: 1, relevance: 1 };
		});
		const others = hits.filter(({ place }) => !namedPlaces.includes(place));
		return {
			hits: [...first.sort((a, b) => b.score - a.score), ...this.#hits(others, true)],
			matches: matches + namedPlaces.filter((place) => !scoreOfPlace.has(place)).length,
			isMatch: true,
		};
	}

	#hits(ranked: readonly Ranked[], isBehind: boolean): Hit<T>[] {
		return hitsOf(ranked, {
			isBehind,
			toolAt: (place) => this.tools[place] as T,
			mayChange: (place) => this.byFields?.mayChange(place) === true,
		});
	}

	/** Ranks by the tools' own words and by what was learned from past chats. */
	#rankWithUse(
		text: string,
		{ limit, accepts, after }: RankOptions,
	): RankedTools & { readonly isMatch: boolean } {
		const evidence = this.#evidence();
		const uses = evidence && this.#uses(evidence, text, accepts);
		const factors = evidence?.after(after) ?? noFactors;
		const isLearned = uses !== undefined && uses.size + factors.size > 0;
		const most = isLearned ? Math.max(limit, rankedWithUse) : limit;
		const { hits, matches } = this.#ranker.rank(text, most, accepts);
		const isMatch = hits.slice(0, judgedHits).some(({ evidence }) => evidence?.isMatch ?? true);
		if (!isLearned) return { hits, matches, isMatch };
		const best = hits[0]?.score ?? 0;
		const matched = new Set(hits.map(({ place }) => place));
		const untold = [...uses.keys()].filter((place) => !matched.has(place));
		const all = [...hits, ...untold.map((place): Ranked => ({ place, score: 0 }))].map((hit) => {
			const use = uses.get(hit.place);
			const factor = factors.size === 0 ? 1 : (factors.get(toolId(this.tools[hit.place] as T)) ?? 1);
			const score = hit.score * factor;
			return use
				? { ...hit, score: scoreWithUse(use, score, best), isLearned: use.isLikely }
				: { ...hit, score };
		});
		return {
			hits: all.sort(byScore).slice(0, limit),
			matches: Math.max(matches, all.length),
			isMatch: isMatch || untold.length > 0,
		};
	}

	/** What was learned about the accepted tools, by place. */
	#uses(evidence: UseEvidence, text: string, accepts: RankOptions['accepts']): ReadonlyMap<number, ToolUse> {
		this.#places ??= new Map(this.tools.map((tool, place) => [toolId(tool), place]));
		const uses = new Map<number, ToolUse>();
		for (const [tool, use] of evidence.speaksFor(text, (term) => this.byFields?.weightOf(term) ?? 0)) {
			const place = this.#places.get(tool);
			if (place !== undefined && (accepts?.(place) ?? true)) uses.set(place, use);
		}
		return uses;
	}

	/** Places of tools named in a text. A one-word name ("search", "fetch") is an ordinary word, unless it is the whole query. */
	#namedIn(text: string): number[] {
		if (/\s/.test(text) && !compound.test(text)) return [];
		const words = text.split(/[\s,;"'`()]+/).filter(Boolean);
		const places = words.flatMap((written) => {
			if (words.length > 1 && !compound.test(written)) return [];
			const word = written.replace(/[.:!?]+$/, '');
			return words.length === 1 || tokenize(word).length > 1 ? this.#placesOf(word.toLowerCase()) : [];
		});
		return [...new Set(places)];
	}

	/** Places of the tools that a word names: by the name, as `server:tool`, or by the wire name. */
	#placesOf(word: string): readonly number[] {
		this.#named ??= Map.groupBy(this.tools.keys(), (place) => (this.tools[place] as T).name.toLowerCase());
		const byName = this.#named;
		const after = [...word.matchAll(/:|__/g)].flatMap(
			({ 0: mark, index }) => byName.get(word.slice(index + mark.length)) ?? [],
		);
		// A hash replaces the name.
		const others = hashEnd.test(word) ? [...this.tools.keys()] : after;
		const isNamed = (place: number) => namesOf(this.tools[place] as T).includes(word);
		return [...(byName.get(word) ?? []), ...others.filter(isNamed)];
	}

	#filter(required: readonly string[], server: string | undefined): ((place: number) => boolean) | undefined {
		if (required.length === 0 && server === undefined) return undefined;
		return (place) => {
			const tool = this.tools[place];
			if (!tool || (server !== undefined && tool.server !== server)) return false;
			return required.every((term) => hasTerm(tool, term));
		};
	}
}

interface RankOptions {
	readonly limit: number;
	readonly accepts: ((place: number) => boolean) | undefined;
	/** See {@link ToolSearchOptions.after}. */
	readonly after: readonly string[];
}

const noFactors: ReadonlyMap<string, number> = new Map();

function noUse(): undefined {}

/** Matches names of several parts, which words of a sentence are not. Non-ASCII words are examined more closely later. */
const compound = /[^\s_:./-][_:./-]+[^\s_:./-]|[a-z\d][A-Z]|[A-Z]{2}[a-z]|[\x80-\uffff]/;

function rankerSteps(tools: readonly Tool[], options: ToolIndexOptions): RankerSteps {
	switch (options.ranking) {
		case 'okapi':
			return rankByOkapi(tools);
		case 'name-parts':
			return rankByNameParts(tools);
		default:
			return rankByFields(tools, options, options.previous?.byFields);
	}
}

function inOrder<T extends Tool>(tools: readonly T[]): T[] {
	return tools.toSorted((a, b) => compareStrings(a.name, b.name) || compareStrings(a.server, b.server));
}

function namesOf(tool: Tool): string[] {
	return [toolId(tool), wireName(tool)].map((name) => name.toLowerCase());
}

/** Whether a tool's name, description or hint contains a term, as a whole or word by word, in any form. */
function hasTerm(tool: Tool, term: string): boolean {
	const text = fold(
		`${tool.server} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''} ${tool.searchHint ?? ''}`,
	);
	return (
		text.includes(fold(term)) ||
		tokenize(term).every((word) => text.includes(word) || text.includes(stem(word)))
	);
}
