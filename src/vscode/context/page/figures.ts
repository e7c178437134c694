import * as l10n from '@vscode/l10n';
import { requestCount, shortNumber } from '../../../chat/counts.ts';
import type { ContextReport, ServerCost } from '../../../discovery/report.ts';
import type { TimelineEntry } from '../../../discovery/session/timeline.ts';

/** A server's tool definitions, in estimated tokens. */
interface ServerBar {
	readonly label: string;
	/** Sent with every request. */
	readonly loaded: number;
	readonly deferred: number;
}

/** Servers with their own bar. The others share one. */
export const mostServers = 12;

/** The most expensive servers, then all others in one bar, then Discovery's own definitions. */
export function serverBars({
	servers,
	costs,
}: Pick<ContextReport, 'servers' | 'costs'>): readonly ServerBar[] {
	const shown = servers.length > mostServers + 1 ? servers.slice(0, mostServers) : servers;
	const rest = servers.slice(shown.length);
	return [
		...shown.map((server) => bar(server.server, [server])),
		...(rest.length > 0 ? [bar(l10n.t('{0} more servers', rest.length), rest)] : []),
		...(costs.synthetic.tokens > 0
			? [{ label: costs.syntheticNames.join(', '), loaded: costs.synthetic.tokens, deferred: 0 }]
			: []),
	];
}

function bar(label: string, servers: readonly ServerCost[]): ServerBar {
	const sum = (key: 'loaded' | 'deferred') => servers.reduce((total, one) => total + one[key].tokens, 0);
	return { label, loaded: sum('loaded'), deferred: sum('deferred') };
}

/** The tool definitions of one request, in estimated tokens. */
export interface RequestBar {
	/** Number of the request in its chat, from 1. */
	readonly number: number;
	readonly sent: number;
	/** Additional tokens if every tool had been sent. */
	readonly saved: number;
	/** Tools loaded since the previous request, as `server:tool`. */
	readonly loaded: readonly string[];
}

interface RequestBars {
	readonly bars: readonly RequestBar[];
	/** Number of earlier requests, which have no bar. */
	readonly earlier: number;
	/** Whether saved tokens are drawn. If they were many times the sent ones, the sent ones would be invisible. */
	readonly toScale: boolean;
}

export const mostRequests = 40;
/** Saved tokens are drawn up to this multiple of the sent ones. */
const widestScale = 25;

/** `requests`: the number that the chat has sent. The timeline may have dropped the first ones. */
export function requestBars(timeline: readonly TimelineEntry[], requests: number): RequestBars {
	const all = barsOf(timeline);
	const forgotten = Math.max(0, requests - all.length);
	const shown = all.slice(-mostRequests);
	const earlier = forgotten + all.length - shown.length;
	const bars = shown.map((bar, i) => ({ ...bar, number: earlier + i + 1 }));
	const most = Math.max(0, ...bars.map(({ sent }) => sent));
	const toScale = bars.every(({ sent, saved }) => sent + saved <= widestScale * most);
	return { bars, earlier, toScale };
}

function barsOf(timeline: readonly TimelineEntry[]): Omit<RequestBar, 'number'>[] {
	let loaded: string[] = [];
	return timeline.flatMap((entry) => {
		if (entry.kind === 'load') loaded.push(...entry.tools.names);
		if (entry.kind !== 'request') return [];
		const bar = {
			sent: entry.tokens,
			saved: Math.max(0, entry.everyToolTokens - entry.tokens),
			loaded,
		};
		loaded = [];
		return [bar];
	});
}

export function requestNote({ bars, earlier, toScale }: RequestBars): string {
	const last = bars.at(-1);
	const what =
		earlier > 0
			? l10n.t('Estimated size of tool definitions in the last {0}', requestCount(bars.length))
			: l10n.t('Estimated size of tool definitions');
	if (!last || toScale) return what;
	return l10n.t('{0}. All tools would be ≈{1}, too much to show.', what, shortNumber(last.sent + last.saved));
}
