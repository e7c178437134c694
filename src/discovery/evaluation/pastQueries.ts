import { isBlank, parseSelect } from '../search/searchRequest.ts';
import type { TimelineEntry } from '../session/timeline.ts';
import type { LabelledQuery } from './queryFile.ts';

type Entry<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

/**
 * Labelled queries from chats: the words of each search with the tools called after it. Those are the called tools that it found; if it found none of
 * them, everything called up to the next user message.
 */
export function pastSearches(timelines: readonly (readonly TimelineEntry[])[]): LabelledQuery[] {
	return collected(timelines, searchesOfTurn);
}

/** {@link pastSearches}, plus the user's messages with everything that was called for them. */
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

/** Splits a timeline at the user's messages. The first part is what came before any message. */
export function turnsOf(timeline: readonly TimelineEntry[]): readonly (readonly TimelineEntry[])[] {
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

/** A single word may be a name. */
function isWords(search: Entry<'search'>): boolean {
	return isByWords(search) && /\s/.test(search.words.trim());
}

/** Failed searches, and searches that only named tools, say nothing about words. */
export function isByWords({ words, fault }: Entry<'search'>): boolean {
	return fault === undefined && parseSelect(words) === undefined;
}

function calledFor({ found }: Entry<'search'>, after: readonly TimelineEntry[]): string[] {
	const called = calledIn(after);
	const own = called.filter((tool) => found.names.includes(tool));
	return own.length > 0 ? own : called;
}

function calledIn(entries: readonly TimelineEntry[]): string[] {
	return [...new Set(callsIn(entries))];
}

/** Tools in the order of their calls. Failed calls may have been wrong and are left out; declined calls are not in the log. */
export function callsIn(entries: readonly TimelineEntry[]): string[] {
	return entries.flatMap((entry) => (entry.kind === 'call' && !entry.failed ? [entry.tool] : []));
}

function labelled(query: string, tools: readonly string[]): LabelledQuery {
	return { query, needs: tools.map((tool) => [tool]) };
}
