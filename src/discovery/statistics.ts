/** What discovery did in one session; absent while it is off. */
export interface DiscoveryStatistics {
	readonly search_calls: number;
	/** Tools that a search loaded, each time it did. */
	readonly tools_discovered: number;
}

/** Statistics of a session in which nothing has happened. */
export const noDiscovery: DiscoveryStatistics = { search_calls: 0, tools_discovered: 0 };
