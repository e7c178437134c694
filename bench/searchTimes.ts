import type { Tool } from '../src/discovery/index.ts';
import type { Contender, Search } from './contenders/contender.ts';
import { collectGarbage, heldMegabytes } from './memory.ts';
import { median, percentile, timeOf, timeSlices } from './timing.ts';

/** What indexing and searching some tools costs one contender. */
export interface SearchTimes {
	readonly contender: string;
	/** The sum of the slices. */
	readonly indexMs: number;
	/** The longest time that indexing blocks everything else. */
	readonly pauseMs: number;
	/** Memory of the index after a search (some engines build parts only then), without the tools themselves. */
	readonly megabytes: number;
	readonly p50Us: number;
	readonly p99Us: number;
}

/** The most repetitions. After {@link LONG_MS}, one is enough, or slow contenders would take the whole run. */
export const MOST_BUILDS = 3;
/** Warm-up passes over all queries. */
export const MOST_WARM_UPS = 2;
export const MOST_PASSES = 5;
export const LONG_MS = 5_000;

/** The default limit of `search_tools`. */
const SEARCH_LIMIT = 5;

/** Measures one contender alone. Earlier garbage is collected first. */
export async function searchTimes(
	contender: Contender,
	tools: readonly Tool[],
	queries: readonly string[],
): Promise<SearchTimes> {
	const { sliceMs, megabytes, searchUs } = await useOneIndex(contender, tools, queries);
	const builds = [sliceMs];
	while (builds.length < MOST_BUILDS && sumOf(builds.flat()) < LONG_MS) {
		builds.push(await buildAndDrop(contender, tools));
	}
	return {
		contender: contender.name,
		indexMs: median(builds.map(sumOf)),
		pauseMs: median(builds.map((slices) => Math.max(...slices))),
		megabytes,
		p50Us: percentile(searchUs, 0.5),
		p99Us: percentile(searchUs, 0.99),
	};
}

/**
 * The least time in milliseconds that a measurement with `growth` times as many tools can take: one build, one warm-up and one
 * pass, if all grow in proportion. They rarely grow less.
 */
export function expectedMs({ indexMs, p50Us }: SearchTimes, growth: number, queries: number): number {
	return growth * (indexMs + (2 * queries * p50Us) / 1_000);
}

/** A separate function, so that the index is released before the next measurement. */
async function useOneIndex(contender: Contender, tools: readonly Tool[], queries: readonly string[]) {
	const heldBefore = await heldMegabytes();
	const { result: search, sliceMs } = await timeSlices((pause) => contender.index(tools, pause));
	timePasses(search, queries, MOST_WARM_UPS);
	const searchUs = timePasses(search, queries, MOST_PASSES);
	const megabytes = (await heldMegabytes()) - heldBefore;
	// This search keeps the index from being collected earlier.
	search('', SEARCH_LIMIT);
	return { sliceMs, megabytes, searchUs };
}

async function buildAndDrop(contender: Contender, tools: readonly Tool[]): Promise<readonly number[]> {
	collectGarbage();
	return (await timeSlices((pause) => contender.index(tools, pause))).sliceMs;
}

/** Microseconds of each query in each pass. */
function timePasses(search: Search, queries: readonly string[], most: number): number[] {
	const times: number[] = [];
	for (let pass = 0; pass < most && (pass === 0 || sumOf(times) < 1_000 * LONG_MS); pass++) {
		times.push(...queries.map((query) => 1_000 * timeOf(() => search(query, SEARCH_LIMIT))));
	}
	return times;
}

function sumOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}
