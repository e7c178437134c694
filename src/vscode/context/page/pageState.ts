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
