import { Catalog, type CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import type { DiscoveryPolicy } from '../../../../src/discovery/catalog/policy.ts';
import {
	type Comparison,
	compareTeaching,
	type TaughtTool,
} from '../../../../src/discovery/evaluation/comparison.ts';
import { type Evaluation, evaluate } from '../../../../src/discovery/evaluation/evaluate.ts';
import type { LabelledQuery } from '../../../../src/discovery/evaluation/queryFile.ts';
import { policyFor, servers, surfaceOf, tool } from '../fixtures.ts';

/** A query with the tools that are all needed; none: nothing answers it. */
export function asks(query: string, ...tools: (string | readonly string[])[]): LabelledQuery {
	return { query, needs: tools.map((need) => (typeof need === 'string' ? [need] : need)) };
}

/** Evaluates search among servers. */
export async function evaluated(
	all: readonly CatalogServer[],
	queries: readonly LabelledQuery[],
	more: Partial<DiscoveryPolicy> = {},
): Promise<Evaluation> {
	return evaluate(surfaceOf(all, more), queries, { pause: async () => {} });
}

/** Ranks of the needs, one list a query. */
export function ranks({ results }: Evaluation): (readonly number[])[] {
	return results.map((result) => result.ranks);
}

const plants = ['rose', 'tulip', 'fern', 'lily', 'oak', 'palm'];

/** A household that nobody speaks of as its tools do. */
export const home = servers({
	home: [
		tool('home', 'start_program', 'Start a cleaning program of the device'),
		tool('home', 'stop_program', 'Stop the program of the device'),
		tool('home', 'call_robot', 'Call the robot, which knows about crumbs'),
	],
	garden: plants.map((plant) => tool('garden', `water_${plant}`, `Water the ${plant}`)),
});

/** `server:tool` with what people say that want it. */
export function taught(id: string, ...queries: readonly string[]): TaughtTool {
	const [server = '', name = ''] = id.split(':');
	return { server, name, after: { queries } };
}

/** Compares search with and without what is written of tools. */
export async function compared(
	tools: readonly TaughtTool[],
	queries: readonly LabelledQuery[],
	all: readonly CatalogServer[] = home,
	more: Partial<DiscoveryPolicy> = {},
): Promise<Comparison> {
	const searched = { catalog: new Catalog(all, 1), policy: policyFor(all, more) };
	return compareTeaching(searched, tools, queries, { pause: async () => {} });
}

export const crumbs = 'get the crumbs off the floor';
export const floor = asks(crumbs, 'home:start_program');
const carpet = 'tell the robot about crumbs on the carpet';
export const robot = asks(carpet, 'home:call_robot');
/** Texts that bring six tools before the one that is asked for. */
export const misleading = plants.map((plant) => taught(`garden:water_${plant}`, carpet));
