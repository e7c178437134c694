import { Memo } from '../../../common/memo.ts';
import type { ServerDescription } from '../../catalog/manifest.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { AskedWord } from '../explain.ts';
import type { KnownExpansion } from '../known/knownText.ts';
import { finish, type RankedTools, type Ranker, type RankerSteps, toolsAtOnce } from '../ranker.ts';
import { stem } from '../words/analyzer.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import { thesaurusWith } from '../words/thesaurus.ts';
import { tokenize } from '../words/tokenizer.ts';
import { AskedTerms } from './askedTerms.ts';
import { behindReplacements, findReplacements, type Replacements } from './deprecated.ts';
import { FieldRanker, type RankerTools } from './fieldRanker.ts';
import type { RankedIndex } from './hitEvidence.ts';
import { InvertedIndex, inverseFrequency, postingsOf } from './invertedIndex.ts';
import { defaultParameters, type RankingParameters } from './parameters.ts';
import { queryPlan } from './queryPlan.ts';
import { QueryTerms } from './queryTerms.ts';
import { type SearchedPostings, Sums } from './sums.ts';
import { ToolAnalyzer, type ToolDocument } from './toolDocument.ts';
import { ToolMeanings } from './toolMeanings.ts';
import { mayChange, ToolShapes } from './toolShape.ts';
import { Vocabulary } from './vocabulary.ts';
import { type WeighedQuery, weigh } from './weighedQuery.ts';

export interface FieldRankingOptions {
	/** The servers' descriptions of themselves, by name. */
	readonly servers?: ReadonlyMap<string, ServerDescription>;
	/** What is known of tools of common servers. */
	readonly knownExpansions?: ReadonlyMap<Tool, KnownExpansion>;
	/** Additional lines of synonyms; see `Thesaurus`. */
	readonly synonyms?: readonly string[];
	/** For tuning. */
	readonly parameters?: RankingParameters;
}

/** Query plans that are cached. A long query has up to a dozen clauses, and each clause needs a plan. */
const maxCachedPlans = 1_000;
/** A vocabulary is discarded when it has more than this many times the terms in use. */
const maxUnusedFactor = 2;

/**
 * The default ranking: BM25F over an inverted index of our own, with synonyms. MiniSearch, which served before, normalises the
 * lengths of all fields alike, adds up the synonyms of a word instead of taking the best, and makes an object of every match: at
 * ten thousand tools it takes many times as long (`npm run bench`).
 *
 * The stages of a search, in the order of reading:
 * 1. `queryWords.ts` splits the query; `queryPlan.ts` makes slots of alternative terms and reads the intent; `weighedQuery.ts` adds the index's weights.
 * 2. `sums.ts` sums BM25F scores over postings; `fieldRanker.ts` takes the tools with the highest sums as candidates.
 * 3. `candidateReader.ts` reads how each candidate matches; `rerank.ts` orders them by coverage, name, action, object and meaning.
 * 4. `crowding.ts` keeps near duplicates from filling the first hits.
 * 5. `hitEvidence.ts` collects the evidence from which `evidence.ts` and `confidence.ts` compute how likely and how sure a hit is.
 *
 * `previous` lends the documents of tools that are the same: only those that changed are analysed.
 */
export function* rankByFields(
	tools: readonly Tool[],
	options: FieldRankingOptions = {},
	previous?: RankerByFields,
): RankerSteps<RankerByFields> {
	const parameters = options.parameters ?? defaultParameters;
	const thesaurus = yield* thesaurusWith(options.synonyms ?? []);
	const lender = previous?.lends(parameters) ? previous : undefined;
	const vocabulary = lender?.vocabulary ?? new Vocabulary();
	const analyzer = new ToolAnalyzer(vocabulary, parameters);
	const documents: ToolDocument[] = [];
	let analysed = 0;
	for (const tool of tools) {
		const server = options.servers?.get(tool.server);
		const known = options.knownExpansions?.get(tool);
		const lent = lender?.documentOf(tool, server, known);
		if (!lent && ++analysed % toolsAtOnce === 0) yield;
		documents.push(lent ?? analyzer.analyze(tool, server, known));
	}
	yield;
	const index = new InvertedIndex(documents, vocabulary.size, parameters.naming);
	yield;
	return new RankerByFields({
		tools,
		servers: options.servers,
		knownExpansions: options.knownExpansions,
		documents,
		vocabulary,
		thesaurus,
		serverTerms: readServerTerms(tools, vocabulary, index),
		index,
		parameters,
	});
}

/** Share of the tools with a term from which it is their servers' own name. */
const ownShare = 0.9;

