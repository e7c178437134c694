import * as l10n from '@vscode/l10n';
import type { TimelineEntry } from '../../../discovery/journal/timeline.ts';
import { requestCount } from './counts.ts';
import { short } from './numbers.ts';

/** One bar: definitions of tools in one request, in estimated tokens. */
export interface RequestBar {
	/** Of the request in its chat, from 1. */
	readonly number: number;
	readonly sent: number;
	/** What every tool would have been more. */
	readonly spared: number;
	/** Tools that were loaded since the request before: `server:tool`. */
	readonly loaded: readonly string[];
}

/** The requests of a chat, as they are drawn. */
export interface RequestBars {
	readonly bars: readonly RequestBar[];
	/** Earlier requests, which are not drawn. */
	readonly earlier: number;
	/** Whether what was spared is drawn too: beside very much, what was sent would not be seen. */
	readonly toScale: boolean;
}

/** Requests that have a bar. */
export const mostRequests = 40;
/** How much more than what was sent may be drawn beside it. */
const widestScale = 25;

/** `requests`: how many the chat has sent; the timeline may have forgotten the first of them. */
export function requestBars(timeline: readonly TimelineEntry[], requests: number): RequestBars {
	const all = barsOf(timeline);
	const forgotten = Math.max(0, requests - all.length);
	const shown = all.slice(-mostRequests);
	const earlier = forgotten + all.length - shown.length;
	const bars = shown.map((bar, i) => ({ ...bar, number: earlier + i + 1 }));
	const most = Math.max(0, ...bars.map(({ sent }) => sent));
	const toScale = bars.every(({ sent, spared }) => sent + spared <= widestScale * most);
	return { bars, earlier, toScale };
}

/** What the picture says, for those who do not see it. */
export function requestGist({ bars }: RequestBars): string {
	const last = bars.at(-1);
	if (!last) return l10n.t('No request has been sent yet.');
	const loads = bars.filter(({ loaded }) => loaded.length > 0).length;
	return [
		l10n.t('Tokens of tool definitions in {0}.', requestCount(bars.length)),
		l10n.t(
			'The last sent {0}; every tool would have been {1}.',
			short(last.sent),
			short(last.sent + last.spared),
		),
		...(loads > 0 ? [l10n.t('Tools were loaded before {0} of them.', loads)] : []),
	].join(' ');
}

function barsOf(timeline: readonly TimelineEntry[]): Omit<RequestBar, 'number'>[] {
	let loaded: string[] = [];
	return timeline.flatMap((entry) => {
		if (entry.kind === 'load') loaded.push(...entry.tools.names);
		if (entry.kind !== 'request') return [];
		const bar = {
			sent: entry.tokens,
			spared: Math.max(0, entry.everyToolTokens - entry.tokens),
			loaded,
		};
		loaded = [];
		return [bar];
	});
}
