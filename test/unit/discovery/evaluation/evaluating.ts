import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { DiscoveryPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { type Evaluation, evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import {
	findSearchFixes,
	policyWith,
	type SearchChanges,
	type SearchFix,
	type SearchFixes,
} from '../../../../src/discovery/evaluation/searchFixes.ts';
import { policyFor } from '../fixtures.ts';

const steps = { pause: async () => {} };

/** A query with the tools that are all needed; none: nothing answers it. */
export function asks(query: string, ...tools: (string | readonly string[])[]): LabelledQuery {
	return { query, needs: tools.map((need) => (typeof need === 'string' ? [need] : need)) };
}

/** Evaluates search among servers, as configured and with changes. */
export async function evaluated(
	servers: readonly CatalogServer[],
	queries: readonly LabelledQuery[],
	more: Partial<DiscoveryPolicy> = {},
	changes?: SearchChanges,
): Promise<Evaluation> {
	const policy = policyFor(servers, more);
	const surface = new ToolSurface(new Catalog(servers, 1), changes ? policyWith(policy, changes) : policy);
	return evaluate(surface, queries, steps);
}

export async function advised(
	servers: readonly CatalogServer[],
	queries: readonly LabelledQuery[],
	more: Partial<DiscoveryPolicy> = {},
): Promise<SearchFixes> {
	const catalog = new Catalog(servers, 1);
	const surface = new ToolSurface(catalog, policyFor(servers, more));
	return findSearchFixes(catalog, surface, await evaluate(surface, queries, steps), steps);
}

/** Ranks of the needs, one list a query. */
export function ranks({ results }: Evaluation): (readonly number[])[] {
	return results.map(({ answer }) => answer.ranks);
}

/** `slack:send_message: words`, or a line of synonyms. */
export function shown(advice: readonly SearchFix[]): string[] {
	return advice.map((one) => (one.kind === 'hint' ? `${one.server}:${one.tool}: ${one.words}` : one.line));
}
