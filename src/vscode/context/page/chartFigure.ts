import * as l10n from '@vscode/l10n';
import { element } from './element.ts';
import { ownDrawing } from './morph.ts';
import type { PageState } from './pageState.ts';

/** A chart with what it shows: by its colours, in a sentence, and in figures. */
export interface Figure {
	readonly id: string;
	readonly title: string;
	/** What the picture says, for those who do not see it. */
	readonly gist: string;
	readonly note: string;
	/** Names of what is filled, striped and marked. */
	readonly legend: readonly (readonly [look: 'loaded' | 'deferred' | 'mark', name: string])[];
	readonly figures: HTMLElement;
}

/** The place of a chart, which is drawn once it is in the page. */
export function chartFigure(
	{ id, title, gist, note, legend, figures }: Figure,
	state: PageState,
): HTMLElement {
	const entries = legend.map(([look, name]) =>
		element('li', { 'data-key': look }, element('span', { class: `swatch ${look}` }), name),
	);
	return element(
		'section',
		{ class: 'card chart', 'data-key': id, 'aria-labelledby': `${id}-title` },
		element('h2', { id: `${id}-title`, tabindex: -1 }, title),
		element('p', { class: 'note' }, note),
		element('ul', { class: 'legend', 'aria-hidden': 'true' }, ...entries),
		element(
			'div',
			{ class: 'canvas' },
			element('canvas', { id, role: 'img', 'aria-label': gist, [ownDrawing]: true }),
		),
		element(
			'details',
			{ 'data-key': `${id}-figures`, open: state.open.includes(`${id}-figures`) },
			element('summary', {}, l10n.t('Figures')),
			figures,
		),
	);
}
