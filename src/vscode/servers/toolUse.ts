import * as l10n from '@vscode/l10n';
import type { Habits } from '../../discovery/habits/habits.ts';
import { toolId } from '../../discovery/tool.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';

/** How much a tool was called. */
export interface ToolUse {
	/** In the last used chat. */
	readonly calls: number;
	/** In all chats that are kept, the last used one among them; absent where there is none. */
	readonly past?: PastUse;
}

/** Calls over several chats. */
interface PastUse {
	readonly calls: number;
	readonly chats: number;
	/** Of the newest chat that called it, in milliseconds since 1970; 0 where nobody knows. */
	readonly last: number;
}

/** Habits change seldom, and are asked for at every redrawing. */
const pastOf = new WeakMap<Habits, ReadonlyMap<string, PastUse>>();

/** Tells how much tools were called, by server and name; `undefined` where a tool never was. */
export function toolUses(
	{ current }: DiscoveryHub,
	habits: Habits,
): (server: string, name: string) => ToolUse | undefined {
	const here = new Map(current?.discovery.usage.calls.map((entry) => [idOf(entry), entry.calls]));
	const past = pastUses(habits);
	return (server, name) => {
		const id = toolId({ server, name });
		const [calls = 0, before] = [here.get(id), past.get(id)];
		return calls === 0 && !before ? undefined : { calls, ...(before && { past: before }) };
	};
}

/** Whether two uses say the same. */
export function isSameUse(a: ToolUse | undefined, b: ToolUse | undefined): boolean {
	return a?.calls === b?.calls && a?.past?.calls === b?.past?.calls && a?.past?.last === b?.past?.last;
}

/** Sentences for people. */
export function useWords({ calls, past }: ToolUse): string {
	const here = calls > 0 ? [timesHere(calls)] : [];
	return [...here, ...(past ? [timesInAll(past), ...lastTime(past)] : [])].join(' ');
}

function timesHere(n: number): string {
	return n === 1 ? l10n.t('Called once in this chat.') : l10n.t('Called {0} times in this chat.', n);
}

function timesInAll({ calls, chats }: PastUse): string {
	if (calls === 1) return l10n.t('Called once in all.');
	return chats === 1
		? l10n.t('Called {0} times in 1 chat in all.', calls)
		: l10n.t('Called {0} times in {1} chats in all.', calls, chats);
}

function lastTime({ last }: PastUse): string[] {
	return last === 0 ? [] : [l10n.t('Last called on {0}.', new Date(last).toLocaleString())];
}

function pastUses(habits: Habits): ReadonlyMap<string, PastUse> {
	let uses = pastOf.get(habits);
	if (!uses) {
		uses = summed(habits);
		pastOf.set(habits, uses);
	}
	return uses;
}

function summed({ chats }: Habits): ReadonlyMap<string, PastUse> {
	const uses = new Map<string, PastUse>();
	for (const { at, calls } of chats) {
		for (const entry of calls) {
			const before = uses.get(idOf(entry)) ?? { calls: 0, chats: 0, last: 0 };
			uses.set(idOf(entry), {
				calls: before.calls + entry.calls,
				chats: before.chats + 1,
				last: Math.max(before.last, at),
			});
		}
	}
	return uses;
}

function idOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
	return toolId({ server, name: tool });
}
