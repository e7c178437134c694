import * as l10n from '@vscode/l10n';
import { keptEntries, type TimelineEntry } from '../../../discovery/journal/timeline.ts';
import { element } from './element.ts';
import { eventWords } from './eventWords.ts';
import { eventIcon } from './icons.ts';
import { timeOf } from './times.ts';
import {
	filterLabel,
	isFailure,
	type TimelineFilter,
	type Turn,
	type TurnEvent,
	timelineFilters,
	turnsOf,
} from './turns.ts';

/** Name of the radio buttons that narrow the timeline. */
export const filterName = 'timeline-filter';

/** What happened in the chat, turn by turn. */
export function timelineSection(timeline: readonly TimelineEntry[], filter: TimelineFilter): HTMLElement {
	const turns = turnsOf(timeline, filter);
	return element(
		'section',
		{ 'data-key': 'timeline', 'aria-labelledby': 'timeline-title' },
		element(
			'div',
			{ class: 'heading' },
			element('h2', { id: 'timeline-title', tabindex: -1 }, l10n.t('Timeline')),
			filters(filter),
		),
		...(timeline.length >= keptEntries
			? [element('p', { class: 'note', 'data-key': 'cut' }, l10n.t('The last {0} entries.', keptEntries))]
			: []),
		...(turns.length > 0
			? turns.map(turnElement)
			: [
					element('p', { class: 'empty', 'data-key': 'empty' }, l10n.t('Nothing of that kind has happened.')),
				]),
	);
}

function filters(chosen: TimelineFilter): HTMLElement {
	const options = timelineFilters.map((value) =>
		element(
			'label',
			{ 'data-key': value },
			element('input', { type: 'radio', name: filterName, value, checked: value === chosen }),
			element('span', {}, filterLabel(value)),
		),
	);
	return element(
		'fieldset',
		{ class: 'filters' },
		element('legend', { class: 'unseen' }, l10n.t('Show')),
		...options,
	);
}

function turnElement({ number, start, events }: Turn): HTMLElement {
	const title = number === 0 ? l10n.t('Before the first message') : l10n.t('Turn {0}', number);
	return element(
		'section',
		{ class: 'turn', 'data-key': `turn ${number}` },
		element(
			'h3',
			{},
			title,
			...(start ? [element('span', { class: 'note' }, ` · ${start.model} · `, timeOf(start.at))] : []),
		),
		...(start?.message ? [element('blockquote', {}, start.message)] : []),
		element('ol', {}, ...events.map(eventElement)),
	);
}

function eventElement(entry: TurnEvent, i: number): HTMLElement {
	const { what, detail } = eventWords(entry);
	return element(
		'li',
		{ class: isFailure(entry) ? 'failed' : entry.kind, 'data-key': `${i}` },
		eventIcon(entry),
		element(
			'span',
			{ class: 'words' },
			what,
			...(detail ? [element('span', { class: 'note' }, ` · ${detail}`)] : []),
		),
		timeOf(entry.at),
	);
}
