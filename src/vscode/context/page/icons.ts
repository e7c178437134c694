import { svgElement } from './element.ts';
import { isFailure, type TurnEvent } from './turns.ts';

/** Outlines on a field of 16 by 16, drawn with the colour of the text beside them. */
const paths = {
	request: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
	search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.5 10.5 14 14',
	load: 'M8 4.5v7M4.5 8h7M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13',
	evict: 'M4.5 8h7M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13',
	unload: 'M4.5 8h7M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13',
	call: 'M4.5 2.5v11l9-5.5z',
	agent: 'M8 2a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M3 14c0-3 2-5 5-5s5 2 5 5',
	failure: 'M4 4l8 8M12 4l-8 8',
} as const satisfies Readonly<Record<TurnEvent['kind'], string>>;

/** A picture of what an entry is, for those who see it; the words beside it say the same. */
export function eventIcon(entry: TurnEvent): SVGElement {
	const path = isFailure(entry) ? paths.failure : paths[entry.kind];
	const attributes = { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' };
	return svgElement('svg', attributes, svgElement('path', { d: path }));
}
