import { cut, firstSentence, folded, oneLine } from '../../common/text.ts';

/**
 * What a language model wrote of a tool at the user's wish, for the search alone: it is not the server's word, and no model that is to
 * call the tool is shown it.
 */
export interface ToolExpansion {
	/** When a person would want the tool; one sentence. */
	readonly when?: string;
	/** What people would say that want it. */
	readonly queries?: readonly string[];
}

/** Queries of one tool, words of a query, and characters of a query and of the sentence. */
export const mostQueries = 5;
const queryWords = 20;
const queryCharacters = 160;
const whenCharacters = 240;

/** An expansion as it is kept: bounded, and cleaned like every text of others; `undefined` where nothing is left. */
export function cleanExpansion({ when = '', queries = [] }: ToolExpansion): ToolExpansion | undefined {
	const sentence = cut(firstSentence(oneLine(when, 2 * whenCharacters)), whenCharacters);
	const clean = queries.map((query) => cut(firstWords(oneLine(query, 2 * queryCharacters)), queryCharacters));
	const seen = new Set(['']);
	const distinct = clean.filter((query) => !seen.has(query.toLowerCase()) && seen.add(query.toLowerCase()));
	if (sentence === '' && distinct.length === 0) return undefined;
	return {
		...(sentence !== '' && { when: sentence }),
		...(distinct.length > 0 && { queries: distinct.slice(0, mostQueries) }),
	};
}

function firstWords(text: string): string {
	return folded(text.split(' ').slice(0, queryWords).join(' '));
}
