import type { ToolCalls } from '../journal/usage.ts';
import { isRecord } from '../record.ts';
import { cut } from '../text.ts';
import {
	type ChatHabits,
	type Habits,
	keptCalls,
	keptMissed,
	keptNames,
	keptWords,
	newestChats,
} from './habits.ts';

/** Characters of a name that is kept. */
const keptCharacters = 200;

/** Habits as they were kept, perhaps by another version: what cannot be read is left out, and the rest counts. Never throws. */
export function restoredHabits(value: unknown): Habits {
	if (!isRecord(value)) return { chats: [] };
	const chats = new Map(list(value.chats).flatMap((chat) => restoredChat(chat) ?? []));
	return {
		chats: newestChats([...chats.values()]),
		...(isCount(value.since) && { since: value.since }),
	};
}

function restoredChat(value: unknown): [[string, ChatHabits]] | undefined {
	if (!isRecord(value)) return undefined;
	const { id, at, requests } = value;
	if (!isText(id) || !isCount(at) || !isCount(requests) || requests === 0) return undefined;
	const chat = {
		id,
		at,
		requests,
		calls: list(value.calls)
			.flatMap((entry) => restoredCalls(entry) ?? [])
			.slice(0, keptCalls),
		missed: texts(value.missed, keptWords).slice(-keptMissed),
		servers: texts(value.servers).slice(0, keptNames),
		always: texts(value.always).slice(0, keptNames),
		pinned: texts(value.pinned).slice(0, keptNames),
	};
	return [[id, chat]];
}

function restoredCalls(value: unknown): ToolCalls | undefined {
	if (!isRecord(value)) return undefined;
	const { server, tool, calls, failures, totalMs, lastMs, untimed } = value;
	if (!isText(server) || !isText(tool) || !isCount(calls) || calls === 0) return undefined;
	return {
		server,
		tool,
		calls,
		failures: isCount(failures) ? Math.min(failures, calls) : 0,
		totalMs: isCount(totalMs) ? totalMs : 0,
		lastMs: isCount(lastMs) ? lastMs : 0,
		...(isCount(untimed) && { untimed: Math.min(untimed, calls) }),
	};
}

function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function texts(value: unknown, limit: number = 2 * keptCharacters): readonly string[] {
	return list(value)
		.filter((one) => typeof one === 'string')
		.map((text) => cut(text, limit));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= keptCharacters;
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
