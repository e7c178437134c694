import { isRecord } from '../../common/json.ts';
import { cut } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { type DiscoveryPolicy, placement } from '../catalog/policy.ts';
import { toolId } from '../catalog/tool.ts';
import type { DiscoverySession } from '../session/discoverySession.ts';
import type { ToolCalls } from '../session/usage.ts';

/** Whether a tool is pinned by name rather than with its whole server. */
export function isPinnedAlone(tool: CatalogTool, policy: DiscoveryPolicy): boolean {
	return placement(tool, policy) === 'pinned' && policy.servers.get(tool.server)?.pinned !== true;
}

/** What is stored about a chat in which a model was asked. Plain JSON. */
export interface ChatHabits {
	readonly id: string;
	/** The last request, in milliseconds since 1970; 0: unknown. */
	readonly at: number;
	readonly requests: number;
	/** By tool, the most called only. */
	readonly calls: readonly ToolCalls[];
	/** Words of searches without a match, once per search. */
	readonly missed: readonly string[];
	/** Servers whose tools the chat could use. */
	readonly servers: readonly string[];
	/** Those servers that had a tool in every request. */
	readonly always: readonly string[];
	/** Tools pinned by name, as `server:tool`. */
	readonly pinned: readonly string[];
}

/** What is stored about a workspace's chats. It never leaves the workspace or the machine. Plain JSON. */
export interface Habits {
	/** By last request, the newest last. */
	readonly chats: readonly ChatHabits[];
	/** When the history was cleared, in milliseconds since 1970: chats that began before stay forgotten. */
	readonly since?: number;
}

/** What is read from a chat. */
export interface ObservedChat extends Pick<DiscoverySession, 'surface'> {
	readonly log: Pick<DiscoverySession['log'], 'timeline' | 'usage'>;
}

export const noHabits: Habits = { chats: [] };

/** Chats that are stored, and entries per chat. */
export const keptChats = 50;
const keptCalls = 40;
const keptMissed = 10;
/** Servers, and tools pinned by name. */
const keptNames = 200;
/** Characters of a search's words, and of the names of a tool and its server together; a tool with longer names is left out. */
const keptWords = 60;
const longestId = 400;

/** Updates a chat; returns the same object if nothing changed. */
export function withChat(habits: Habits, id: string, session: ObservedChat): Habits {
	const { timeline, usage } = session.log;
	const began = timeline[0]?.at ?? 0;
	if (usage.requests === 0 || began < (habits.since ?? 0)) return habits;
	const known = habits.chats.find((chat) => chat.id === id);
	const chat = chatHabits(id, session, known);
	if (known && JSON.stringify(known) === JSON.stringify(chat)) return habits;
	const chats = [...habits.chats.filter((one) => one !== known), chat];
	return { ...habits, chats: chats.toSorted((a, b) => a.at - b.at).slice(-keptChats) };
}

/** Forgets everything before `now`. */
export function clearedHabits(now: number): Habits {
	return { chats: [], since: now };
}

/** Calls of a tool, or of any tool of a server, in a chat. */
export function callsOf(chat: ChatHabits, server: string, tool?: string): number {
	return chat.calls
		.filter((one) => one.server === server && (tool === undefined || one.tool === tool))
		.reduce((sum, { calls }) => sum + calls, 0);
}

function chatHabits(id: string, session: ObservedChat, known: ChatHabits | undefined): ChatHabits {
	const { usage, timeline } = session.log;
	const lastRequest = timeline.findLast(({ kind }) => kind === 'request');
	// A chat keeps the configuration of its last request: it never worked with later changes.
	const there = known?.requests === usage.requests ? known : placesOf(session);
	const { servers, always, pinned } = there;
	return {
		id,
		at: lastRequest?.at ?? known?.at ?? 0,
		requests: usage.requests,
		calls: usage.calls
			.filter(({ server, tool }) => server.length + tool.length <= longestId)
			.toSorted((a, b) => b.calls - a.calls)
			.slice(0, keptCalls),
		missed: missedWords(session),
		servers,
		always,
		pinned,
	};
}

function placesOf({ surface }: ObservedChat): Pick<ChatHabits, 'servers' | 'always' | 'pinned'> {
	const { policy, loaded, servers } = surface;
	return {
		servers: servers.map(({ name }) => name).slice(0, keptNames),
		always: [...new Set(loaded.map(({ server }) => server))].slice(0, keptNames),
		pinned: loaded
			.filter((tool) => isPinnedAlone(tool, policy))
			.map(toolId)
			.slice(0, keptNames),
	};
}

function missedWords({ log }: ObservedChat): readonly string[] {
	return log.timeline
		.flatMap((entry) => (entry.kind === 'search' ? [entry] : []))
		.filter(({ found, fault, words }) => found.count === 0 && fault === undefined && words !== '')
		.map(({ words }) => cut(words, keptWords))
		.slice(-keptMissed);
}

/** Stored habits. Only we write them; habits of another form would be stored under another key. */
export function restoredHabits(value: unknown): Habits {
	return isRecord(value) && Array.isArray(value.chats) ? (value as unknown as Habits) : noHabits;
}
