import { compareStrings } from '../../common/text.ts';
import type { ToolCalls } from '../session/usage.ts';
import type { Habits } from './habits.ts';

export interface CallSums {
	readonly calls: number;
	readonly failures: number;
	readonly meanMs: number;
}

export interface ToolSums extends CallSums {
	readonly tool: string;
}

/** Calls of a server and of each of its tools, the most called first. */
export interface ServerSums<Tool extends ToolSums = ToolSums> extends CallSums {
	readonly server: string;
	readonly tools: readonly Tool[];
}

/** Calls by server and tool, the most called first. */
export function callsByServer(entries: readonly ToolCalls[]): readonly ServerSums[] {
	return sumsByServer(entries, () => ({}));
}

/** {@link callsByServer}, plus what `more` computes from the calls of a server or tool. */
function sumsByServer<Entry extends ToolCalls, More extends object>(
	entries: readonly Entry[],
	more: (entries: readonly Entry[]) => More,
): readonly (ServerSums<ToolSums & More> & More)[] {
	const servers = [...Map.groupBy(entries, ({ server }) => server)].map(([server, its]) => ({
		server,
		...sumsOf(its),
		...more(its),
		tools: [...Map.groupBy(its, ({ tool }) => tool)]
			.map(([tool, same]) => ({ tool, ...sumsOf(same), ...more(same) }))
			.sort((a, b) => b.calls - a.calls || compareStrings(a.tool, b.tool)),
	}));
	return servers.sort((a, b) => b.calls - a.calls || compareStrings(a.server, b.server));
}

function sumsOf(entries: readonly ToolCalls[]): CallSums {
	const sum = (what: 'calls' | 'failures' | 'totalMs') => entries.reduce((all, one) => all + one[what], 0);
	const calls = sum('calls');
	return { calls, failures: sum('failures'), meanMs: sum('totalMs') / calls };
}

/** Number of stored chats that called a tool, or any tool of a server. */
export interface ChatCount {
	readonly chats: number;
}

/** Calls of one server in all stored chats. */
export type ServerHabits = ServerSums<ToolSums & ChatCount> & ChatCount;

/** Totals over all stored chats. Plain JSON. */
export interface HabitSummary {
	readonly chats: number;
	/** The oldest chat's last request, in milliseconds since 1970; absent if there is no chat. */
	readonly since?: number;
	/** The most called first. */
	readonly servers: readonly ServerHabits[];
	/** Searches without a match, the most frequent first. */
	readonly missed: readonly { readonly words: string; readonly count: number }[];
}

/** One chat's calls of a tool. */
type ChatCalls = ToolCalls & { readonly chat: string };

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

/** Case does not matter. */
function countedWords(missed: readonly string[]): HabitSummary['missed'] {
	return [...Map.groupBy(missed, (words) => words.toLowerCase())]
		.map(([words, all]) => ({ words: all[0] ?? words, count: all.length }))
		.sort((a, b) => b.count - a.count || compareStrings(a.words, b.words));
}
