import type { ActivationReason } from './activationSet.ts';
import type { LogEntry, RequestCost } from './logEntry.ts';
import { noUsage, type SessionUsage, withAnswer, withCall, withRequest, withUsage } from './usage.ts';

/** What discovery did in one session; absent while it is off. */
export interface DiscoveryStatistics {
	readonly search_calls: number;
	/** Tools that a search loaded, each time it did. */
	readonly tools_discovered: number;
	/** Searches that found no tool, faulty requests not counted; absent where there are none. */
	readonly searches_without_hit?: number;
}

/** What a chat has used and searched, added up. Immutable. */
export interface Tally {
	readonly statistics: DiscoveryStatistics;
	readonly usage: SessionUsage;
	readonly lastRequest?: RequestCost;
}

/** A chat in which nothing has happened. */
export const nothingCounted: Tally = {
	statistics: { search_calls: 0, tools_discovered: 0 },
	usage: noUsage,
};

/** Why tools are loaded that a search has found. */
const searchReasons: ReadonlySet<ActivationReason> = new Set(['search', 'name', 'server']);

/** The sums once this has happened, too. */
export function withCount(tally: Tally, entry: LogEntry): Tally {
	const { statistics, usage } = tally;
	switch (entry.kind) {
		case 'request': {
			const { tools, tokens, everyToolTokens, isByRules } = entry;
			const counted = isByRules ? { tokens: 0, everyToolTokens: 0 } : entry;
			return {
				...tally,
				usage: withRequest(usage, counted),
				lastRequest: { tools, tokens, everyToolTokens },
			};
		}
		case 'measured':
			return { ...tally, usage: withAnswer(usage, entry.tokens, entry.cost) };
		case 'search': {
			const { search_calls: searches, searches_without_hit: missed = 0 } = statistics;
			const isMiss = entry.fault === undefined && entry.found.count === 0;
			const more = { search_calls: searches + 1, ...(isMiss && { searches_without_hit: missed + 1 }) };
			return { ...tally, statistics: { ...statistics, ...more } };
		}
		case 'load': {
			if (!searchReasons.has(entry.reason)) return tally;
			const discovered = statistics.tools_discovered + entry.tools.length;
			return { ...tally, statistics: { ...statistics, tools_discovered: discovered } };
		}
		case 'call':
			return { ...tally, usage: withCall(usage, { server: entry.server, name: entry.tool }, entry) };
		case 'agent':
			return { ...tally, usage: withUsage(usage, entry.usage) };
		case 'reset':
			return nothingCounted;
		default:
			return tally;
	}
}
