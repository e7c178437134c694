import { keptEntries, type TimelineEntry } from '../../../discovery/journal/timeline.ts';
import { element } from './element.ts';
import { eventWords } from './eventWords.ts';
import { eventIcon } from './icons.ts';
import { timeOf } from './times.ts';
import {
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
			element('h2', { id: 'timeline-title', tabindex: -1 }, 'Timeline'),
			filters(filter),
		),
		...(timeline.length >= keptEntries
			? [element('p', { class: 'note', 'data-key': 'cut' }, `The last ${keptEntries} entries.`)]
			: []),
		...(turns.length > 0
			? turns.map(turnElement)
			: [element('p', { class: 'empty', 'data-key': 'empty' }, 'Nothing of that kind has happened.')]),
	);
}

function filters(chosen: TimelineFilter): HTMLElement {
	const options = Object.entries(timelineFilters).map(([value, name]) =>
		element(
			'label',
			{ 'data-key': value },
			element('input', { type: 'radio', name: filterName, value, checked: value === chosen }),
			element('span', {}, name),
		),
	);
	return element(
		'fieldset',
		{ class: 'filters' },
		element('legend', { class: 'unseen' }, 'Show'),
		...options,
	);
}

function turnElement({ number, start, events }: Turn): HTMLElement {
	const title = number === 0 ? 'Before the first message' : `Turn ${number}`;
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
