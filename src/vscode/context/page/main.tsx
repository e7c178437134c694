/// <reference lib="dom" />
import { setLanguage } from '../../../chat/counts.ts';
import { drawPage, openPage } from '../../ui/page/element.ts';
import type { PageMessage, PageRequest } from '../pageView.ts';
import { pageBody } from './sections.tsx';

const editor = openPage<PageRequest, { readonly scroll: number }>();
setLanguage(document.documentElement.lang);
let lastMessage: PageMessage | undefined;

addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
	// The editor unloads a hidden page: its first drawing scrolls to where the user left it.
	const isFirst = lastMessage === undefined || lastMessage.view.kind === 'loading';
	lastMessage = data;
	drawPage(pageBody(data.view, { titles: data.titles, send: (request) => editor.postMessage(request) }));
	if (isFirst) scrollTo({ top: editor.getState()?.scroll ?? 0 });
});
addEventListener('scroll', () => editor.setState({ scroll: scrollY }), { passive: true });
editor.postMessage({ kind: 'ready' });
