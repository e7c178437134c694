import type { Evidence } from './evidence.ts';
import type { AskedWord } from './explain.ts';
import { stem } from './words/analyzer.ts';
import { tokenize } from './words/tokenizer.ts';

/** A tool's place in the corpus and its score. Scores of different queries or rankers are not comparable. */
export interface Ranked {
	readonly place: number;
	readonly score: number;
	/** Evidence for and against the tool; absent if the ranking has none. */
	readonly evidence?: Evidence;
	/** Past chats speak for the tool: whether they make it likely. */
	readonly isLearned?: boolean;
}

export interface RankedTools {
	/** Best first, at most as many as requested; on equal scores the earlier place first. */
	readonly hits: readonly Ranked[];
	/** Number of tools that match at all. */
	readonly matches: number;
}

/** The order of hits. */
export function byScore(a: Ranked, b: Ranked): number {
	return b.score - a.score || a.place - b.place;
}

/** Ranks the tools of a corpus for a text. */
export interface Ranker {
	/** The best `limit` of the accepted places; of all if `accepts` is absent. */
	rank(text: string, limit: number, accepts?: (place: number) => boolean): RankedTools;
	/** The words of a text and the terms that match them. */
	asked(text: string): AskedWord[];
}

/** Tools analysed per step: about ten milliseconds of work. */
export const toolsAtOnce = 250;

/** Builds a ranker in short steps, so that other work can run in between. */
export type RankerSteps<R extends Ranker = Ranker> = Generator<void, R, void>;

export function finish<R>(steps: Generator<void, R, void>): R {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

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

/** Each word by itself. */
export function askedWords(text: string): AskedWord[] {
	return [...new Set(tokenize(text))].map((word) => ({ text: word, terms: [stem(word)] }));
}
