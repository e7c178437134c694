import type { Tool } from '../src/discovery/index.ts';
import type { Contender, Search } from './contenders/contender.ts';
import { collectGarbage, heldMegabytes } from './memory.ts';
import { median, percentile, timeOf, timeSlices } from './timing.ts';

/** What it costs one contender to index some tools and to search them. */
export interface SearchTimes {
	readonly contender: string;
	/** The sum of the slices. */
	readonly indexMs: number;
	/** The longest time for which indexing lets nothing else run. */
	readonly pauseMs: number;
	/** What the index holds once it has been searched (some make parts of it only then), without the tools themselves. */
	readonly megabytes: number;
	readonly p50Us: number;
	readonly p99Us: number;
}

/** How often something is done: at least once, and no more once it has taken long, or the slow would take the whole run. */
export const MOST_BUILDS = 3;
/** Passes over all queries before those that count. */
export const MOST_WARM_UPS = 2;
export const MOST_PASSES = 5;
export const LONG_MS = 5_000;

/** What `search_tools` asks for unless it is configured otherwise. */
const SEARCH_LIMIT = 5;

/** Measures one contender alone: whatever came before it is collected first. */
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
 * The least time, in milliseconds, that measuring can take where there are `growth` times as many tools: one build, one warm-up
 * and one pass, if all grow as the tools do; they rarely grow less.
 */
export function expectedMs({ indexMs, p50Us }: SearchTimes, growth: number, queries: number): number {
	return growth * (indexMs + (2 * queries * p50Us) / 1_000);
}

/** A function of its own, so that nothing holds the index when it returns: the next one is measured without it. */
async function useOneIndex(contender: Contender, tools: readonly Tool[], queries: readonly string[]) {
	const heldBefore = await heldMegabytes();
	const { result: search, sliceMs } = await timeSlices((pause) => contender.index(tools, pause));
	timePasses(search, queries, MOST_WARM_UPS);
	const searchUs = timePasses(search, queries, MOST_PASSES);
	const megabytes = (await heldMegabytes()) - heldBefore;
	// Asked once more, so that it cannot have been collected before.
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
