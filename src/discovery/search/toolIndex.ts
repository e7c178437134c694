import { compareStrings } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { Ranking } from '../catalog/policy.ts';
import { type Tool, toolId } from '../catalog/tool.ts';
import { wireName } from '../catalog/wireNames.ts';
import { type FieldRankingOptions, RankerByFields, rankByFields } from './byFields/rankByFields.ts';
import { certainty, likely } from './certainty.ts';
import { isLong, summedHits, summedOfPart, withFirsts, withSums } from './clauseHits.ts';
import { confidenceOf, mostUnsure } from './confidence.ts';
import { rankByNameParts, rankByOkapi } from './documentedRankings.ts';
import { type Evidence, relevanceOf } from './evidence.ts';
import { explain, type WordMatch, wordMatch } from './explain.ts';
import { knownTexts } from './known/knownServers.ts';
import { byScore, finish, type Ranker, type RankerSteps, toolsAtOnce } from './ranker.ts';
import { parseQuery } from './searchRequest.ts';
import { scoreWithUse, type ToolUse, type UseEvidence } from './useEvidence.ts';
import { noParts, partsOf, readWish } from './wish.ts';
import { stem } from './words/analyzer.ts';
import { fold, tokenize } from './words/tokenizer.ts';

/** If none of the first hits shares more than small talk with the query, the search finds nothing. */
const judgedHits = 5;

/** Hits of which it matters whether they may change something. No search loads more. */
const mayBeLoaded = 50;

/** Tools ranked by their own words if past chats speak for some, which may come from far down. */
const rankedWithUse = 60;

export interface SearchHit<T extends Tool = CatalogTool> {
	readonly tool: T;
	/** Not comparable between queries. Absent if the tool was named. */
	readonly score?: number;
	/** How sure it is that this is the tool that was meant, 0 to 1; absent if it was named or the ranking has no confidence. */
	readonly confidence?: number;
	/** How likely it is that the tool is of use, 0 to 1: what is loaded depends on it. Absent like the confidence. */
	readonly relevance?: number;
	/** The tool may change or destroy something, as far as its server says. */
	readonly mayChange?: boolean;
}

