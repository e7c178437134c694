import type { ActivationReason } from './activationSet.ts';
import type { LogEntry, RequestCost } from './logEntry.ts';
import { noUsage, type SessionUsage, withAnswer, withCall, withRequest, withUsage } from './usage.ts';

/** Discovery's counters for one chat; absent while it is off. */
export interface DiscoveryStatistics {
	readonly search_calls: number;
	/** Tools loaded by searches, counted each time. */
	readonly tools_discovered: number;
	/** Searches without a match; invalid requests do not count. Absent: none. */
	readonly searches_without_hit?: number;
}

/** A chat's totals. Immutable. */
export interface Tally {
	readonly statistics: DiscoveryStatistics;
	readonly usage: SessionUsage;
	readonly lastRequest?: RequestCost;
}

export const nothingCounted: Tally = {
	statistics: { search_calls: 0, tools_discovered: 0 },
	usage: noUsage,
};

/** Reasons for loading that come from a search. */
const searchReasons: ReadonlySet<ActivationReason> = new Set(['search', 'name', 'server']);

/** Adds one entry. */
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
