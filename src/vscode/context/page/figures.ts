import * as l10n from '@vscode/l10n';
import { requestCount, shortNumber, wholeNumber } from '../../../chat/counts.ts';
import type { ContextReport, ServerCost } from '../../../discovery/report.ts';
import type { TimelineEntry } from '../../../discovery/session/journal.ts';
import { element, type PageNode } from '../../ui/page/element.ts';
import { fold, type PageState } from './pageState.ts';
import { type Column, table } from './table.ts';

/** One bar: what the tools of a server cost, in estimated tokens of their definitions. */
export interface ServerBar {
	readonly label: string;
	/** Goes with every request. */
	readonly loaded: number;
	readonly deferred: number;
}

/** Servers that have a bar of their own; the rest share one. */
export const mostServers = 12;

/** The most expensive servers, then all others in one bar, then the definitions that Discovery itself adds. */
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

/** The chart in a sentence, for screen readers. */
export function serverGist(bars: readonly ServerBar[]): string {
	const sum = (key: 'loaded' | 'deferred') => bars.reduce((total, one) => total + one[key], 0);
	const dearest = bars.toSorted((a, b) => b.loaded + b.deferred - a.loaded - a.deferred)[0];
	const gist = l10n.t(
		'Tokens by server: {0} loaded, {1} deferred.',
		shortNumber(sum('loaded')),
		shortNumber(sum('deferred')),
	);
	if (!dearest) return gist;
	return `${gist} ${l10n.t('The most: {0}, {1}.', dearest.label, shortNumber(dearest.loaded + dearest.deferred))}`;
}

function bar(label: string, servers: readonly ServerCost[]): ServerBar {
	const sum = (key: 'loaded' | 'deferred') => servers.reduce((total, one) => total + one[key].tokens, 0);
	return { label, loaded: sum('loaded'), deferred: sum('deferred') };
}

/** One bar: definitions of tools in one request, in estimated tokens. */
export interface RequestBar {
	/** Of the request in its chat, from 1. */
	readonly number: number;
	readonly sent: number;
	/** How many more every tool would have been. */
	readonly spared: number;
	/** Tools that were loaded since the request before: `server:tool`. */
	readonly loaded: readonly string[];
}

/** The requests of a chat, as they are drawn. */
export interface RequestBars {
	readonly bars: readonly RequestBar[];
	/** Earlier requests, which are not drawn. */
	readonly earlier: number;
	/** Whether the spared tokens are drawn: where they are many times those that were sent, the sent ones could not be seen. */
	readonly toScale: boolean;
}

/** Requests that have a bar. */
export const mostRequests = 40;
/** Spared tokens are drawn up to this multiple of what was sent. */
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

/** The chart in sentences, for screen readers. */
export function requestGist({ bars }: RequestBars): string {
	const last = bars.at(-1);
	if (!last) return l10n.t('No request has been sent yet.');
	const loads = bars.filter(({ loaded }) => loaded.length > 0).length;
	return [
		l10n.t('Tokens of tool definitions in {0}.', requestCount(bars.length)),
		l10n.t(
			'The last sent {0}; every tool would have been {1}.',
			shortNumber(last.sent),
			shortNumber(last.sent + last.spared),
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

/** A chart with its legend, its description and its figures as a table. */
interface Figure {
	readonly id: string;
	readonly title: string;
	/** What the chart shows, in sentences for screen readers. */
	readonly gist: string;
	readonly note: string;
	/** Names of what is filled, striped and marked. */
	readonly legend: readonly (readonly [look: 'loaded' | 'deferred' | 'mark', name: string])[];
	readonly figures: PageNode;
}

/** The place of a chart, which is drawn into it once it is in the page. */
function chartFigure({ id, title, gist, note, legend, figures }: Figure, state: PageState): PageNode {
	const entries = legend.map(([look, name]) =>
		element('li', { 'data-key': look }, element('span', { class: `swatch ${look}` }), name),
	);
	return element(
		'section',
		{ class: 'card chart', 'data-key': id, 'aria-labelledby': `${id}-title` },
		element('h2', { id: `${id}-title`, tabindex: -1 }, title),
		element('p', { class: 'note' }, note),
		element('ul', { class: 'legend', 'aria-hidden': 'true' }, ...entries),
		element('div', { class: 'canvas' }, element('canvas', { id, role: 'img', 'aria-label': gist })),
		fold(`${id}-figures`, l10n.t('Figures'), state, figures),
	);
}

/** Ids of the charts' places. */
export const chartIds = { servers: 'servers-chart', requests: 'requests-chart' } as const;

function serverColumns(): readonly Column[] {
	return [
		{ title: l10n.t('Server') },
		{ title: l10n.t('Loaded'), numeric: true },
		{ title: l10n.t('Deferred'), numeric: true },
	];
}

function requestColumns(): readonly Column[] {
	return [
		{ title: l10n.t('Request') },
		{ title: l10n.t('Sent'), numeric: true },
		{ title: l10n.t('Every tool'), numeric: true },
		{ title: l10n.t('Loaded before it') },
	];
}

export function serverFigure(bars: readonly ServerBar[], state: PageState): PageNode {
	return chartFigure(
		{
			id: chartIds.servers,
			title: l10n.t('Tokens by server'),
			gist: serverGist(bars),
			note: l10n.t('What tool definitions come to, estimated'),
			legend: [
				['loaded', l10n.t('Loaded: in every request')],
				['deferred', l10n.t('Deferred: found by search')],
			],
			figures: table(
				l10n.t('Estimated tokens by server'),
				serverColumns(),
				bars.map(({ label, loaded, deferred }) => ({
					key: label,
					cells: [label, wholeNumber(loaded), wholeNumber(deferred)],
				})),
			),
		},
		state,
	);
}

export function requestFigure(requests: RequestBars, state: PageState): PageNode {
	return chartFigure(
		{
			id: chartIds.requests,
			title: l10n.t('Tokens by request'),
			gist: requestGist(requests),
			note: requestNote(requests),
			legend: [
				['loaded', l10n.t('Sent')],
				...(requests.toScale ? [['deferred', l10n.t('Spared')] as const] : []),
				...(requests.bars.some(({ loaded }) => loaded.length > 0)
					? [['mark', l10n.t('Tools loaded')] as const]
					: []),
			],
			figures: requestTable(requests),
		},
		state,
	);
}

function requestNote({ bars, earlier, toScale }: RequestBars): string {
	const last = bars.at(-1);
	const what =
		earlier > 0
			? l10n.t('What tool definitions of the last {0} come to, estimated', requestCount(bars.length))
			: l10n.t('What tool definitions come to, estimated');
	if (!last || toScale) return what;
	return l10n.t(
		'{0}; every tool would be ≈{1}, too much to draw',
		what,
		shortNumber(last.sent + last.spared),
	);
}

function requestTable({ bars }: RequestBars): PageNode {
	if (bars.length === 0) return element('p', { class: 'empty' }, l10n.t('No request has been sent yet.'));
	return table(
		l10n.t('Estimated tokens by request'),
		requestColumns(),
		bars.map(({ number, sent, spared, loaded }) => ({
			key: `${number}`,
			cells: [`${number}`, wholeNumber(sent), wholeNumber(sent + spared), loaded.join(', ')],
		})),
	);
}
