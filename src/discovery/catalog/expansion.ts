import { cut, firstSentence, oneLine } from '../../common/text.ts';

/**
 * Text that a language model wrote about a tool at the user's request, for the index alone. It is not from the server, and is never shown to the model
 * that calls the tool.
 */
export interface ToolExpansion {
	/** One sentence: when would a person want the tool? */
	readonly when?: string;
	/** What people who want the tool would say. */
	readonly queries?: readonly string[];
}

/** Queries per tool, how many are read to find that many distinct ones, words per query, and characters of a query and of the sentence. */
export const maxQueries = 5;
const readQueries = 50;
const queryWords = 20;
const queryCharacters = 160;
const whenCharacters = 240;

/** Bounds and cleans an expansion; `undefined` if nothing is left. */
export function cleanExpansion({ when = '', queries = [] }: ToolExpansion): ToolExpansion | undefined {
	const sentence = cut(firstSentence(oneLine(when, 2 * whenCharacters)), whenCharacters);
	const clean = queries.slice(0, readQueries).map((query) => {
		const words = oneLine(query, 2 * queryCharacters).split(' ');
		return cut(words.slice(0, queryWords).join(' '), queryCharacters);
	});
	const seen = new Set(['']);
	const distinct = clean.filter((query) => !seen.has(query.toLowerCase()) && seen.add(query.toLowerCase()));
	if (sentence === '' && distinct.length === 0) return undefined;
	return {
		...(sentence !== '' && { when: sentence }),
		...(distinct.length > 0 && { queries: distinct.slice(0, maxQueries) }),
	};
}