/** Terms in servers' names that hardly any tool of another server has: they name the server. */
function readServerTerms(
	tools: readonly Tool[],
	vocabulary: Vocabulary,
	index: InvertedIndex,
): ReadonlySet<number> {
	const counts = new Map<number, number>();
	for (const [server, own] of Map.groupBy(tools, (tool) => tool.server)) {
		const whole: string[] = [];
		for (const text of new Set([...tokenize(server, whole), ...whole].map(stem))) {
			const term = vocabulary.find(text);
			if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + own.length);
		}
	}
	return new Set(
		[...counts.keys()].filter((term) => (counts.get(term) ?? 0) > ownShare * index.frequency(term)),
	);
}

interface IndexParts {
	readonly tools: readonly Tool[];
	readonly servers: ReadonlyMap<string, ServerDescription> | undefined;
	readonly knownExpansions: FieldRankingOptions['knownExpansions'];
	/** By place, like the tools. */
	readonly documents: readonly ToolDocument[];
	readonly vocabulary: Vocabulary;
	readonly thesaurus: Thesaurus;
	readonly serverTerms: ReadonlySet<number>;
	readonly index: InvertedIndex;
	readonly parameters: RankingParameters;
}

/** A search of some documents: reads queries and ranks tools for them. */
class FieldSearch {
	readonly #parts: IndexParts;
	readonly #index: InvertedIndex;
	readonly #terms: QueryTerms;
	readonly #ranker: FieldRanker;
	/** A query is searched, explained hit by hit, and searched again for the closest tools. */
	readonly #plans = new Memo<string, WeighedQuery>(maxCachedPlans);

	/** `postings`: of the documents that may be found; all of `index` if absent. */
	constructor(
		parts: IndexParts,
		tools: RankerTools & Pick<RankedIndex, 'servers' | 'names'>,
		documents: readonly ToolDocument[],
		index: InvertedIndex,
		postings: SearchedPostings = index,
	) {
		this.#parts = parts;
		this.#index = index;
		this.#terms = new QueryTerms(parts.vocabulary, index, parts.thesaurus, parts.parameters);
		const ranked = {
			tools: parts.tools,
			servers: tools.servers,
			names: tools.names,
			documents,
			hasExpansion: Uint8Array.from(documents, ({ expansion }) => Number(expansion !== undefined)),
			index,
			isKnown: !documents.some(isTaught),
		};
		this.#ranker = new FieldRanker(tools, ranked, postings);
	}

