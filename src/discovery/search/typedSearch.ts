import { distance } from 'fastest-levenshtein';
import MiniSearch, { type MatchInfo, type Query, type QueryCombination } from 'minisearch';
import { firstSentence } from '../../common/text.ts';
import type { Tool } from '../catalog/tool.ts';
import { type WordMatch, wordMatch } from './explain.ts';
import { isStopWord, stem } from './words/analyzer.ts';
import { isKnownTerm } from './words/thesaurus.ts';
import { isUnspaced, tokenize } from './words/tokenizer.ts';

/** Characters that are read of the text, and of one word. */
const longestText = 200;
const longestWord = 40;
/** Minimum letters for a swap, for one edit, for two edits. */
const shortestSwapped = 3;
const shortestOneOff = 4;
const shortestTwoOff = 6;
const mostEdits = 2;

/** Text while it is being typed. */
export interface TypedText {
	/** Distinct words that a tool must have. */
	readonly words: readonly TypedWord[];
	/** Stop words: names have them (`get_issue`), so a tool that has them too comes first. */
	readonly others: readonly TypedWord[];
}

/** One word that was typed. */
export interface TypedWord {
	readonly text: string;
	/** The last word may be incomplete. */
	readonly last: boolean;
}

/** Reads typed text. If all words are stop words, they count like any other (`who am i`). */
function readTyped(text: string): TypedText {
	const all = [...new Set(tokenize(text.slice(0, longestText)).map((word) => word.slice(0, longestWord)))];
	const words = all.map((word, i) => ({ text: word, last: i === all.length - 1 }));
	const telling = words.filter(({ text }) => !isStopWord(text));
	if (telling.length === 0) return { words, others: [] };
	return { words: telling, others: words.filter((word) => !telling.includes(word)) };
}

/** A word as typed; the last one also as a prefix. */
export function asTyped({ text, last }: TypedWord): QueryCombination {
	return query(text, { prefix: last });
}

/**
 * Other readings of a word that no tool has, the likeliest first: a prefix, a typo, a worse typo. A swap of two letters is one typo, although
 * Levenshtein distance counts two. A word that exists ("book") is not a typo of another ("look").
 */
function otherReadings({ text }: TypedWord): QueryCombination[] {
	const beginning = query(text, { prefix: true });
	if (isUnspaced(text) || isKnownTerm(stem(text))) return [beginning];
	const swaps =
		text.length >= shortestSwapped ? swapped(text).map((word) => query(word, { prefix: true })) : [];
	const oneOff = text.length >= shortestOneOff ? [query(text, { fuzzy: 1 })] : [];
	const twoOff = text.length >= shortestTwoOff ? [query(text, { fuzzy: mostEdits })] : [];
	const slip = [...swaps, ...oneOff];
	return [beginning, ...(slip.length > 0 ? [{ combineWith: 'OR', queries: slip } as const] : []), ...twoOff];
}

/** How a tool's word matches a typed one; `undefined`: it does not. */
function likenessOf(typed: string, word: string): 'same' | 'slip' | undefined {
	if (word.startsWith(typed)) return 'same';
	const off = distance(typed, word) <= mostEdits || swapped(typed).some((other) => word.startsWith(other));
	return off ? 'slip' : undefined;
}

function query(
	text: string,
	options: { readonly prefix?: boolean; readonly fuzzy?: number },
): QueryCombination {
	return { combineWith: 'OR', queries: [text], ...options };
}

/** The word with each pair of neighbouring letters swapped. */
function swapped(word: string): string[] {
	return [...word]
		.slice(1)
		.map((_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2))
		.filter((other) => other !== word);
}

/** Weights of the fields, the most important first. */
const weights = { name: 5, title: 3, hint: 3, server: 3, summary: 1.5, description: 0.5 } as const;

type TypedField = keyof typeof weights;
const fields = Object.keys(weights) as TypedField[];
const prose: ReadonlySet<string> = new Set<TypedField>(['summary', 'description']);

/** Fields that decide whether two tools are the same to this search. */
const texts = ['server', 'name', 'title', 'description', 'searchHint'] as const;

/** Characters of a description that are searched: people remember its beginning. */
const longestDescription = 4000;

/** Tools indexed per step: about ten milliseconds of work. */
const toolsAtOnce = 100;

export interface TypedHit<T extends Tool = Tool> {
	readonly tool: T;
	/** In the order of the typed words. */
	readonly matches: readonly WordMatch[];
	/** It matches every word. */
	readonly complete: boolean;
}

/**
 * Search while a person types, over MiniSearch: every word is one of the tool's, the last one may be the beginning of one, and a
 * word that no tool has may be abbreviated or a slip of the pen. A tool whose name is what was typed comes first. Where no tool
 * has all words, those come that have some.
 *
 * It only finds candidates: which of them comes first, the index for models' queries ({@link ToolIndex}) says. That one knows synonyms,
 * inflection and taught texts, but not half a word.
 */
export class TypedSearch<T extends Tool = Tool> {
	readonly #tools: readonly T[];
	readonly #index: MiniSearch<{ readonly id: number; readonly tool: Tool }>;

