import * as l10n from '@vscode/l10n';
import { callCount, dollars, duration, shortNumber, toolCount, wholeNumber } from '../../../chat/counts.ts';
import { nameList } from '../../../common/nameList.ts';
import type { ShortToolList } from '../../../discovery/session/logEntry.ts';
import type { TimelineEntry } from '../../../discovery/session/timeline.ts';
import { loadReason } from '../../ui/loadReasons.ts';

type TurnEntry = TimelineEntry & { readonly kind: 'turn' };
export type TurnEvent = Exclude<TimelineEntry, TurnEntry>;

/** A turn of a chat with its events, as far as the timeline goes back. */
export interface TimelineTurn {
	/** From 1; 0: before the first message. */
	readonly number: number;
	/** Absent before the first message, and if the timeline starts within a turn. */
	readonly start?: TurnEntry;
	readonly events: readonly TurnEvent[];
}

export function turnsOf(timeline: readonly TimelineEntry[]): readonly TimelineTurn[] {
	const turns: { number: number; start?: TurnEntry; events: TurnEvent[] }[] = [];
	for (const entry of timeline) {
		const number = entry.turn;
		if (entry.kind === 'turn') {
			turns.push({ number, start: entry, events: [] });
			continue;
		}
		if (turns.at(-1)?.number !== number) turns.push({ number, events: [] });
		turns.at(-1)?.events.push(entry);
	}
	return turns;
}

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

interface EventLabels {
	readonly subject: string;
	/** Shown after it, less prominently. */
	readonly detail?: string;
}

export function eventLabels(entry: TurnEvent): EventLabels {
	switch (entry.kind) {
		case 'request':
			return requestWords(entry);
		case 'search':
			return {
				subject: entry.words === '' ? l10n.t('Searched the tools') : l10n.t('Searched “{0}”', entry.words),
				detail: entry.fault ?? foundTools(entry.found),
			};
		case 'load':
			return { subject: l10n.t('Loaded {0}', toolListText(entry.tools)), detail: loadReason(entry).short };
		case 'evict':
			return { subject: l10n.t('Unloaded {0}', toolListText(entry.tools)), detail: l10n.t('to make room') };
		case 'unload':
			return { subject: l10n.t('Unloaded {0}', toolListText(entry.tools)), detail: l10n.t('by you') };
		case 'call':
			return { subject: l10n.t('Called {0}', entry.tool), detail: outcome(entry) };
		case 'agent':
			return {
				subject: l10n.t('Agent {0}: “{1}”', entry.agent, entry.task),
				detail: `${callCount(entry.calls)}, ${outcome(entry)}`,
			};
		case 'failure':
			return { subject: l10n.t('The answer ended early'), detail: entry.message };
	}
}

export function toolListText({ names, count }: ShortToolList): string {
	return nameList(names, names.length, count);
}

function requestWords({ tools, tokens, measured }: TurnEvent & { kind: 'request' }): EventLabels {
	const label = l10n.t(
		'Sent {0} to the model (≈{1} tokens of definitions)',
		toolCount(tools),
		shortNumber(tokens),
	);
	if (!measured) return { subject: label };
	const { inputTokens, cachedInputTokens: cached = 0, outputTokens } = measured;
	const [input, output] = [wholeNumber(inputTokens), wholeNumber(outputTokens)];
	const detail =
		cached > 0
			? l10n.t('measured: {0} tokens in ({1} from the cache), {2} out', input, wholeNumber(cached), output)
			: l10n.t('measured: {0} tokens in, {1} out', input, output);
	return {
		subject: label,
		detail: measured.usd === undefined ? detail : `${detail}, ${dollars(measured.usd)}`,
	};
}

function foundTools(tools: ShortToolList): string {
	return tools.count === 0 ? l10n.t('found nothing') : l10n.t('found {0}', toolListText(tools));
}

function outcome({ ms, failed }: { readonly ms: number; readonly failed: boolean }): string {
	return failed ? l10n.t('failed after {0}', duration(ms)) : duration(ms);
}

/** SVG paths in a 16 × 16 box, drawn in the text's color. */
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

export function iconPath(entry: TurnEvent): string {
	return isFailure(entry) ? paths.failure : paths[entry.kind];
}