	/** The parsed and weighed query, cached. */
	plan(text: string): WeighedQuery {
		const { parameters, serverTerms } = this.#parts;
		return this.#plans.get(text, () =>
			weigh(queryPlan(text, this.#terms, parameters), this.#index, parameters, serverTerms),
		);
	}

	rank(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools {
		return this.#ranker.rank(this.plan(text), limit, accepts);
	}
}

/** See {@link rankByFields}. */
export class RankerByFields implements Ranker {
	readonly vocabulary: Vocabulary;
	readonly #parts: IndexParts;
	/** Of all tools; without the user's teaching if only some tools have it. */
	readonly #search: FieldSearch;
	/** Of the taught tools, if only some tools are. */
	readonly #taughtSearch: FieldSearch | undefined;
	readonly #shapes: ToolShapes;
	#replacements: Replacements | undefined;
	/** Places by server and name. Computed on demand. */
	#places: ReadonlyMap<string, number> | undefined;

	constructor(parts: IndexParts) {
		const { tools, documents, vocabulary, index, parameters } = parts;
		this.vocabulary = vocabulary;
		this.#parts = parts;
		this.#shapes = new ToolShapes(tools, vocabulary);
		const terms = index.weights.length;
		const shared = {
			shapes: this.#shapes,
			meanings: new ToolMeanings(documents, vocabulary),
			asked: new AskedTerms(terms),
			sums: new Sums(tools.length),
			parameters,
			servers: numbered(tools.map((tool) => tool.server)),
			names: numbered(tools.map((tool) => tool.name)),
		};
		const taught = documents.map((document) => (isTaught(document) ? document : undefined));
		const isPartlyTaught = taught.some(Boolean) && !taught.every(Boolean);
		if (!isPartlyTaught) {
			this.#search = new FieldSearch(parts, shared, documents, index);
			return;
		}
		const untaught = documents.map(withoutTeaching);
		const indexOfUntaught = new InvertedIndex(untaught, terms, parameters.naming, index);
		this.#search = new FieldSearch(parts, shared, untaught, indexOfUntaught);
		this.#taughtSearch = new FieldSearch(parts, shared, documents, index, postingsOf(taught, terms));
	}

	/** Computes in steps what the first search would. */
	*prepare(): Generator<void> {
		yield* this.#shapes.prepare();
		this.#replacements = yield* findReplacements(this.#parts.tools);
	}

	rank(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools {
		const { hits, matches } = this.#rankWithTaught(text, limit, accepts);
		this.#replacements ??= finish(findReplacements(this.#parts.tools));
		return { hits: behindReplacements(hits, this.#replacements, accepts).slice(0, limit), matches };
	}

	/**
	 * A taught tool matches more words than an untaught one. It must not push untaught tools down, so taught tools are reordered among the places
	 * that they had before; the ones that only the teaching finds come last.
	 */
	#rankWithTaught(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools {
		const found = this.#search.rank(text, limit, accepts);
		if (!this.#taughtSearch) return found;
		const { hits } = this.#taughtSearch.rank(text, limit, accepts);
		const next = hits.values();
		const places = found.hits.map((hit) => (this.#isTaught(hit.place) ? (next.next().value ?? hit) : hit));
		const last = found.hits.at(-1)?.score ?? 1;
		const all = [...places, ...next].map((hit, i) => ({
			...hit,
			score: found.hits[i]?.score ?? last / (2 + i - found.hits.length),
		}));
		return { hits: all, matches: Math.max(found.matches, all.length) };
	}

	#isTaught(place: number): boolean {
		return isTaught(this.#parts.documents[place] as ToolDocument);
	}

	/** Whether the tool at a place may change something. */
	mayChange(place: number): boolean {
		return mayChange(this.#parts.tools[place] as Tool, this.#shapes.of(place));
	}

	asked(text: string): AskedWord[] {
		return this.plan(text).slots.map(({ text: word, alternatives }) => ({
			text: word,
			terms: alternatives.map(({ term }) => this.vocabulary.term(term)),
		}));
	}

	/** The parsed and weighed query, cached. */
	plan(text: string): WeighedQuery {
		return (this.#taughtSearch ?? this.#search).plan(text);
	}

	/** A term's weight; a term that no tool has weighs as much as the rarest. */
	weightOf(term: string): number {
		const { index } = this.#parts;
		const id = this.vocabulary.find(term);
		const weight = id !== undefined && index.has(id) ? index.weights[id] : undefined;
		return weight ?? inverseFrequency(index.size, 0);
	}

	/** Whether an index with these parameters can reuse its documents. */
	lends(parameters: RankingParameters): boolean {
		const { index } = this.#parts;
		return (
			parameters === this.#parts.parameters && this.vocabulary.size <= maxUnusedFactor * index.termsInUse
		);
	}

	/** The document of an identical tool. */
	documentOf(
		tool: Tool,
		server: ServerDescription | undefined,
		known: KnownExpansion | undefined,
	): ToolDocument | undefined {
		this.#places ??= new Map(this.#parts.tools.map((own, place) => [keyOf(own), place]));
		const place = this.#places.get(keyOf(tool));
		const own = place === undefined ? undefined : this.#parts.tools[place];
		if (place === undefined || !own || !sameTool(own, tool)) return undefined;
		if (this.#parts.knownExpansions?.get(own) !== known) return undefined;
		const described = this.#parts.servers?.get(tool.server);
		if (described?.description !== server?.description) return undefined;
		return described?.instructions === server?.instructions ? this.#parts.documents[place] : undefined;
	}
}

function keyOf({ server, name }: Tool): string {
	return `${server}\n${name}`;
}

/** Schemas are compared by identity: a tool that a server lists again has a new one and is analysed again. */
function sameTool(a: Tool, b: Tool): boolean {
	return (
		a.inputSchema === b.inputSchema &&
		a.description === b.description &&
		a.title === b.title &&
		a.searchHint === b.searchHint &&
		sameExpansion(a.expansion, b.expansion)
	);
}

function sameExpansion(a: Tool['expansion'], b: Tool['expansion']): boolean {
	if (a === b) return true;
	return (
		a?.when === b?.when &&
		a?.queries?.length === b?.queries?.length &&
		(a?.queries ?? []).every((query, i) => query === b?.queries?.[i])
	);
}

function isTaught({ expansion }: ToolDocument): boolean {
	return expansion?.isKnown === false;
}

function withoutTeaching(document: ToolDocument): ToolDocument {
	const { expansion, known, ...own } = document;
	if (!expansion || expansion.isKnown) return document;
	return known ? { ...own, expansion: known } : own;
}

/** Equal names get equal numbers. */
function numbered(names: readonly string[]): Uint32Array {
	const numbers = new Map<string, number>();
	return Uint32Array.from(names, (name) => {
		const number = numbers.get(name) ?? numbers.size;
		numbers.set(name, number);
		return number;
	});
}
