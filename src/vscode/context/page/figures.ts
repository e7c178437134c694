import * as l10n from '@vscode/l10n';
import { chartFigure } from './chartFigure.ts';
import { requestCount } from './counts.ts';
import { element } from './element.ts';
import { short, whole } from './numbers.ts';
import type { PageState } from './pageState.ts';
import { type RequestBars, requestGist } from './requestBars.ts';
import { type ServerBar, serverGist } from './serverBars.ts';
import { type Column, table } from './table.ts';

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

export function serverFigure(bars: readonly ServerBar[], state: PageState): HTMLElement {
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
					cells: [label, whole(loaded), whole(deferred)],
				})),
			),
		},
		state,
	);
}

export function requestFigure(requests: RequestBars, state: PageState): HTMLElement {
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
	return l10n.t('{0}; every tool would be ≈{1}, too much to draw', what, short(last.sent + last.spared));
}

function requestTable({ bars }: RequestBars): HTMLElement {
	if (bars.length === 0) return element('p', { class: 'empty' }, l10n.t('No request has been sent yet.'));
	return table(
		l10n.t('Estimated tokens by request'),
		requestColumns(),
		bars.map(({ number, sent, spared, loaded }) => ({
			key: `${number}`,
			cells: [`${number}`, whole(sent), whole(sent + spared), loaded.join(', ')],
		})),
	);
}
