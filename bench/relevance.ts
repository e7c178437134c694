import type { Tool } from '../src/discovery/index.ts';
import type { LabelledQuery, ToolReference } from './querySet.ts';

/** How well a ranked list answers a query; means of these over queries are the quality of a ranking. */
export interface Relevance {
	/** 1 where the first tool meets a need, else 0. */
	readonly hit1: number;
	/** Share of the needs that the first five and the first ten tools meet. */
	readonly r5: number;
	readonly r10: number;
}

/** How many ranked tools {@link judge} needs, so that ten are left when helpers are taken out. */
export const JUDGED_TOOLS = 25;

/** Judges a ranked list. Helpers (`also`) are taken out first: they neither help nor take a place. */
export function judge(query: LabelledQuery, ranked: readonly Tool[]): Relevance {
	const helpers = new Set((query.also ?? []).map(keyOf));
	const keys = ranked.map((tool) => keyOf([tool.server, tool.name])).filter((key) => !helpers.has(key));
	const needs = query.gold.map((alternatives) => new Set(alternatives.map(keyOf)));
	const recall = (k: number): number => {
		const first = keys.slice(0, k);
		return needs.filter((need) => first.some((key) => need.has(key))).length / needs.length;
	};
	return { hit1: recall(1) > 0 ? 1 : 0, r5: recall(5), r10: recall(10) };
}

/** The mean of several judgements; zeros where there are none. */
export function meanRelevance(judgements: readonly Relevance[]): Relevance {
	const mean = (of: (judgement: Relevance) => number): number =>
		judgements.reduce((sum, judgement) => sum + of(judgement), 0) / Math.max(1, judgements.length);
	return { hit1: mean(({ hit1 }) => hit1), r5: mean(({ r5 }) => r5), r10: mean(({ r10 }) => r10) };
}

function keyOf([server, tool]: ToolReference): string {
	return JSON.stringify([server, tool]);
}
