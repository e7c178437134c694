import type { Ranking } from '../../../../src/discovery/catalog/policy.ts';
import { type Tool, toolId } from '../../../../src/discovery/catalog/tool.ts';
import type { Slot } from '../../../../src/discovery/search/byFields/queryPlan.ts';
import {
	type FieldRankingOptions,
	rankByFields,
} from '../../../../src/discovery/search/byFields/rankByFields.ts';
import { finish } from '../../../../src/discovery/search/ranker.ts';
import { ToolIndex, type ToolSearchOptions } from '../../../../src/discovery/search/toolIndex.ts';

/** All that a ranking finds, best first, as `server:tool`: however unlikely, for that is told elsewhere. */
export function found(
	tools: readonly Tool[],
	query: string,
	{ limit, server, ...options }: ToolSearchOptions & FieldRankingOptions & { ranking?: Ranking } = {},
): string[] {
	const chosen = { ...(limit !== undefined && { limit }), ...(server !== undefined && { server }) };
	return new ToolIndex(tools, options)
		.search(query, { ...chosen, unlikely: true })
		.map((hit) => toolId(hit.tool));
}

/** What a query is understood to ask of some tools. */
export function slotsOf(
	tools: readonly Tool[],
	query: string,
	synonyms: readonly string[] = [],
): readonly Slot[] {
	return finish(rankByFields(tools, { synonyms })).plan(query).slots;
}

/** The terms that some tools may answer each word or phrase of a query with, the best first. */
export function askedOf(
	tools: readonly Tool[],
	query: string,
	synonyms: readonly string[] = [],
): Record<string, readonly string[]> {
	const asked = finish(rankByFields(tools, { synonyms })).asked(query);
	return Object.fromEntries(asked.map(({ text, terms }) => [text, terms]));
}
