import { compareStrings } from '../compareStrings.ts';
import { meanMs, type ToolCalls } from '../journal/usage.ts';
import type { Habits } from './habits.ts';

/** Calls over all kept chats. */
export interface CallHabits {
	/** Chats that called it. */
	readonly chats: number;
	readonly calls: number;
	readonly failures: number;
	/** Absent where no call was timed. */
	readonly meanMs?: number;
}

/** Calls of one tool. */
export interface ToolHabits extends CallHabits {
	readonly tool: string;
}

/** Calls of one server, and of each of its tools, the most called first. */
export interface ServerHabits extends CallHabits {
	readonly server: string;
	readonly tools: readonly ToolHabits[];
}

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
	const servers = [...Map.groupBy(calls, ({ server }) => server)].map(([server, its]) => ({
		server,
		...sumsOf(its),
		tools: [...Map.groupBy(its, ({ tool }) => tool)]
			.map(([tool, entries]) => ({ tool, ...sumsOf(entries) }))
			.sort((a, b) => b.calls - a.calls || compareStrings(a.tool, b.tool)),
	}));
	const oldest = chats[0]?.at;
	return {
		chats: chats.length,
		...(oldest !== undefined && { since: oldest }),
		servers: servers.sort((a, b) => b.calls - a.calls || compareStrings(a.server, b.server)),
		missed: countedWords(chats.flatMap(({ missed }) => missed)),
	};
}

function sumsOf(entries: readonly ChatCalls[]): CallHabits {
	const mean = meanMs(entries);
	return {
		chats: new Set(entries.map(({ chat }) => chat)).size,
		calls: entries.reduce((sum, { calls }) => sum + calls, 0),
		failures: entries.reduce((sum, { failures }) => sum + failures, 0),
		...(mean !== undefined && { meanMs: mean }),
	};
}

/** The same words in other letter case are the same search. */
function countedWords(missed: readonly string[]): HabitSummary['missed'] {
	return [...Map.groupBy(missed, (words) => words.toLowerCase())]
		.map(([words, all]) => ({ words: all[0] ?? words, count: all.length }))
		.sort((a, b) => b.count - a.count || compareStrings(a.words, b.words));
}
