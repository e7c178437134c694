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
	/** Distinct terms of all its tools, with spaces between them. */
	readonly terms: string;
	readonly tools: Readonly<Record<string, KnownTool>>;
}

/** Each letter of the texts is a number: a third smaller in the package than numbers as digits. */
interface KnownTool extends Pick<WrittenTool, 'parameters'> {
	/** Places of its terms among those of the server, ascending, each as the distance from the one before. */
	readonly places: string;
	/** By term: the number of sentences that have it. */
	readonly counts: string;
}

/** What is known of one tool. */
export interface KnownExpansion extends KnownTool {
	readonly server: KnownServer;
}

/** The letter for 0. */
const NOTHING = '#'.charCodeAt(0);

export function toTerms(server: WrittenServer): KnownServer {
	const terms = new Map<string, number>();
	const tools = Object.entries(server).map(([name, { parameters, when, queries }]) => {
		const counts = new Map<number, number>();
		for (const text of [when, ...queries]) {
			for (const term of new Set(contentWords(text).map(stem))) {
				const place = terms.get(term) ?? terms.size;
				terms.set(term, place);
				counts.set(place, (counts.get(place) ?? 0) + 1);
			}
		}
		const ascending = [...counts].sort(([a], [b]) => a - b);
		const places = ascending.map(([place], i) => place - (ascending[i - 1]?.[0] ?? 0));
		return [
			name,
			{ parameters, places: letters(places), counts: letters(ascending.map(([, count]) => count)) },
		] as const;
	});
	return { terms: [...terms.keys()].join(' '), tools: Object.fromEntries(tools) };
}

function letters(numbers: readonly number[]): string {
	return String.fromCharCode(...numbers.map((number) => NOTHING + number));
}

/** Reads the places of its terms among those of the server, each with the number of sentences. */
export function readPlaces(
	{ places, counts }: KnownExpansion,
	read: (place: number, count: number) => void,
): void {
	let place = 0;
	for (let i = 0; i < places.length; i++) {
		place += places.charCodeAt(i) - NOTHING;
		read(place, counts.charCodeAt(i) - NOTHING);
	}
}