/** A tool found by words, with a score. */
export interface ScoredHit<T extends Tool = CatalogTool> extends SearchHit<T> {
	readonly score: number;
}

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
	readonly hits: readonly ScoredHit<T>[];
	readonly matches: number;
	/** The query has several clauses, which may need different tools. */
	readonly hasClauses?: true;
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
	readonly #texts: ToolIndexOptions['texts'];
	readonly #use: () => UseEvidence | undefined;
	/** Places by every name of a tool, in lower case. Computed on demand. */
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
		this.#texts = options.texts;
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
		const known = { ...options, texts: await knownTexts(ordered) };
		const steps = rankerSteps(ordered, known);
		for (;;) {
			const { done, value } = steps.next();
			await pause();
			if (!done) continue;
			const index = new ToolIndex(ordered, known, value);
			for (const _ of index.#prepare()) await pause();
			return index;
		}
	}

	/** Computes in steps what the first search would. */
	*#prepare(): Generator<void> {
		if (this.byFields) yield* this.byFields.prepare();
		this.#named = yield* placesByName(this.tools);
	}

	/** The best tools for a query; empty if no tool shares a meaningful word with it. */
	search(query: string, options: ToolSearchOptions = {}): ScoredHit<T>[] {
		return [...this.find(query, options).hits];
	}

	/** Like {@link ToolIndex.search}, with the number of matches. */
	find(query: string, options: ToolSearchOptions = {}): SearchResult<T> {
		const wish = readWish(query);
		// Marked words, and one server, are for the whole query.
		const isFree = options.server === undefined && !wish.includes('+');
		const parts = isFree ? partsOf(wish) : noParts;
		const { sentences, clauses } = parts;
		if (clauses.length === 0) return this.#findWhole(wish, options);
		const { limit = this.tools.length } = options;
		const hitsOf = (texts: readonly string[], most: number) =>
			texts.map((text) => this.#findWhole(text, { ...options, limit: most }).hits);
		const isSummed = isLong(wish, parts);
		const whole = this.#findWhole(wish, {
			...options,
			limit: isSummed ? Math.max(limit, summedHits) : limit,
		});
		const ofClauses = hitsOf(clauses, isSummed ? summedOfPart : judgedHits);
		const ranked = isSummed ? withSums(whole.hits, hitsOf(sentences, summedOfPart), ofClauses) : whole.hits;
		const hits = withFirsts(ranked, ofClauses, { limit, isSummed });
		return { hits: hits.slice(0, limit), matches: Math.max(whole.matches, hits.length), hasClauses: true };
	}

	#findWhole(query: string, options: ToolSearchOptions): SearchResult<T> {
		const { text, required } = parseQuery(query);
		const accepts = this.#filter(required, options.server);
		const limit = options.limit ?? this.tools.length;
		const { after = [] } = options;
		let found = this.#rank(text, { limit: Math.max(limit, judgedHits), accepts, after });
		if (found.hits.length === 0 && required.length > 0)
			found = this.#rank(required.join(' '), { limit, accepts, after });
		const strict = !options.unlikely && options.server === undefined;
		if (strict && !found.isMatch) return { hits: [], matches: 0 };
		return { hits: found.hits.slice(0, limit), matches: found.matches };
	}

	/** The words of a query that a tool has, and where; then those learned from past chats. */
	explain(query: string, tool: Tool): WordMatch[] {
		const { text, required } = parseQuery(readWish(query));
		const words = [...required, text].join(' ');
		const matches = explain(tool, this.#ranker.asked(words), {
			server: this.#servers?.get(tool.server),
			text: this.#texts?.get(tool),
		});
		const learned = this.#evidence()?.wordsFor(toolId(tool), words) ?? [];
		return [...matches, ...learned.map((word) => wordMatch(word, 'use', word))];
	}

	#evidence(): UseEvidence | undefined {
		return this.byFields && this.#use();
	}

	/** Ranks the accepted tools. Named tools come first, with a score above all others. */
	#rank(
		text: string,
		{ limit, accepts, after }: RankOptions,
	): SearchResult<T> & { readonly isMatch: boolean } {
		const named = new Set(this.#namedIn(text).filter((place) => accepts?.(place) ?? true));
		const ranked = this.#ranked(text, { limit: limit + named.size, accepts, after });
		const { hits, matches } = ranked;
		const own = new Map(hits.map(({ place, score }) => [place, score]));
		const top = hits[0]?.score ?? 1;
		const first = [...named].map((place) => ({
			tool: this.tools[place] as T,
			score: top + (own.get(place) ?? 0),
			confidence: 1,
			relevance: 1,
		}));
		const ranking = hits.filter(({ place }) => !named.has(place));
		const others = judge(ranking, named.size > 0).map(({ place, score, confidence, relevance }, i) => {
			const tool = this.tools[place] as T;
			if (confidence === undefined) return { tool, score };
			const changes = i < mayBeLoaded && this.byFields?.mayChange(place) === true;
			return { tool, score, confidence, relevance, ...(changes && { mayChange: true }) };
		});
		const unmatched = [...named].filter((place) => !own.has(place)).length;
		return {
			hits: [...first.sort((a, b) => b.score - a.score), ...others],
			matches: matches + unmatched,
			isMatch: ranked.isMatch || first.length > 0,
		};
	}

	/** Ranks by the tools' own words and by what was learned from past chats. */
	#ranked(text: string, { limit, accepts, after }: RankOptions): RankedPlaces {
		const evidence = this.#evidence();
		const uses = evidence && this.#uses(evidence, text, accepts);
		const factors = evidence?.after(after) ?? noFactors;
		const isLearned = uses !== undefined && uses.size + factors.size > 0;
		const { hits, matches } = this.#ranker.rank(
			text,
			isLearned ? Math.max(limit, rankedWithUse) : limit,
			accepts,
		);
		const own: RankedPlace[] = hits.map((hit) => ({ ...hit }));
		const isMatch = hits.slice(0, judgedHits).some(({ evidence }) => evidence?.isMatch ?? true);
		if (!isLearned) return { hits: own, matches, isMatch };
		const best = hits[0]?.score ?? 0;
		const matched = new Set(own.map(({ place }) => place));
		const untold = [...uses.keys()].filter((place) => !matched.has(place));
		const all = [...own, ...untold.map((place): RankedPlace => ({ place, score: 0 }))];
		for (const hit of all) {
			const use = uses.get(hit.place);
			const factor = factors.size === 0 ? 1 : (factors.get(toolId(this.tools[hit.place] as T)) ?? 1);
			if (!use && factor === 1) continue;
			const score = hit.score * factor;
			hit.score = use ? scoreWithUse(use, score, best) : score;
			if (use) hit.isLearned = use.isLikely;
		}
		const ordered = all.sort(byScore).slice(0, limit);
		return {
			hits: ordered,
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
		this.#named ??= finish(placesByName(this.tools));
		const byName = this.#named;
		const places = words.flatMap((written) => {
			if (words.length > 1 && !compound.test(written)) return [];
			const word = written.replace(/[.:!?]+$/, '');
			const named = byName.get(word.toLowerCase());
			return named && (words.length === 1 || tokenize(word).length > 1) ? named : [];
		});
		return [...new Set(places)];
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

/** Places, best first; the number of matches; and whether any shares more than small talk with the query. */
interface RankedPlaces {
	readonly hits: readonly RankedPlace[];
	readonly matches: number;
	readonly isMatch: boolean;
}

interface RankedPlace {
	readonly place: number;
	score: number;
	readonly evidence?: Evidence;
	/** Past chats make the tool likely. */
	isLearned?: boolean;
}

interface JudgedPlace extends RankedPlace {
	/** See {@link SearchHit.confidence} and {@link SearchHit.relevance}; absent if the ranking has no evidence at all. */
	readonly confidence?: number;
	readonly relevance?: number;
}

/** Adds how sure and how likely hits are. Only the first one can be sure, and none if the query named others (`isBehind`). */
function judge(hits: readonly RankedPlace[], isBehind: boolean): readonly JudgedPlace[] {
	const judged = hits.flatMap(({ evidence }) => (evidence ? [relevanceOf(evidence)] : []));
	if (judged.length === 0 && hits.every(({ isLearned }) => isLearned === undefined)) return hits;
	// The ranking computes no evidence far down: these hits are no likelier than any that has some.
	const least = Math.min(...judged);
	let first = Number(isBehind);
	return hits.map((hit, i) => {
		const { evidence, isLearned, score } = hit;
		const own = evidence ? relevanceOf(evidence) : isLearned === undefined ? least : 0;
		const relevance = Math.max(own, isLearned ? likely : 0);
		if (i > 0 || isBehind)
			return { ...hit, relevance, confidence: Math.min(mostUnsure, relevance * (1 - first)) };
		const confidence = evidence && own >= likely ? confidenceOf(evidence, score, hits[1]) : 0;
		first = Math.max(confidence, isLearned ? certainty : 0);
		return { ...hit, relevance, confidence: first };
	});
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

function* placesByName(
	tools: readonly Tool[],
): Generator<void, ReadonlyMap<string, readonly number[]>, void> {
	const byName = new Map<string, number[]>();
	for (const [place, tool] of tools.entries()) {
		if (place % toolsAtOnce === toolsAtOnce - 1) yield;
		for (const name of namesOf(tool)) {
			const places = byName.get(name);
			if (places) places.push(place);
			else byName.set(name, [place]);
		}
	}
	return byName;
}

function namesOf(tool: Tool): Set<string> {
	return new Set([toolId(tool), wireName(tool), tool.name].map((name) => name.toLowerCase()));
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
