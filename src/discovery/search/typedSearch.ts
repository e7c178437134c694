import { distance } from 'fastest-levenshtein';
import MiniSearch, { type MatchInfo, type Query, type QueryCombination } from 'minisearch';
import { firstSentence } from '../../common/text.ts';
import type { Tool } from '../catalog/tool.ts';
import { type WordMatch, wordMatch } from './explain.ts';
import { isStopWord, stem } from './words/analyzer.ts';
import { isKnownTerm } from './words/thesaurus.ts';
import { isUnspaced, tokenize } from './words/tokenizer.ts';

/** Characters that are read of what is typed, and of one word of it. */
const longestText = 200;
const longestWord = 40;
/** Letters from which on a word may have two of them swapped, one wrong, two wrong. */
const shortestSwapped = 3;
const shortestOneOff = 4;
const shortestTwoOff = 6;
const mostEdits = 2;

/** A text as it is being typed. */
export interface TypedText {
	/** What a tool is to have, each once. */
	readonly words: readonly TypedWord[];
	/** Little words: a tool that has them too comes first, for names have them (`get_issue`). */
	readonly others: readonly TypedWord[];
}

/** One word that was typed. */
export interface TypedWord {
	readonly text: string;
	/** It may not be finished. */
	readonly last: boolean;
}

/** What is typed, as words. Where all words are little ones they count like any other (`who am i`). */
export function readTyped(text: string): TypedText {
	const all = [...new Set(tokenize(text.slice(0, longestText)).map((word) => word.slice(0, longestWord)))];
	const words = all.map((word, i) => ({ text: word, last: i === all.length - 1 }));
	const telling = words.filter(({ text }) => !isStopWord(text));
	if (telling.length === 0) return { words, others: [] };
	return { words: telling, others: words.filter((word) => !telling.includes(word)) };
}

/** A word as it stands: the last one as the beginning of one, too. */
export function asTyped({ text, last }: TypedWord): QueryCombination {
	return query(text, { prefix: last });
}

/**
 * What else may be meant by a word that no tool has, the likeliest first: the beginning of a word, a typo, a worse one. Two letters
 * swapped are one typo, which Levenshtein's distance counts as two. A word that exists ("book") is no typo of another ("look").
 */
export function otherReadings({ text }: TypedWord): QueryCombination[] {
	const beginning = query(text, { prefix: true });
	if (isUnspaced(text) || isKnownTerm(stem(text))) return [beginning];
	const swaps =
		text.length >= shortestSwapped ? swapped(text).map((word) => query(word, { prefix: true })) : [];
	const oneOff = text.length >= shortestOneOff ? [query(text, { fuzzy: 1 })] : [];
	const twoOff = text.length >= shortestTwoOff ? [query(text, { fuzzy: mostEdits })] : [];
	const slip = [...swaps, ...oneOff];
	return [beginning, ...(slip.length > 0 ? [{ combineWith: 'OR', queries: slip } as const] : []), ...twoOff];
}

/** How a tool's word comes from one that was typed; `undefined`: it does not. */
export function likenessOf(typed: string, word: string): 'same' | 'slip' | undefined {
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

/** A word with two neighbouring letters swapped, at each place. */
function swapped(word: string): string[] {
	return [...word]
		.slice(1)
		.map((_, i) => word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2))
		.filter((other) => other !== word);
}

/** What a word counts in each field, from the most to the least telling. */
const weights = { name: 5, title: 3, hint: 3, server: 3, summary: 1.5, description: 0.5 } as const;

type TypedField = keyof typeof weights;
const fields = Object.keys(weights) as TypedField[];
const prose: ReadonlySet<string> = new Set<TypedField>(['summary', 'description']);

/** What of a tool is searched. */
const texts = ['server', 'name', 'title', 'description', 'searchHint'] as const;

/** Characters of a description that are searched: what a person remembers of it stands at its beginning. */
const longestDescription = 4000;

/** Tools that are indexed in one step: some ten milliseconds of work. */
const toolsAtOnce = 100;

/** A tool that what was typed finds. */
export interface TypedHit<T extends Tool = Tool> {
	readonly tool: T;
	/** In the order in which the words were typed. */
	readonly matches: readonly WordMatch[];
	/** It has every word. */
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

	/** Indexes tools in steps of some ten milliseconds, between which `pause` is awaited. */
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

	/** Whether it finds what one that is built of these tools would find. */
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
