import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { DiscoveryPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { type Evaluation, evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import { policyFor } from '../fixtures.ts';

const steps = { pause: async () => {} };

/** A query with the tools that are all needed; none: nothing answers it. */
export function asks(query: string, ...tools: (string | readonly string[])[]): LabelledQuery {
	return { query, needs: tools.map((need) => (typeof need === 'string' ? [need] : need)) };
}

/** Evaluates search among servers. */
export async function evaluated(
	servers: readonly CatalogServer[],
	queries: readonly LabelledQuery[],
	more: Partial<DiscoveryPolicy> = {},
): Promise<Evaluation> {
	const surface = new ToolSurface(new Catalog(servers, 1), policyFor(servers, more));
	return evaluate(surface, queries, steps);
}

/** Ranks of the needs, one list a query. */
export function ranks({ results }: Evaluation): (readonly number[])[] {
	return results.map(({ answer }) => answer.ranks);
}
