/// <reference lib="dom" />
import * as l10n from '@vscode/l10n';
import { followButtons } from '../../context/page/button.ts';
import { keepFocus } from '../../context/page/keepFocus.ts';
import { morph } from '../../context/page/morph.ts';
import type { ReviewMessage, ReviewRequest, ReviewView } from '../reviewView.ts';
import { reviewBody } from './reviewBody.ts';

/** What the editor gives a page, once. */
declare function acquireVsCodeApi(): { postMessage(request: ReviewRequest): void };

/** What has changed under a pointer can be read for so long before a button answers, in milliseconds. */
const readingMs = 600;

// Before anything is drawn: what the page says is looked up as it is said.
const { texts } = document.body.dataset;
if (texts) l10n.config({ contents: JSON.parse(texts) });

const editor = acquireVsCodeApi();
const page = document.querySelector('main');
let shown: ReviewView | undefined;
let restsUntil = 0;

function show({ view, only }: ReviewMessage): void {
	if (!page) return;
	if (shown && launches(shown) !== launches(view)) restsUntil = performance.now() + readingMs;
	shown = view;
	keepFocus(page, () => morph(page, reviewBody(view)));
	if (only === undefined) return;
	const row = page.querySelector(`section[data-key="${CSS.escape(only)}"]`);
	row?.scrollIntoView({ block: 'start' });
	row?.querySelector('button')?.focus({ preventScroll: true });
}

/** What the rows would run, as one text: that one of them was approved changes nothing of it. */
function launches({ servers }: ReviewView): string {
	return JSON.stringify(servers.map(({ name, hash }) => [name, hash]));
}

addEventListener('message', ({ data }: MessageEvent<ReviewMessage>) => show(data));
if (page) {
	followButtons<ReviewRequest>(page, (request) => {
		if (performance.now() >= restsUntil) editor.postMessage(request);
	});
}
editor.postMessage({ kind: 'ready' });
