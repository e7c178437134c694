/** What discovery did in one session; absent while it is off. */
export interface DiscoveryStatistics {
	readonly search_calls: number;
	/** Tools that a search loaded, each time it did. */
	readonly tools_discovered: number;
	/** Searches that found no tool, faulty requests not counted; absent where there are none. */
	readonly searches_without_hit?: number;
}

/** Statistics of a session in which nothing has happened. */
export const noDiscovery: DiscoveryStatistics = { search_calls: 0, tools_discovered: 0 };

/** Statistics with one more search; `hits`: tools it found, `undefined` where it could not be done. */
export function withSearch(
	before: DiscoveryStatistics,
	{ discovered, hits }: { readonly discovered: number; readonly hits: number | undefined },
): DiscoveryStatistics {
	const { searches_without_hit: missed = 0 } = before;
	return {
		...before,
		search_calls: before.search_calls + 1,
		tools_discovered: before.tools_discovered + discovered,
		...(hits === 0 && { searches_without_hit: missed + 1 }),
	};
}
