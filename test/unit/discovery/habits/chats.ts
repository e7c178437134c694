import type { ChatHabits, Habits } from '../../../../src/discovery/habits/habits.ts';
import type { ToolCalls } from '../../../../src/discovery/session/usage.ts';

/** A tool that was called so often, each time for 10 ms: `called('files', 'read', 3)`. */
export function called(server: string, tool: string, calls = 1, failures = 0): ToolCalls {
	return { server, tool, calls, failures, totalMs: 10 * calls, lastMs: 10 };
}

/** A chat that had the server `files`, and did nothing but what is said. */
export function chat(n: number, facts: Partial<ChatHabits> = {}): ChatHabits {
	return {
		id: `chat ${n}`,
		at: n,
		requests: 1,
		calls: [],
		missed: [],
		servers: ['files'],
		always: [],
		pinned: [],
		...facts,
	};
}

/** So many chats, one after the other; `facts`: what is to be said of each. */
export function chats(count: number, facts: (n: number) => Partial<ChatHabits> = () => ({})): Habits {
	return { chats: Array.from({ length: count }, (_, n) => chat(n, facts(n))) };
}
