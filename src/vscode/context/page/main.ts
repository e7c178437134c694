/// <reference lib="dom" />
import * as l10n from '@vscode/l10n';
import { setNumberLanguage } from '../../../chat/counts.ts';
import { drawPage, onDidRequest } from '../../ui/page/element.ts';
import type { PageMessage, PageRequest, PageView } from '../pageView.ts';
import { drawRequests, drawServers, dropCharts } from './charts.ts';
import { chartIds, requestBars, serverBars } from './figures.ts';
import { pageBody } from './pageBody.ts';
import { freshState, type PageState } from './pageState.ts';
import { chartTheme, onDidChangeTheme } from './theme.ts';
import { filterName, isTimelineFilter } from './timeline.ts';

/** What the editor gives a page, once. */
declare function acquireVsCodeApi(): {
	postMessage(request: PageRequest): void;
	getState(): PageState | undefined;
	setState(state: PageState): void;
};

// Before anything is drawn: what the page says is looked up as it is said.
const { texts } = document.body.dataset;
if (texts) l10n.config({ contents: JSON.parse(texts) });
setNumberLanguage(document.documentElement.lang);

const editor = acquireVsCodeApi();
const page = document.querySelector('main');
let state: PageState = { ...freshState, ...editor.getState() };
let view: PageView = { kind: 'loading' };

function render(): void {
	if (!page) return;
	drawPage(page, pageBody(view, state));
	dropCharts();
	drawCharts();
}

function drawCharts(): void {
	if (view.kind !== 'report') return;
	const { report } = view;
	const theme = chartTheme();
	const servers = canvas(chartIds.servers);
	if (servers) drawServers(servers, serverBars(report), theme);
	const requests = canvas(chartIds.requests);
	if (requests) drawRequests(requests, requestBars(report.timeline, report.usage.requests), theme);
}

function canvas(id: string): HTMLCanvasElement | null {
	return document.querySelector<HTMLCanvasElement>(`canvas#${id}`);
}

function change(part: Partial<PageState>): void {
	state = { ...state, ...part };
	editor.setState(state);
}

/** The first picture of a page that was hidden stands where its user left it. */
function show(next: PageView): void {
	const isFirst = view.kind === 'loading';
	view = next;
	render();
	if (isFirst) scrollTo({ top: state.scroll });
}

addEventListener('message', ({ data }: MessageEvent<PageMessage>) => show(data.view));
addEventListener('scroll', () => change({ scroll: scrollY }), { passive: true });
page?.addEventListener('change', ({ target }) => {
	if (!(target instanceof HTMLInputElement) || target.name !== filterName) return;
	if (isTimelineFilter(target.value)) change({ filter: target.value });
	render();
});
// Of folding and unfolding, only the element itself hears on the way back: it is listened to on the way there.
page?.addEventListener(
	'toggle',
	({ target }) => {
		const key = target instanceof HTMLDetailsElement ? target.dataset.key : undefined;
		if (!(target instanceof HTMLDetailsElement) || key === undefined) return;
		const others = state.open.filter((one) => one !== key);
		change({ open: target.open ? [...others, key] : others });
	},
	{ capture: true },
);
if (page) onDidRequest<PageRequest>(page, (request) => editor.postMessage(request));
onDidChangeTheme(drawCharts);
editor.postMessage({ kind: 'ready' });
