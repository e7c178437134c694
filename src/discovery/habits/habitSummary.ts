import { compareStrings } from '../compareStrings.ts';
import { type ServerSums, sumsByServer, type ToolSums } from '../journal/callSums.ts';
import type { ToolCalls } from '../journal/usage.ts';
import type { Habits } from './habits.ts';

/** How many of the kept chats called a tool, or any tool of a server. */
export interface ChatCount {
	readonly chats: number;
}

/** Calls of one server over all kept chats. */
export type ServerHabits = ServerSums<ToolSums & ChatCount> & ChatCount;

/** What all kept chats add up to. Plain JSON. */
export interface HabitSummary {
	readonly chats: number;
	/** Of the oldest chat's last request, in milliseconds since 1970; absent where there is no chat. */
	readonly since?: number;
	/** The most called first. */
	readonly servers: readonly ServerHabits[];
	/** Searches that found nothing, the most frequent first. */
	readonly missed: readonly { readonly words: string; readonly count: number }[];
}

/** One chat's calls of a tool. */
type ChatCalls = ToolCalls & { readonly chat: string };

/** Adds up what is kept. */
export function habitSummary({ chats }: Habits): HabitSummary {
	const calls = chats.flatMap((chat) => chat.calls.map((entry): ChatCalls => ({ ...entry, chat: chat.id })));
	const oldest = chats[0]?.at;
	return {
		chats: chats.length,
		...(oldest !== undefined && { since: oldest }),
		servers: sumsByServer(calls, (its) => ({ chats: new Set(its.map(({ chat }) => chat)).size })),
		missed: countedWords(chats.flatMap(({ missed }) => missed)),
	};
}

/** The same words in other letter case are the same search. */
function countedWords(missed: readonly string[]): HabitSummary['missed'] {
	return [...Map.groupBy(missed, (words) => words.toLowerCase())]
		.map(([words, all]) => ({ words: all[0] ?? words, count: all.length }))
		.sort((a, b) => b.count - a.count || compareStrings(a.words, b.words));
}
