import type { Tool } from '../src/discovery/index.ts';
import type { LabelledQuery, ToolReference } from './querySet.ts';

/**
 * How well a ranked list answers a query with needs; averaged over queries it is the quality of a ranking. All values are 0 to 1, over the first ten
 * tools. A need's rank is that of the first tool that meets it.
 */
export interface Relevance {
	/** 1 if the first tool meets a need. */
	readonly hit1: number;
	/** Share of the needs met by the first five and the first ten tools. */
	readonly r5: number;
	readonly r10: number;
	/** 1 / rank of the first need that is met; 0: none. Its mean is the mean reciprocal rank. */
	readonly mrr: number;
	/**
	 * Normalised discounted cumulative gain (Järvelin and Kekäläinen, 2002) by needs: the sum of 1 / log2(1 + rank) over the needs
	 * that are met, as a share of that sum if the needs were met one by one on the first ranks. Each need counts once, whatever
	 * else would meet it too; where one tool meets several needs, so that there would be more than all, it is 1.
	 */
	readonly ndcg10: number;
	/** 1 if nothing was returned. */
	readonly refused: number;
}

/** The measures by their usual names, in the order of display. */
export const MEASURES = {
	hit1: 'hit@1',
	r5: 'R@5',
	r10: 'R@10',
	mrr: 'MRR',
	ndcg10: 'nDCG@10',
	refused: 'refused',
} as const satisfies Record<keyof Relevance, string>;

/** Ranks that are judged. */
const judgedRanks = 10;

/** How many tools to search for, so that enough remain after removing helpers. */
export function toolsToJudge({ also = [] }: LabelledQuery): number {
	return judgedRanks + also.length;
}

/** Judges a ranked list. Helpers (`also`) are removed first, so they neither help nor take a place. */
export function judge(query: LabelledQuery, ranked: readonly Tool[]): Relevance {
	const helpers = new Set((query.also ?? []).map(keyOf));
	const keys = ranked.map((tool) => keyOf([tool.server, tool.name])).filter((key) => !helpers.has(key));
	const ranks = query.gold.map((alternatives) => rankOf(new Set(alternatives.map(keyOf)), keys));
	return relevanceOf(ranks, ranked.length === 0);
}

function keyOf([server, tool]: ToolReference): string {
	return JSON.stringify([server, tool]);
}

/** Judges a list by the ranks of its needs, from 1; infinite: not met. Needs at least one need. */
function relevanceOf(ranks: readonly number[], isEmpty: boolean): Relevance {
	const judged = ranks.map((rank) => (rank <= judgedRanks ? rank : Number.POSITIVE_INFINITY));
	const recall = (k: number): number => judged.filter((rank) => rank <= k).length / judged.length;
	return {
		hit1: recall(1) > 0 ? 1 : 0,
		r5: recall(5),
		r10: recall(10),
		mrr: 1 / Math.min(...judged),
		ndcg10: Math.min(1, sumOfGains(judged) / sumOfGains(idealRanks(judged.length))),
		refused: isEmpty ? 1 : 0,
	};
}

/** Rank of the first key that meets a need, from 1; infinite: none. */
function rankOf(wanted: ReadonlySet<string>, keys: readonly string[]): number {
	const place = keys.findIndex((key) => wanted.has(key));
	return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
}

/** The mean; zeros for an empty list. */
export function meanRelevance(judgements: readonly Relevance[]): Relevance {
	const mean = (measure: keyof Relevance): number =>
		judgements.reduce((sum, judgement) => sum + judgement[measure], 0) / Math.max(1, judgements.length);
	return {
		hit1: mean('hit1'),
		r5: mean('r5'),
		r10: mean('r10'),
		mrr: mean('mrr'),
		ndcg10: mean('ndcg10'),
		refused: mean('refused'),
	};
}

function idealRanks(needs: number): number[] {
	return Array.from({ length: Math.min(needs, judgedRanks) }, (_, place) => place + 1);
}

function sumOfGains(ranks: readonly number[]): number {
	return ranks.reduce((sum, rank) => sum + 1 / Math.log2(1 + rank), 0);
}
