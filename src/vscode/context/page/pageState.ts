import { type Child, element, type PageNode } from '../../ui/page/element.ts';
import type { TimelineFilter } from './timeline.ts';

/** How the user has left the page; kept while it is hidden and when the window is reloaded. */
export interface PageState {
	readonly filter: TimelineFilter;
	/** Keys of what is unfolded. */
	readonly open: readonly string[];
	/** In pixels. */
	readonly scroll: number;
}

/** As the page is opened. */
export const freshState: PageState = { filter: 'all', open: [], scroll: 0 };

/** Content that is folded until the user unfolds it. `key`: identifies it in {@link PageState.open}. */
export function fold(
	key: string,
	summary: string,
	{ open }: PageState,
	...children: readonly Child[]
): PageNode {
	const attributes = { 'data-key': key, open: open.includes(key) };
	return element('details', attributes, element('summary', {}, summary), ...children);
}
