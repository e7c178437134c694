import { Memo } from '../../../common/memo.ts';
import type { ServerDescription } from '../../catalog/manifest.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { AskedWord } from '../explain.ts';
import { type RankedTools, type Ranker, type RankerSteps, toolsAtOnce } from '../ranker.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import { thesaurusWith } from '../words/thesaurus.ts';
import { FieldRanker } from './fieldRanker.ts';
import { InvertedIndex, inverseFrequency } from './invertedIndex.ts';
import { defaultParameters, type RankingParameters } from './parameters.ts';
import { type QueryPlan, queryPlan } from './queryPlan.ts';
import { QueryTerms } from './queryTerms.ts';
import { SubjectsOfServers, subjectsOfWords } from './subjects.ts';
import { ToolAnalyzer, type ToolDocument, Vocabulary } from './toolDocument.ts';
import { ToolShapes } from './toolShapes.ts';

/** What the default ranking knows besides the tools. */
export interface FieldRankingOptions {
	/** What servers say of themselves, by name. */
	readonly servers?: ReadonlyMap<string, ServerDescription>;
	/** Lines of synonyms beside the built-in ones; see `Thesaurus`. */
	readonly synonyms?: readonly string[];
	/** For the search for better ones. */
	readonly parameters?: RankingParameters;
}

/** Queries that are kept as they were read. */
const queriesRead = 200;
/** A vocabulary is given up when it has so many times the terms that are in use. */
const mostUnused = 2;

/**
 * The default ranking: BM25F over an inverted index of our own, with synonyms. MiniSearch, which served before, normalises the
 * lengths of all fields alike, adds up the synonyms of a word instead of taking the best, and makes an object of every match: at
 * ten thousand tools it takes many times as long (`npm run bench`). It stays where people type.
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
		const lent = lender?.documentOf(tool, server);
		if (!lent && ++analysed % toolsAtOnce === 0) yield;
		documents.push(lent ?? analyzer.analyze(tool, server));
	}
	yield;
	const index = new InvertedIndex(documents, vocabulary.size, parameters.naming);
	yield;
	return new RankerByFields({
		tools,
		servers: options.servers,
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
	/** By place, as the tools. */
	readonly documents: readonly ToolDocument[];
	readonly vocabulary: Vocabulary;
	readonly thesaurus: Thesaurus;
	readonly index: InvertedIndex;
	readonly parameters: RankingParameters;
}

/** See {@link rankByFields}. */
export class RankerByFields implements Ranker {
	readonly vocabulary: Vocabulary;
	readonly #parts: IndexParts;
	readonly #ranker: FieldRanker;
	readonly #terms: QueryTerms;
	/** Queries that were read: one is searched, explained hit by hit, and searched again for what is nearest. */
	readonly #read = new Memo<string, QueryPlan>(queriesRead);
	/** Places by server and name; made when first asked for. */
	#places: ReadonlyMap<string, number> | undefined;

	constructor(parts: IndexParts) {
		const { tools, documents, vocabulary, thesaurus, index, parameters } = parts;
		this.vocabulary = vocabulary;
		this.#parts = parts;
		const servers = numbered(tools.map((tool) => tool.server));
		const subjects = new SubjectsOfServers(documents, servers, vocabulary, subjectsOfWords(thesaurus));
		this.#ranker = new FieldRanker(
			new ToolShapes(tools, vocabulary),
			documents,
			servers,
			index,
			subjects,
			parameters,
		);
		this.#terms = new QueryTerms(vocabulary, index, thesaurus, parameters);
	}

	rank(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools {
		return this.#ranker.rank(this.plan(text), limit, accepts);
	}

	asked(text: string): AskedWord[] {
		return this.plan(text).slots.map(({ text: word, alternatives }) => ({
			text: word,
			terms: alternatives.map(({ term }) => this.vocabulary.term(term)),
		}));
	}

	/** What the query is understood to say. */
	plan(text: string): QueryPlan {
		return this.#read.get(text, () => queryPlan(text, this.#terms, this.#parts.parameters));
	}

	/** What a term counts at most; one that no tool has counts as much as the rarest. */
	weightOf(term: string): number {
		const { index } = this.#parts;
		const id = this.vocabulary.find(term);
		const weight = id !== undefined && index.has(id) ? index.weights[id] : undefined;
		return weight ?? inverseFrequency(index.size, 0);
	}

	/** Whether its documents can serve an index with these parameters. */
	lends(parameters: RankingParameters): boolean {
		const { index } = this.#parts;
		return parameters === this.#parts.parameters && this.vocabulary.size <= mostUnused * index.termsInUse;
	}

	/** The document of a tool that is the same as one of its own. */
	documentOf(tool: Tool, server: ServerDescription | undefined): ToolDocument | undefined {
		this.#places ??= new Map(this.#parts.tools.map((own, place) => [keyOf(own), place]));
		const place = this.#places.get(keyOf(tool));
		const own = place === undefined ? undefined : this.#parts.tools[place];
		if (place === undefined || !own || !sameTool(own, tool)) return undefined;
		const described = this.#parts.servers?.get(tool.server);
		if (described?.description !== server?.description) return undefined;
		return described?.instructions === server?.instructions ? this.#parts.documents[place] : undefined;
	}
}

function keyOf({ server, name }: Tool): string {
	return `${server}\n${name}`;
}

/** A list that a server sends anew has new schemas; then it is analysed anew. */
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

/** The same number for the same name. */
function numbered(names: readonly string[]): Uint32Array {
	const numbers = new Map<string, number>();
	return Uint32Array.from(names, (name) => {
		const number = numbers.get(name) ?? numbers.size;
		numbers.set(name, number);
		return number;
	});
}
