import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import type { TimelineFilter } from './timeline.ts';

/** What the user has done to the page; it outlives being hidden and a reload of the window. */
export interface PageState {
	readonly filter: TimelineFilter;
	/** Keys of what is unfolded. */
	readonly open: readonly string[];
	/** In pixels. */
	readonly scroll: number;
}

/** As the page is opened. */
export const freshState: PageState = { filter: 'all', open: [], scroll: 0 };

/** What is folded until the user unfolds it; `key`: what the page's state knows it by. */
export function fold(
	key: string,
	summary: string,
	{ open }: PageState,
	...children: readonly Child[]
): PageNode {
	const attributes = { 'data-key': key, open: open.includes(key) };
	return element('details', attributes, element('summary', {}, summary), ...children);
}
