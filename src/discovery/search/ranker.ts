import type { Evidence } from './evidence.ts';
import type { AskedWord } from './explain.ts';
import { stem } from './words/analyzer.ts';
import { tokenize } from './words/tokenizer.ts';

/** A tool's place in the corpus with its score for one query; scores of two queries or rankers cannot be compared. */
export interface Ranked {
	readonly place: number;
	readonly score: number;
	/** What speaks for the tool and against it; absent where the ranking cannot tell. */
	readonly evidence?: Evidence;
}

/** What ranking a query found. */
export interface RankedTools {
	/** Best first, at most as many as were wanted; of equal ones the earlier place first. */
	readonly hits: readonly Ranked[];
	/** Tools that match at all. */
	readonly matches: number;
}

/** The order of hits. */
export function byScore(a: Ranked, b: Ranked): number {
	return b.score - a.score || a.place - b.place;
}

/** Ranks the tools of a corpus for a text. */
export interface Ranker {
	/** The best `limit` of those places that are accepted; of all if left out. */
	rank(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools;
	/** What it looks for in tools when it reads a text. */
	asked(text: string): AskedWord[];
}

/** Tools that are analysed in one step: some ten milliseconds of work. */
export const toolsAtOnce = 250;

/** Steps of making a ranker, short enough to go on with other work between two of them. */
export type RankerSteps<R extends Ranker = Ranker> = Generator<void, R, void>;

/** Takes all steps at once. */
export function finish<R>(steps: Generator<void, R, void>): R {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/** The best of scores by place. */
export function bestOf(
	scores: ReadonlyMap<number, number>,
	limit: number,
	accepts: (place: number) => boolean = () => true,
): RankedTools {
	const accepted = [...scores].filter(([place, score]) => score > 0 && accepts(place));
	const hits = accepted
		.map(([place, score]) => ({ place, score }))
		.sort(byScore)
		.slice(0, limit);
	return { hits, matches: accepted.length };
}

/** Every word for itself. */
export function askedWords(text: string): AskedWord[] {
	return [...new Set(tokenize(text))].map((word) => ({ text: word, terms: [stem(word)] }));
}
