import { parseSelect } from '../search/searchRequest.ts';
import { type SearchUse, type TurnUse, UseEvidence, wantedWords } from '../search/useEvidence.ts';
import type { TimelineEntry } from './timeline.ts';

/**
 * What search has learned from a workspace's chats: which words led to which tools, and what was called after what. It never leaves the workspace or the
 * machine. Plain JSON.
 */
export interface LearnedUse {
	/** Newest last. */
	readonly turns: readonly TurnUse[];
	/** When it was cleared, in milliseconds since 1970: turns that began before stay forgotten. */
	readonly since?: number;
}

export const nothingLearned: LearnedUse = { turns: [] };

/** Turns that are stored, and their total characters as JSON; the oldest are dropped first. */
export const keptTurns = 300;
export const maxStoredCharacters = 96 * 1024;
/** Searches per turn, words per search, tools per search, and calls per turn. */
export const keptSearches = 8;
export const keptWords = 16;
export const keptTools = 6;
export const keptCalls = 20;

/** Characters of a tool's name. */
const maxNameCharacters = 200;

/** What search reads from a chat. */
export interface ObservedTimeline {
	readonly id: string;
	readonly timeline: readonly TimelineEntry[];
}

/**
 * Updates what a chat teaches; returns the same object if nothing changed. The words of a search support the tools that it found and that were called
 * after it in the same turn. They support less the tools that were called without being found by any words, and all called tools if the search found
 * none of them: the tools themselves lack such words. Failed and declined calls, and searches that only named tools, teach nothing.
 */
export function withUse(learned: LearnedUse, { id, timeline }: ObservedTimeline): LearnedUse {
	const { turns, since = 0 } = learned;
	const known = new Map(turns.filter(({ chat }) => chat === id).map((turn) => [turn.at, turn]));
	// Earlier turns are over and teach nothing new.
	const from = Math.max(since, ...known.keys());
	const observed = turnsOf(timeline)
		.filter(isTurn)
		.filter(([first]) => first.at >= from)
		.flatMap((turn) => turnUse(id, turn) ?? [])
		.filter((turn) => JSON.stringify(turn) !== JSON.stringify(known.get(turn.at)));
	if (observed.length === 0) return learned;
	const at = new Set(observed.map((turn) => turn.at));
	const others = turns.filter((turn) => turn.chat !== id || !at.has(turn.at));
	const kept = newestTurns([...others, ...observed]);
	return kept.some((turn) => observed.includes(turn)) ? { ...learned, turns: kept } : learned;
}

export function evidenceOf({ turns }: LearnedUse): UseEvidence {
	return UseEvidence.of(turns);
}

/** Number of searches whose words led to a call. */
export function searchCount({ turns }: LearnedUse): number {
	return turns.reduce((sum, { searches }) => sum + searches.length, 0);
}

/** Splits a timeline at the user's messages. The first part is what came before any message. */
function turnsOf(timeline: readonly TimelineEntry[]): readonly (readonly TimelineEntry[])[] {
	const turns: TimelineEntry[][] = [[]];
	for (const entry of timeline) {
		if (entry.kind === 'turn') turns.push([]);
		turns.at(-1)?.push(entry);
	}
	return turns;
}

type Turn = readonly [Extract<TimelineEntry, { kind: 'turn' }>, ...TimelineEntry[]];

/** Entries before the first stored message have no known beginning and are left out. */
function isTurn(entries: readonly TimelineEntry[]): entries is Turn {
	return entries[0]?.kind === 'turn';
}

function turnUse(chat: string, turn: Turn): TurnUse | undefined {
	const calls = callsIn(turn).filter(isName);
	if (calls.length === 0) return undefined;
	const searches = turn.flatMap((entry, i) => {
		const use = entry.kind === 'search' && searchUse(entry, turn.slice(i));
		return use ? [use] : [];
	});
	const inOrder = calls.filter((tool, i) => tool !== calls[i - 1]);
	return { chat, at: turn[0].at, searches: searches.slice(-keptSearches), calls: inOrder.slice(-keptCalls) };
}

function searchUse(
	{ words, found, fault }: Extract<TimelineEntry, { kind: 'search' }>,
	after: readonly TimelineEntry[],
): SearchUse | undefined {
	// Failed searches, and searches that only named tools, say nothing about words.
	if (fault !== undefined || parseSelect(words)) return undefined;
	const wanted = wantedWords(withoutCutWord(words)).map(({ term }) => term);
	const called = [...new Set(callsIn(after).filter(isName))];
	const own = called.filter((tool) => found.names.includes(tool));
	const unfound = own.length > 0 ? loadedByName(after) : called;
	const missed = called.filter((tool) => !own.includes(tool) && unfound.includes(tool));
	if (wanted.length === 0 || called.length === 0) return undefined;
	return {
		words: wanted.slice(0, keptWords),
		found: own.slice(0, keptTools),
		missed: missed.slice(0, keptTools),
	};
}

/** Tools in the order of their calls. Failed calls may have been wrong and are left out; declined calls are not in the log. */
function callsIn(entries: readonly TimelineEntry[]): string[] {
	return entries.flatMap((entry) => (entry.kind === 'call' && !entry.failed ? [entry.tool] : []));
}

/** Tools that the model loaded by name, since no words found them. */
function loadedByName(entries: readonly TimelineEntry[]): readonly string[] {
	return entries.flatMap((entry) =>
		entry.kind === 'load' && (entry.reason === 'name' || entry.reason === 'call') ? entry.tools.names : [],
	);
}

/** The log truncates long texts, perhaps inside a word. */
function withoutCutWord(words: string): string {
	return words.endsWith('...') ? words.replace(/\S+$/, '') : words;
}

function newestTurns(turns: readonly TurnUse[]): readonly TurnUse[] {
	const newest = turns.toSorted((a, b) => a.at - b.at).slice(-keptTurns);
	let room = maxStoredCharacters;
	const fitting = newest.findLastIndex((turn) => {
		room -= JSON.stringify(turn).length + 1;
		return room < 0;
	});
	return newest.slice(fitting + 1);
}

function isName(value: string): boolean {
	return value !== '' && value.length <= maxNameCharacters;
}
