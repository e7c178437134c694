/// <reference lib="dom" />
import { setNumberLanguage } from '../../../chat/counts.ts';
import { drawPage, openPage } from '../../ui/page/element.ts';
import type { PageMessage, PageRequest } from '../pageView.ts';
import type { PageState, PageUse } from './parts.tsx';
import { pageBody } from './sections.tsx';

const editor = openPage<PageRequest, PageState>();
setNumberLanguage(document.documentElement.lang);
let state: PageState = { filter: 'all', open: [], scroll: 0, ...editor.getState() };
let shown: PageMessage | undefined;

function draw(): void {
	if (!shown) return;
	const use: PageUse = {
		state,
		titles: shown.titles,
		change: (part) => {
			change(part);
			draw();
		},
		send: (request) => editor.postMessage(request),
	};
	drawPage(pageBody(shown.view, use));
}

function change(part: Partial<PageState>): void {
	state = { ...state, ...part };
	editor.setState(state);
}

addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
	// A page that was hidden is scrolled to where its user left it when it is first drawn again.
	const isFirst = shown === undefined || shown.view.kind === 'loading';
	shown = data;
	draw();
	if (isFirst) scrollTo({ top: state.scroll });
});
addEventListener('scroll', () => change({ scroll: scrollY }), { passive: true });
editor.postMessage({ kind: 'ready' });
