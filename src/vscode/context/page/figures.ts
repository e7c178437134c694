import { chartFigure } from './chartFigure.ts';
import { element } from './element.ts';
import { counted, short, whole } from './numbers.ts';
import type { PageState } from './pageState.ts';
import { type RequestBars, requestGist } from './requestBars.ts';
import { type ServerBar, serverGist } from './serverBars.ts';
import { table } from './table.ts';

/** Ids of the charts' places. */
export const chartIds = { servers: 'servers-chart', requests: 'requests-chart' } as const;

const serverColumns = [
	{ title: 'Server' },
	{ title: 'Loaded', numeric: true },
	{ title: 'Deferred', numeric: true },
];
const requestColumns = [
	{ title: 'Request' },
	{ title: 'Sent', numeric: true },
	{ title: 'Every tool', numeric: true },
	{ title: 'Loaded before it' },
];

export function serverFigure(bars: readonly ServerBar[], state: PageState): HTMLElement {
	return chartFigure(
		{
			id: chartIds.servers,
			title: 'Tokens by server',
			gist: serverGist(bars),
			note: 'What tool definitions come to, estimated',
			legend: [
				['loaded', 'Loaded: in every request'],
				['deferred', 'Deferred: found by search'],
			],
			figures: table(
				'Estimated tokens by server',
				serverColumns,
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
			title: 'Tokens by request',
			gist: requestGist(requests),
			note: requestNote(requests),
			legend: [
				['loaded', 'Sent'],
				...(requests.toScale ? [['deferred', 'Spared'] as const] : []),
				...(requests.bars.some(({ loaded }) => loaded.length > 0) ? [['mark', 'Tools loaded'] as const] : []),
			],
			figures: requestTable(requests),
		},
		state,
	);
}

function requestNote({ bars, earlier, toScale }: RequestBars): string {
	const last = bars.at(-1);
	const every =
		last && !toScale ? `; every tool would be ≈${short(last.sent + last.spared)}, too much to draw` : '';
	const which = earlier > 0 ? ` of the last ${counted(bars.length, 'request')}` : '';
	return `What tool definitions come to${which}, estimated${every}`;
}

function requestTable({ bars }: RequestBars): HTMLElement {
	if (bars.length === 0) return element('p', { class: 'empty' }, 'No request has been sent yet.');
	return table(
		'Estimated tokens by request',
		requestColumns,
		bars.map(({ number, sent, spared, loaded }) => ({
			key: `${number}`,
			cells: [`${number}`, whole(sent), whole(sent + spared), loaded.join(', ')],
		})),
	);
}
