import { sumsOf } from '../../common/cost.ts';
import type { ActivationReason, LogEntry } from './logEntry.ts';
import { noUsage, type SessionUsage, withUsage } from './usage.ts';

/** Discovery's counters for one chat; absent while it is off. */
export interface DiscoveryStatistics {
	readonly search_calls: number;
	/** Different tools that searches have loaded. */
	readonly tools_discovered: number;
	/** Searches without a match; invalid requests do not count. Absent: none. */
	readonly searches_without_hit?: number;
}

/** Reasons for loading that come from a search. */
const searchReasons: ReadonlySet<ActivationReason> = new Set(['search', 'name', 'server']);

/** The counters of a chat since its last reset. */
export function statisticsOf(log: readonly LogEntry[]): DiscoveryStatistics {
	const entries = sinceReset(log);
	const searches = entries.filter((entry) => entry.kind === 'search');
	const missed = searches.filter(({ found, fault }) => fault === undefined && found.count === 0).length;
	const loads = entries.filter((entry) => entry.kind === 'load');
	const found = loads.filter(({ reason }) => searchReasons.has(reason)).flatMap(({ tools }) => tools);
	return {
		search_calls: searches.length,
		tools_discovered: new Set(found.map(({ wireName }) => wireName)).size,
		...(missed > 0 && { searches_without_hit: missed }),
	};
}

/** What a chat has used since its last reset. */
export function usageOf(log: readonly LogEntry[]): SessionUsage {
	return sinceReset(log).reduce((usage, entry) => withUsage(usage, usedBy(entry)), noUsage);
}

function usedBy(entry: LogEntry): Partial<SessionUsage> | undefined {
	switch (entry.kind) {
		case 'request': {
			const { tokens: definitionTokens, everyToolTokens, isByRules } = entry;
			return { requests: 1, ...(!isByRules && { definitionTokens, everyToolTokens }) };
		}
		case 'measured': {
			const { tokens, cost } = entry;
			return { measuredAnswers: 1, ...tokens, ...(cost && { cost: sumsOf(cost) }) };
		}
		case 'call': {
			const { server, tool, ms, failed } = entry;
			return { calls: [{ server, tool, calls: 1, failures: failed ? 1 : 0, totalMs: ms }] };
		}
		case 'agent':
			return entry.usage;
		default:
			return undefined;
	}
}

function sinceReset(log: readonly LogEntry[]): readonly LogEntry[] {
	return log.slice(log.findLastIndex(({ kind }) => kind === 'reset') + 1);
}
