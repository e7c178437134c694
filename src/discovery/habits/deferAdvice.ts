import type { CatalogTool } from '../catalog.ts';
import { placement } from '../partition.ts';
import type { DiscoveryPolicy } from '../policy.ts';
import { toolId } from '../tool.ts';
import { sumOfTokens, toolTokens } from '../toolTokens.ts';
import { type Advice, certainty } from './advice.ts';
import { type ChatHabits, callsOf, type Habits } from './habits.ts';
import { isPinnedAlone } from './pinnedAlone.ts';

/** Chats, the newest one after another, that had it loaded and did not call it. */
const deferLeastChats = 10;
/** What deferring must save with each request: less is not worth a search on the day that it is needed. */
const deferServerLeastTokens = 1000;
const deferToolLeastTokens = 300;

/** Servers that are loaded for nothing. One that the configuration does not name cannot be deferred there. */
export function serverDeferAdvice(
	{ chats }: Habits,
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): readonly Advice[] {
	const byServer = Map.groupBy(
		tools.filter(({ server }) => policy.servers.has(server)),
		({ server }) => server,
	);
	return [...byServer].flatMap(([server, its]): Advice[] => {
		const idle = idleChats(
			chats,
			(chat) => chat.always.includes(server),
			(chat) => callsOf(chat, server) > 0,
		);
		if (idle < deferLeastChats) return [];
		const tokens = sumOfTokens(its.filter((tool) => placement(tool, policy) !== 'deferred'));
		if (tokens < deferServerLeastTokens) return [];
		const subject = its.length === 1 ? 'Its only tool was not' : `None of its ${its.length} tools was`;
		const why = `${subject} used in ${idle} chats.`;
		const suggestion = { kind: 'defer', id: `defer ${server}`, server, why, tokens } as const;
		return [{ suggestion, worth: tokens * certainty(idle, idle) }];
	});
}

/** Tools that are pinned one by one for nothing. */
export function toolDeferAdvice(
	{ chats }: Habits,
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): readonly Advice[] {
	return tools
		.filter((tool) => isPinnedAlone(tool, policy))
		.flatMap((tool): Advice[] => {
			const { server, name } = tool;
			const idle = idleChats(
				chats,
				(chat) => chat.pinned.includes(toolId(tool)),
				(chat) => callsOf(chat, server, name) > 0,
			);
			const tokens = toolTokens(tool);
			if (idle < deferLeastChats || tokens < deferToolLeastTokens) return [];
			const id = `defer ${toolId(tool)}`;
			const why = `Not used in ${idle} chats.`;
			const suggestion = { kind: 'defer', id, server, tool: name, why, tokens } as const;
			return [{ suggestion, worth: tokens * certainty(idle, idle) }];
		});
}

/** How many chats had something loaded since one last called it. What was deferred could not be idle. */
function idleChats(
	chats: readonly ChatHabits[],
	hadLoaded: (chat: ChatHabits) => boolean,
	hasCalled: (chat: ChatHabits) => boolean,
): number {
	return chats.slice(chats.findLastIndex(hasCalled) + 1).filter(hadLoaded).length;
}
