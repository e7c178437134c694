import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import type { PageView } from '../messages.ts';
import { pastSection, statisticsSection } from './callTable.ts';
import { type Child, element } from './element.ts';
import { requestFigure, serverFigure } from './figures.ts';
import { loadedSection } from './loadedTable.ts';
import { blankPage, offNotice, unaskedNotice } from './notices.ts';
import { pageHeader } from './pageHeader.ts';
import type { PageState } from './pageState.ts';
import { requestBars } from './requestBars.ts';
import { serverBars } from './serverBars.ts';
import { suggestionSection } from './suggestionList.ts';
import { tileList } from './tiles.ts';
import { timelineSection } from './timelineList.ts';

/** All that the page shows. */
export function pageBody(view: PageView, state: PageState): HTMLElement {
	return element('main', { id: 'page' }, ...content(view, state));
}

function content(view: PageView, state: PageState): readonly Child[] {
	switch (view.kind) {
		case 'loading':
			return [];
		case 'report':
			return reported(view, state);
		default:
			return [blankPage(view.kind)];
	}
}

function reported(
	{ report, suggestions, past, undo }: PageView & { kind: 'report' },
	state: PageState,
): readonly Child[] {
	return [
		pageHeader(report),
		...notices(report),
		tileList(report),
		charts(report, state),
		loadedSection(report, undo, state),
		suggestionSection(suggestions),
		...(report.timeline.length > 0
			? [timelineSection(report.timeline, state.filter), statisticsSection(report)]
			: []),
		pastSection(past),
	];
}

function notices({ enabled, timeline }: ContextReport): readonly Child[] {
	return [...(enabled ? [] : [offNotice()]), ...(timeline.length > 0 ? [] : [unaskedNotice()])];
}

/** Before a request has been sent there is nothing to draw of requests. */
function charts(report: ContextReport, state: PageState): Child {
	const bars = serverBars(report);
	const requests = requestBars(report.timeline, report.usage.requests);
	const figures = [
		...(bars.length > 0 ? [serverFigure(bars, state)] : []),
		...(requests.bars.length > 0 ? [requestFigure(requests, state)] : []),
	];
	return figures.length > 0
		? element('div', { class: 'charts', 'data-key': 'charts' }, ...figures)
		: undefined;
}
