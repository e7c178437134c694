import * as l10n from '@vscode/l10n';
import { type TimelineEntry, turnNumbers } from '../../../discovery/journal/timeline.ts';

type TurnEntry = TimelineEntry & { readonly kind: 'turn' };
/** What happens within a turn. */
export type TurnEvent = Exclude<TimelineEntry, TurnEntry>;

/** One turn of a chat, with what happened in it, as far as the timeline reaches back. */
export interface Turn {
	/** From 1; 0: before the first message. */
	readonly number: number;
	/** Absent for what happened before the first message, and where the timeline begins in the middle of a turn. */
	readonly start?: TurnEntry;
	readonly events: readonly TurnEvent[];
}

/** What a timeline can be narrowed to. */
export const timelineFilters = ['all', 'searches', 'loads', 'calls', 'failures'] as const;
export type TimelineFilter = (typeof timelineFilters)[number];

/** A filter's name for people. */
export function filterLabel(filter: TimelineFilter): string {
	switch (filter) {
		case 'all':
			return l10n.t('All');
		case 'searches':
			return l10n.t('Searches');
		case 'loads':
			return l10n.t('Loads');
		case 'calls':
			return l10n.t('Calls');
		case 'failures':
			return l10n.t('Failures');
	}
}

/** A timeline, turn by turn; a turn of which the filter leaves nothing is left out. */
export function turnsOf(timeline: readonly TimelineEntry[], filter: TimelineFilter = 'all'): readonly Turn[] {
	const turns: { number: number; start?: TurnEntry; events: TurnEvent[] }[] = [];
	const numbers = turnNumbers(timeline);
	for (const [i, entry] of timeline.entries()) {
		const number = numbers[i] ?? 0;
		if (entry.kind === 'turn') {
			turns.push({ number, start: entry, events: [] });
			continue;
		}
		if (turns.at(-1)?.number !== number) turns.push({ number, events: [] });
		if (passes(entry, filter)) turns.at(-1)?.events.push(entry);
	}
	return turns.filter(({ start, events }) => events.length > 0 || (start && filter === 'all'));
}

/** Whether something went wrong. */
export function isFailure(entry: TurnEvent): boolean {
	switch (entry.kind) {
		case 'call':
		case 'agent':
			return entry.failed;
		case 'search':
			return entry.fault !== undefined;
		default:
			return entry.kind === 'failure';
	}
}

const kinds: Readonly<Record<Exclude<TimelineFilter, 'all' | 'failures'>, readonly TurnEvent['kind'][]>> = {
	searches: ['search'],
	loads: ['load', 'evict', 'unload'],
	calls: ['call', 'agent'],
};

function passes(entry: TurnEvent, filter: TimelineFilter): boolean {
	if (filter === 'all') return true;
	return filter === 'failures' ? isFailure(entry) : kinds[filter].includes(entry.kind);
}

export function isTimelineFilter(value: string): value is TimelineFilter {
	return timelineFilters.some((filter) => filter === value);
}
