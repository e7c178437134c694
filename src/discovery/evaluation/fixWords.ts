import type { ToolSurface } from '../catalog/toolSurface.ts';
import { contentWords, isSmallTalk, stem } from '../search/words/analyzer.ts';
import { tokenize } from '../search/words/tokenizer.ts';
import type { Question } from './evaluate.ts';

/** Words of a hint that is proposed. */
const mostWords = 4;
/** Words of a query that are looked at, and pairs of them that are tried. */
const mostSingles = 8;
const mostPairs = 8;

/** What is known of a word when hints are made of it. */
export interface WordUse {
	/** Whether it stands in the tool's name or hint already, or only in the rest of what it says, in any form. */
	readonly said: (word: string) => 'named' | 'told' | 'not';
	/** How many of the queries that the tool should answer have it. */
	readonly queries: (word: string) => number;
	/** How many tools match it. */
	readonly tools: (word: string) => number;
}

/**
 * Hints that may bring a tool to a query, the smallest first: words of the query that the tool is not named by, one by one, then in
 * pairs, then up to four. Those come first that it does not say at all, that other queries of the same tool have, too, and that few
 * tools have.
 */
export function hintCandidates(query: string, use: WordUse): string[] {
	const lacking = tellingWords(query).filter((word) => use.said(word) !== 'named');
	const best = lacking
		.map((word) => ({
			word,
			told: Number(use.said(word) === 'told'),
			queries: use.queries(word),
			tools: use.tools(word),
		}))
		.sort((a, b) => a.told - b.told || b.queries - a.queries || a.tools - b.tools)
		.slice(0, mostSingles)
		.map(({ word }) => word);
	const longer = Array.from({ length: Math.max(0, Math.min(mostWords, best.length) - 2) }, (_, i) =>
		inOrder(best.slice(0, i + 3), lacking),
	);
	return [...best, ...pairsOf(best, lacking), ...longer];
}

/**
 * Words of a query that say what is wanted, in its order, each once: no small talk, no quotation, path or address, no number, and no
 * name in the middle of a sentence, for the next query will be about somebody else.
 */
export function tellingWords(query: string): string[] {
	const plain = query
		.replace(/"[^"]*"|`[^`]*`|“[^”]*”|\S*[/\\@]\S*/g, ' ')
		.replace(/(?<=[\p{Ll},]\s+)\p{Lu}\p{Ll}+/gu, ' ');
	const words = contentWords(plain).filter((word) => !isSmallTalk(word) && !/\p{N}/u.test(word));
	return [...new Map(words.map((word) => [stem(word), word])).values()];
}

/** The words of a text, in the form in which they are compared. */
export function termsOf(text: string): ReadonlySet<string> {
	return new Set(tokenize(text).map(stem));
}

/** Neighbours in the query first: `pull request` says more than `pull` and `draft`. */
function pairsOf(best: readonly string[], order: readonly string[]): string[] {
	const pairs = best.flatMap((first, i) => best.slice(i + 1).map((second) => [first, second]));
	const apart = (pair: readonly string[]) =>
		Math.abs(order.indexOf(pair[0] ?? '') - order.indexOf(pair[1] ?? ''));
	return pairs
		.sort((a, b) => Number(apart(a) > 1) - Number(apart(b) > 1))
		.slice(0, mostPairs)
		.map((pair) => inOrder(pair, order));
}

function inOrder(words: readonly string[], order: readonly string[]): string {
	return words.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).join(' ');
}

/** Lines that are tried at most. */
const mostLines = 20;

/**
 * Lines of synonyms that may mend several queries: a word that they have in common, and one that the names of their tools have in common,
 * as `fracas => incident`. Those of most queries first.
 */
export function synonymCandidates(misses: readonly Question[], surface: ToolSurface): string[] {
	/** By what the index makes of both words, which is the same for `incident` and `incidents`. */
	const lines = new Map<string, { readonly line: string; readonly queries: number }>();
	for (const { labelled, needs } of misses) {
		const names = wordsOfNames(needs, surface);
		for (const word of tellingWords(labelled.query)) {
			for (const [term, name] of names) {
				if (term === stem(word)) continue;
				const key = `${stem(word)} => ${term}`;
				const { line, queries } = lines.get(key) ?? { line: `${word} => ${name}`, queries: 0 };
				lines.set(key, { line, queries: queries + 1 });
			}
		}
	}
	return [...lines.values()]
		.filter(({ queries }) => queries > 1)
		.sort((a, b) => b.queries - a.queries)
		.slice(0, mostLines)
		.map(({ line }) => line);
}

/** Words of the names of tools, by their term. */
function wordsOfNames(needs: Question['needs'], surface: ToolSurface): ReadonlyMap<string, string> {
	const tools = needs.flatMap((need) => [...need].flatMap((name) => surface.get(name) ?? []));
	return new Map(tools.flatMap(({ name }) => tokenize(name)).map((word) => [stem(word), word]));
}
