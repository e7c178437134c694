import { isBlank, parseSelect } from '../search/searchRequest.ts';
import type { TimelineEntry } from '../session/journal.ts';
import type { LabelledQuery } from './queryFile.ts';

type Entry<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

/**
 * Labelled queries out of what happened in chats: the words of a search, with the tools that were called for it afterwards. These are
 * those that it found itself; where it found none of what was called, all that was called up to the user's next message.
 */
export function pastSearches(timelines: readonly (readonly TimelineEntry[])[]): LabelledQuery[] {
	return collected(timelines, searchesOfTurn);
}

/** {@link pastSearches}, and the user's own words, which count in the same way, with all that was called for them. */
export function pastQueries(timelines: readonly (readonly TimelineEntry[])[]): LabelledQuery[] {
	return collected(timelines, (turn) => [...messagesOfTurn(turn), ...searchesOfTurn(turn)]);
}

function collected(
	timelines: readonly (readonly TimelineEntry[])[],
	queriesOf: (turn: readonly TimelineEntry[]) => readonly LabelledQuery[],
): LabelledQuery[] {
	const queries = timelines
		.flatMap((timeline) => turnsOf(timeline).flatMap(queriesOf))
		.filter(({ query, needs }) => needs.length > 0 && !isBlank(query));
	return [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()];
}

/** Stretches from one message of the user to the next. */
function turnsOf(timeline: readonly TimelineEntry[]): TimelineEntry[][] {
	const turns: TimelineEntry[][] = [[]];
	for (const entry of timeline) {
		if (entry.kind === 'turn') turns.push([]);
		turns.at(-1)?.push(entry);
	}
	return turns;
}

function messagesOfTurn(turn: readonly TimelineEntry[]): LabelledQuery[] {
	return turn.flatMap((entry) => (entry.kind === 'turn' ? [labelled(entry.message, calledIn(turn))] : []));
}

function searchesOfTurn(turn: readonly TimelineEntry[]): LabelledQuery[] {
	return turn.flatMap((entry, i) =>
		entry.kind === 'search' && isWords(entry) ? [labelled(entry.words, calledFor(entry, turn.slice(i)))] : [],
	);
}

/** A search that could not be done, or that only named tools, says nothing of words. */
function isWords({ words, fault }: Entry<'search'>): boolean {
	return fault === undefined && parseSelect(words) === undefined && /\s/.test(words.trim());
}

function calledFor({ found }: Entry<'search'>, after: readonly TimelineEntry[]): string[] {
	const called = calledIn(after);
	const own = called.filter((tool) => found.names.includes(tool));
	return own.length > 0 ? own : called;
}

/** A call that failed may have been the wrong one. */
function calledIn(entries: readonly TimelineEntry[]): string[] {
	return [
		...new Set(entries.flatMap((entry) => (entry.kind === 'call' && !entry.failed ? [entry.tool] : []))),
	];
}

function labelled(query: string, tools: readonly string[]): LabelledQuery {
	return { query, needs: tools.map((tool) => [tool]) };
}
