import { distance } from 'fastest-levenshtein';
import type { QueryCombination } from 'minisearch';
import { isStopWord } from '../words/analyzer.ts';
import { isUnspaced, tokenize } from '../words/tokenizer.ts';

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
 * What else may be meant by a word that no tool has as it stands, the likeliest first: the beginning of a word, a slip of the
 * pen, a worse one. Two letters swapped are one slip, which Levenshtein's distance counts as two.
 */
export function otherReadings({ text }: TypedWord): QueryCombination[] {
	const beginning = query(text, { prefix: true });
	if (isUnspaced(text)) return [beginning];
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
