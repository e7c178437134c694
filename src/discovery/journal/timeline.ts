import type { DefinitionTokens, TokenUsage } from '../cost.ts';
import { cut, oneLine } from '../text.ts';

/** Definitions of tools in one request. */
export interface RequestCost extends DefinitionTokens {
	/** Tools whose definitions went to the model, synthetic ones among them. */
	readonly tools: number;
}

/** What happened in a chat; tools by `server:tool`, which is for people. */
export type Happening =
	/** The user said something. */
	| { readonly kind: 'turn'; readonly model: string; readonly message: string }
	/** `measured`: its cost is also given where it was reckoned by the model's price. */
	| ({ readonly kind: 'request'; readonly measured?: TokenUsage } & RequestCost)
	/** `fault`: why it could not be done. */
	| { readonly kind: 'search'; readonly words: string; readonly found: NamedTools; readonly fault?: string }
	/** `reason`: an `ActivationReason`, perhaps of another version. */
	| { readonly kind: 'load'; readonly tools: NamedTools; readonly reason: string; readonly words?: string }
	| { readonly kind: 'evict' | 'unload'; readonly tools: NamedTools }
	| { readonly kind: 'call'; readonly tool: string; readonly ms: number; readonly failed: boolean }
	/** An agent has worked on a task. */
	| {
			readonly kind: 'agent';
			readonly agent: string;
			readonly task: string;
			readonly ms: number;
			readonly calls: number;
			readonly failed: boolean;
	  }
	/** The turn ended before its time; a sentence. */
	| { readonly kind: 'failure'; readonly message: string };

/** The first of some tools by `server:tool`, and how many there are. */
export interface NamedTools {
	readonly names: readonly string[];
	readonly count: number;
}

/**
 * Something that happened; `at`: milliseconds since 1970. `turn`: the turn of the chat in which it did, from 1, or 0 before the first
 * message; absent in what earlier versions kept. Plain JSON.
 */
export type TimelineEntry = { readonly at: number; readonly turn?: number } & Happening;

/** Entries that are kept of one chat, names that one entry has, and characters of what people and models wrote. */
export const keptEntries = 1000;
const keptNames = 10;
const keptCharacters = 120;

/** A timeline with one more entry; of more than are kept, the oldest goes. */
export function withEntry(
	timeline: readonly TimelineEntry[],
	entry: TimelineEntry,
): readonly TimelineEntry[] {
	return [...timeline.slice(-(keptEntries - 1)), entry];
}

/** The turn of each entry, in their order; those of which none is known are counted on. */
export function turnNumbers(timeline: readonly TimelineEntry[]): readonly number[] {
	let number = 0;
	return timeline.map(({ kind, turn }) => {
		number = turn ?? (kind === 'turn' ? number + 1 : number);
		return number;
	});
}

/** A timeline in which the last request has been counted by the provider. */
export function withMeasured(
	timeline: readonly TimelineEntry[],
	measured: TokenUsage,
): readonly TimelineEntry[] {
	const last = timeline.findLastIndex(({ kind }) => kind === 'request');
	return timeline.map((entry, i) =>
		i === last && entry.kind === 'request' ? { ...entry, measured } : entry,
	);
}

/** What an entry keeps of a list of tools. */
export function named(ids: readonly string[]): NamedTools {
	return { names: ids.slice(0, keptNames).map((id) => oneLine(id, keptCharacters)), count: ids.length };
}

/** What an entry keeps of a text. */
export function kept(text: string): string {
	return oneLine(cut(text, 10 * keptCharacters), keptCharacters);
}
