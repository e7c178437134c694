import { Memo } from '../../../common/memo.ts';
import type { ServerDescription } from '../../catalog/manifest.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { AskedWord } from '../explain.ts';
import type { KnownText } from '../known/knownText.ts';
import { mayChange } from '../mayChange.ts';
import {
	finish,
	type Ranked,
	type RankedTools,
	type Ranker,
	type RankerSteps,
	toolsAtOnce,
} from '../ranker.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import { thesaurusWith } from '../words/thesaurus.ts';
import { AskedTerms } from './askedTerms.ts';
import { behindReplacements, findReplacements, type Replacements } from './deprecated.ts';
import { FieldRanker, Sums } from './fieldRanker.ts';
import { InvertedIndex, inverseFrequency, postingsOf } from './invertedIndex.ts';
import { defaultParameters, type RankingParameters } from './parameters.ts';
import { queryPlan } from './queryPlan.ts';
import { QueryTerms } from './queryTerms.ts';
import { ToolAnalyzer, type ToolDocument } from './toolDocument.ts';
import { ToolShapes } from './toolShape.ts';
import { Vocabulary } from './vocabulary.ts';
import { type WeighedQuery, weigh } from './weighedQuery.ts';

export interface FieldRankingOptions {
	/** The servers' descriptions of themselves, by name. */
	readonly servers?: ReadonlyMap<string, ServerDescription>;
	/** What is known of tools of common servers. */
	readonly texts?: ReadonlyMap<Tool, KnownText>;
	/** Additional lines of synonyms; see `Thesaurus`. */
	readonly synonyms?: readonly string[];
	/** For tuning. */
	readonly parameters?: RankingParameters;
}

/** Plans of queries that are kept. A long query has up to a dozen clauses, and each clause needs a plan. */
const queriesRead = 1_000;
/** A vocabulary is discarded when it has this many times the terms in use. */
const mostUnused = 2;

/**
 * The default ranking: BM25F over an inverted index of our own, with synonyms. MiniSearch, which served before, normalises the
 * lengths of all fields alike, adds up the synonyms of a word instead of taking the best, and makes an object of every match: at
 * ten thousand tools it takes many times as long (`npm run bench`).
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
		const text = options.texts?.get(tool);
		const lent = lender?.documentOf(tool, server, text);
		if (!lent && ++analysed % toolsAtOnce === 0) yield;
		documents.push(lent ?? analyzer.analyze(tool, server, text));
	}
	yield;
	const index = new InvertedIndex(documents, vocabulary.size, parameters.naming);
	yield;
	return new RankerByFields({
		tools,
		servers: options.servers,
		texts: options.texts,
		documents,
		vocabulary,
		thesaurus,
		index,
		parameters,
	});
}

interface IndexParts {
	readonly tools: readonly Tool[];
	readonly servers: ReadonlyMap<string, ServerDescription> | undefined;
	readonly texts: FieldRankingOptions['texts'];
	/** By place, like the tools. */
	readonly documents: readonly ToolDocument[];
	readonly vocabulary: Vocabulary;
	readonly thesaurus: Thesaurus;
	readonly index: InvertedIndex;
	readonly parameters: RankingParameters;
}

/** How some documents are searched. */
interface FieldSearch {
	readonly index: InvertedIndex;
	readonly ranker: FieldRanker;
	readonly terms: QueryTerms;
	/** Parsed queries: a query is searched, explained hit by hit, and searched again for the closest tools. */
	readonly read: Memo<string, WeighedQuery>;
	/** Whether the tool at a place has a text that it does not have in the stage before. */
	readonly isTaught: (place: number) => boolean;
}

/** See {@link rankByFields}. */
export class RankerByFields implements Ranker {
	readonly vocabulary: Vocabulary;
	readonly #parts: IndexParts;
	/** By stage, see {@link stagesOf}. */
	readonly #searches: readonly FieldSearch[];
	readonly #shapes: ToolShapes;
	#replacements: Replacements | undefined;
	/** Places by server and name. Computed on demand. */
	#places: ReadonlyMap<string, number> | undefined;

