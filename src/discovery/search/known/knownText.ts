import type { ToolExpansion } from '../../catalog/expansion.ts';
import { contentWords, stem } from '../words/analyzer.ts';

/** What people say who want a tool. Written from its definition alone, without sight of any labelled query. */
export interface WrittenTool extends Required<ToolExpansion> {
	/** Names of its parameters: another tool of the same name has others. */
	readonly parameters: readonly string[];
}

/** The tools of a published server by name, in all its versions. Its file is called like the server, in words. */
export type WrittenServer = Readonly<Record<string, WrittenTool>>;

/** The same, as terms of an index. The package has this form: to read the sentences would double the time of indexing. */
export interface KnownServer {
	/** Distinct terms of all its tools. */
	readonly terms: readonly string[];
	/** A word of each term, empty if it is the term. */
	readonly words: readonly string[];
	readonly tools: Readonly<Record<string, KnownTool>>;
}

interface KnownTool extends Pick<WrittenTool, 'parameters'> {
	/** Places of its terms among those of the server, and a bit mask of the sentences that have each; bit 0 is the first. */
	readonly places: readonly number[];
	readonly having: readonly number[];
}

/** What is known of one tool. */
export interface KnownText extends KnownTool {
	readonly server: KnownServer;
}

export function toTerms(server: WrittenServer): KnownServer {
	const places = new Map<string, number>();
	const words: string[] = [];
	const placeOf = (word: string): number => {
		const term = stem(word);
		const known = places.get(term);
		if (known !== undefined) return known;
		places.set(term, words.length);
		return words.push(word === term ? '' : word) - 1;
	};
	const tools = Object.entries(server).map(([name, { parameters, when, queries }]) => {
		const having = new Map<number, number>();
		for (const [sentence, text] of [when, ...queries].entries()) {
			for (const place of contentWords(text).map(placeOf))
				having.set(place, (having.get(place) ?? 0) | (1 << sentence));
		}
		return [name, { parameters, places: [...having.keys()], having: [...having.values()] }] as const;
	});
	return { terms: [...places.keys()], words, tools: Object.fromEntries(tools) };
}

/** Its terms with a word of each. */
export function wordsOf({ server, places }: KnownText): [term: string, word: string][] {
	return places.map((place) => {
		const term = server.terms[place] as string;
		return [term, server.words[place] || term];
	});
}
