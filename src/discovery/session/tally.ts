import { sumsOf } from '../../common/cost.ts';
import type { ActivationReason, LogEntry, RequestCost } from './logEntry.ts';
import { noUsage, type SessionUsage, withUsage } from './usage.ts';

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
			const sent = isByRules ? {} : { definitionTokens: tokens, everyToolTokens };
			return {
				...tally,
				usage: withUsage(usage, { requests: 1, ...sent }),
				lastRequest: { tools, tokens, everyToolTokens },
			};
		}
		case 'measured':
			return {
				...tally,
				usage: withUsage(usage, {
					measuredAnswers: 1,
					...entry.tokens,
					...(entry.cost && { cost: sumsOf(entry.cost) }),
				}),
			};
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
		case 'call': {
			const { server, tool, ms, failed } = entry;
			const call = { server, tool, calls: 1, failures: failed ? 1 : 0, totalMs: ms };
			return { ...tally, usage: withUsage(usage, { calls: [call] }) };
		}
		case 'agent':
			return { ...tally, usage: withUsage(usage, entry.usage) };
		case 'reset':
			return nothingCounted;
		default:
			return tally;
	}
}
