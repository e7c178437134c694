import { judgedRanks, type Relevance, rankOf, relevanceOf } from '../src/discovery/evaluation/relevance.ts';
import type { Tool } from '../src/discovery/index.ts';
import type { LabelledQuery, ToolReference } from './querySet.ts';

/** The measures by their usual names, in the order of display. */
export const MEASURES = {
	hit1: 'hit@1',
	r5: 'R@5',
	r10: 'R@10',
	mrr: 'MRR',
	ndcg10: 'nDCG@10',
	refused: 'refused',
} as const satisfies Record<keyof Relevance, string>;

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