	constructor(parts: IndexParts) {
		const { tools, documents, vocabulary, thesaurus, index, parameters } = parts;
		const { naming } = parameters;
		this.vocabulary = vocabulary;
		this.#parts = parts;
		const servers = numbered(tools.map((tool) => tool.server));
		this.#shapes = new ToolShapes(tools, vocabulary);
		const terms = index.weights.length;
		const shared = {
			shapes: this.#shapes,
			asked: new AskedTerms(terms),
			sums: new Sums(tools.length),
			parameters,
		};
		this.#searches = stagesOf(documents).map((stage, i, stages) => {
			const own = stage === documents ? index : new InvertedIndex(stage, terms, naming, index);
			const before = stages[i - 1];
			const isTaught = (place: number) => stage[place]?.expansion !== before?.[place]?.expansion;
			const searched = before
				? postingsOf(
						stage.map((document, place) => (isTaught(place) ? document : undefined)),
						terms,
					)
				: own;
			return {
				index: own,
				ranker: new FieldRanker(shared, { tools, servers, documents: stage, index: own }, searched),
				terms: new QueryTerms(vocabulary, own, thesaurus, parameters),
				read: new Memo(queriesRead),
				isTaught,
			};
		});
	}

	/** Computes in steps what the first search would. */
	*prepare(): Generator<void> {
		yield* this.#shapes.prepare();
		this.#replacements = yield* findReplacements(this.#parts.tools);
	}

	rank(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools {
		const { hits, matches } = this.#find(text, limit, accepts);
		this.#replacements ??= finish(findReplacements(this.#parts.tools));
		return { hits: behindReplacements(hits, this.#replacements, accepts).slice(0, limit), matches };
	}

	/**
	 * A taught tool matches more words than an untaught one. It must not push untaught tools down, so each stage reorders the tools that it adds
	 * texts to among the places that they had before; those that it newly finds follow behind.
	 */
	#find(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools {
		const [first, ...others] = this.#searches as [FieldSearch, ...FieldSearch[]];
		let found = first.ranker.rank(this.#planFor(first, text), limit, accepts);
		for (const search of others) {
			const taught = search.ranker.rank(this.#planFor(search, text), limit, accepts);
			const next = taught.hits.values();
			const places = found.hits.map((hit) => (search.isTaught(hit.place) ? (next.next().value ?? hit) : hit));
			const hits = inPlaces([...places, ...next], found.hits);
			found = { hits, matches: Math.max(found.matches, hits.length) };
		}
		return found;
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
		return this.#planFor(this.#searches.at(-1) as FieldSearch, text);
	}

	#planFor({ index, terms, read }: FieldSearch, text: string): WeighedQuery {
		return read.get(text, () => {
			const { parameters } = this.#parts;
			return weigh(queryPlan(text, terms, parameters), index, parameters);
		});
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
		return parameters === this.#parts.parameters && this.vocabulary.size <= mostUnused * index.termsInUse;
	}

	/** The document of an identical tool. */
	documentOf(
		tool: Tool,
		server: ServerDescription | undefined,
		text: KnownText | undefined,
	): ToolDocument | undefined {
		this.#places ??= new Map(this.#parts.tools.map((own, place) => [keyOf(own), place]));
		const place = this.#places.get(keyOf(tool));
		const own = place === undefined ? undefined : this.#parts.tools[place];
		if (place === undefined || !own || !sameTool(own, tool)) return undefined;
		if (this.#parts.texts?.get(own) !== text) return undefined;
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

/**
 * The documents with all texts, after versions with fewer: without the user's teaching if only some tools have it, and without any texts if
 * Discovery knows only some of the tools.
 */
function stagesOf(documents: readonly ToolDocument[]): readonly (readonly ToolDocument[])[] {
	const isTaught = ({ expansion }: ToolDocument) => expansion?.isKnown === false;
	const hasText = ({ expansion }: ToolDocument) => expansion !== undefined;
	const isPartly = (all: readonly ToolDocument[], has: (document: ToolDocument) => boolean) =>
		all.some(has) && !all.every(has);
	const untaught = isPartly(documents, isTaught) ? [documents.map(withoutTeaching)] : [];
	const [fewest = documents] = untaught;
	const own = isPartly(fewest, hasText) ? [fewest.map(({ expansion: _, ...rest }) => rest)] : [];
	return [...own, ...untaught, documents];
}

function withoutTeaching(document: ToolDocument): ToolDocument {
	const { expansion, known, ...own } = document;
	if (!expansion || expansion.isKnown) return document;
	return known ? { ...own, expansion: known } : own;
}

/** Hits with the scores of the places that they take; those behind these places score less. */
function inPlaces(hits: readonly Ranked[], places: readonly Ranked[]): Ranked[] {
	const last = places.at(-1)?.score ?? 1;
	return hits.map((hit, i) => ({ ...hit, score: places[i]?.score ?? last / (2 + i - places.length) }));
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
