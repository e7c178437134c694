/// <reference lib="dom" />
import * as l10n from '@vscode/l10n';
import { setNumberLanguage } from '../../../chat/counts.ts';
import { drawPage, onDidRequest } from '../../ui/page/element.ts';
import type { PageMessage, PageRequest } from '../pageView.ts';
import { pageBody } from './pageBody.ts';
import { freshState, type PageState } from './pageState.ts';
import { filterName, isTimelineFilter } from './timeline.ts';

/** What the editor gives a page, once. */
declare function acquireVsCodeApi(): {
	postMessage(request: PageRequest): void;
	getState(): PageState | undefined;
	setState(state: PageState): void;
};

// Before anything is drawn: texts are translated as they are drawn.
const { texts } = document.body.dataset;
if (texts) l10n.config({ contents: JSON.parse(texts) });
setNumberLanguage(document.documentElement.lang);

const editor = acquireVsCodeApi();
const page = document.querySelector('main');
let state: PageState = { ...freshState, ...editor.getState() };
let shown: Pick<PageMessage, 'view' | 'titles'> | undefined;

function render(): void {
	if (page && shown) drawPage(page, pageBody(shown.view, state, shown.titles));
}

function change(part: Partial<PageState>): void {
	state = { ...state, ...part };
	editor.setState(state);
}

/** A page that was hidden is scrolled to where its user left it when it is first drawn again. */
function show(message: PageMessage): void {
	const isFirst = shown === undefined || shown.view.kind === 'loading';
	shown = message;
	render();
	if (isFirst) scrollTo({ top: state.scroll });
}

addEventListener('message', ({ data }: MessageEvent<PageMessage>) => show(data));
addEventListener('scroll', () => change({ scroll: scrollY }), { passive: true });
page?.addEventListener('change', ({ target }) => {
	if (!(target instanceof HTMLInputElement) || target.name !== filterName) return;
	if (isTimelineFilter(target.value)) change({ filter: target.value });
	render();
});
// `toggle` does not bubble, so it is listened to while it is captured.
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
editor.postMessage({ kind: 'ready' });