	private constructor(tools: readonly T[]) {
		this.#tools = tools;
		this.#index = new MiniSearch({
			fields: [...fields],
			extractField: (document, field) =>
				field === 'id' ? document.id : textOf(document.tool, field as TypedField),
			tokenize: (text) => tokenize(text),
			processTerm: (term, field) => (field && prose.has(field) && isStopWord(term) ? null : term),
			searchOptions: { boost: weights },
		});
	}

	/** Builds in steps of about ten milliseconds; `pause` is awaited in between. */
	static async build<T extends Tool>(
		tools: readonly T[],
		pause: () => Promise<void>,
	): Promise<TypedSearch<T>> {
		const search = new TypedSearch(tools);
		for (let at = 0; at < tools.length; at += toolsAtOnce) {
			const some = tools.slice(at, at + toolsAtOnce);
			search.#index.addAll(some.map((tool, i) => ({ id: at + i, tool })));
			await pause();
		}
		return search;
	}

	/** Whether an index of these tools would find the same. */
	isOf(tools: readonly Tool[]): boolean {
		return tools.length === this.#tools.length && this.#tools.every((tool, i) => saysTheSame(tool, tools[i]));
	}

	/** The best `limit` tools, best first, then in the order in which they came. */
	search(text: string, limit: number): TypedHit<T>[] {
		const { words, others } = readTyped(text);
		const preferred = others.map(asTyped);
		const { found, complete } = this.#bestReading(words, preferred);
		return this.#ordered(found, tokenize(text))
			.slice(0, limit)
			.map(({ id, match }) => ({
				tool: this.#tools[id] as T,
				matches: words.flatMap(({ text }) => matchOf(text, match)),
				complete,
			}));
	}

	/** Tools that have all words as typed, else all as they may be meant, else some. */
	#bestReading(
		words: readonly TypedWord[],
		preferred: QueryCombination[],
	): { found: Found[]; complete: boolean } {
		const typed = this.#find(words.map(asTyped), 'AND', preferred);
		if (typed.length > 0) return { found: typed, complete: true };
		const meant = words.map((word) => this.#reading(word)).filter((query) => query !== undefined);
		const all = meant.length === words.length ? this.#find(meant, 'AND', preferred) : [];
		if (all.length > 0) return { found: all, complete: true };
		return { found: this.#find(meant, 'OR', preferred), complete: false };
	}

	#find(queries: QueryCombination[], combineWith: 'AND' | 'OR', preferred: QueryCombination[]): Found[] {
		if (queries.length === 0) return [];
		// Every tool has the wildcard: a preferred word adds to the score and excludes none.
		const free: Query = { combineWith: 'OR', queries: [MiniSearch.wildcard, ...preferred] };
		const found = this.#index.search({
			combineWith: 'AND',
			queries: [{ combineWith, queries }, ...(preferred.length > 0 ? [free] : [])],
		});
		return found.map(({ id, score, match }) => ({ id, score, match }));
	}

	/** A word as it is most likely meant; `undefined` where no tool has it in any way. */
	#reading(word: TypedWord): QueryCombination | undefined {
		return [asTyped(word), ...otherReadings(word)].find((query) => this.#index.search(query).length > 0);
	}

	#ordered(found: readonly Found[], words: readonly string[]): Found[] {
		const asked = words.join(' ');
		const named = new Set(found.filter(({ id }) => this.#namesOf(id).includes(asked)));
		return found.toSorted(
			(a, b) => Number(named.has(b)) - Number(named.has(a)) || b.score - a.score || a.id - b.id,
		);
	}

	#namesOf(id: number): string[] {
		const { server, name } = this.#tools[id] as T;
		return [name, `${server}:${name}`].map((text) => tokenize(text).join(' '));
	}
}

interface Found {
	readonly id: number;
	readonly score: number;
	readonly match: MatchInfo;
}

function saysTheSame(a: Tool, b: Tool | undefined): boolean {
	return a === b || (b !== undefined && texts.every((text) => a[text] === b[text]));
}

function textOf(tool: Tool, field: TypedField): string {
	const description = tool.description?.slice(0, longestDescription) ?? '';
	switch (field) {
		case 'hint':
			return tool.searchHint ?? '';
		case 'summary':
			return firstSentence(description);
		case 'description':
			return description.trimStart().slice(firstSentence(description).length);
		default:
			return tool[field] ?? '';
	}
}

/** Where a tool has a word that was typed: as it stands rather than after a slip, then in the most telling field. */
function matchOf(typed: string, match: MatchInfo): WordMatch[] {
	const candidates = Object.entries(match).flatMap(([word, its]) => {
		const likeness = likenessOf(typed, word);
		if (likeness === undefined) return [];
		const slip = likeness === 'slip' ? fields.length : 0;
		return its.map((field) => ({
			word,
			field: field as TypedField,
			far: slip + fields.indexOf(field as TypedField),
		}));
	});
	const [nearest] = candidates.sort((a, b) => a.far - b.far || a.word.length - b.word.length);
	return nearest ? [wordMatch(typed, nearest.field, nearest.word)] : [];
}
