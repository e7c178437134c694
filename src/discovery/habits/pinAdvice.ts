import type { CatalogTool } from '../catalog.ts';
import { placement } from '../partition.ts';
import type { DiscoveryPolicy } from '../policy.ts';
import { toolId } from '../tool.ts';
import { toolTokens } from '../toolTokens.ts';
import { type Advice, certainty } from './advice.ts';
import { type ChatHabits, callsOf, type Habits } from './habits.ts';

/** Chats that are looked at, the newest that had the tool's server, and how many there must be at least. */
const pinWindowChats = 10;
const pinLeastChats = 5;
/** Part of them in which the tool was called. */
const pinLeastShare = 0.6;
/** What a chat saves that need not search: about a request more, with the calls and results before it, in tokens. */
const searchDetourTokens = 1500;

/** Deferred tools that most chats call. */
export function pinAdvice(
	{ chats }: Habits,
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): readonly Advice[] {
	const called = new Set(
		chats.flatMap(({ calls }) => calls.map(({ server, tool }) => toolNames(server, tool))),
	);
	return tools
		.filter((tool) => called.has(toolNames(tool.server, tool.name)))
		.filter((tool) => placement(tool, policy) === 'deferred')
		.flatMap((tool) => adviceFor(tool, chats));
}

function adviceFor(tool: CatalogTool, chats: readonly ChatHabits[]): Advice[] {
	const recent = chats.filter((chat) => hadServer(chat, tool.server)).slice(-pinWindowChats);
	const used = recent.filter((chat) => callsOf(chat, tool.server, tool.name) > 0).length;
	if (recent.length < pinLeastChats || used < pinLeastShare * recent.length) return [];
	const suggestion = {
		kind: 'pin',
		id: `pin ${toolId(tool)}`,
		server: tool.server,
		tool: tool.name,
		why: `Used in ${used} of ${recent.length} chats.`,
		tokens: toolTokens(tool),
	} as const;
	return [{ suggestion, worth: searchDetourTokens * certainty(used, recent.length) }];
}

/** A chat from before the server was there says nothing of its tools. */
function hadServer(chat: ChatHabits, server: string): boolean {
	return chat.servers.includes(server) || callsOf(chat, server) > 0;
}

function toolNames(server: string, name: string): string {
	return JSON.stringify([server, name]);
}
