import type { TokenUsage } from '../../common/cost.ts';
import { toolId } from '../catalog/tool.ts';
import {
	type AgentRun,
	type ChatEvent,
	type LogEntry,
	type RequestCost,
	type ShortToolList,
	shortened,
	shortToolList,
} from './logEntry.ts';

/** What happened in a chat, for people; tools as `server:tool`. */
export type TimelineEvent =
	| { readonly kind: 'turn'; readonly model: string; readonly message: string }
	/** `measured` includes the cost if the model's price is known. */
	| ({ readonly kind: 'request'; readonly measured?: TokenUsage } & RequestCost)
	| Extract<ChatEvent, { readonly kind: 'search' | 'failure' }>
	| { readonly kind: 'load'; readonly tools: ShortToolList; readonly reason: string; readonly words?: string }
	| { readonly kind: 'evict' | 'unload'; readonly tools: ShortToolList }
	| { readonly kind: 'call'; readonly tool: string; readonly ms: number; readonly failed: boolean }
	| Omit<AgentRun, 'usage' | 'messages'>;

/** `turn`: from 1; 0: before the first message. Plain JSON. */
export type TimelineEntry = { readonly at: number; readonly turn: number } & TimelineEvent;

/** Entries shown per chat. */
export const maxTimelineEntries = 1000;

/** What happened since the last reset, oldest first. */
export function timelineOf(log: readonly LogEntry[]): readonly TimelineEntry[] {
	const timeline: TimelineEntry[] = [];
	let turn = 0;
	let request = -1;
	for (const entry of log) {
		if (entry.kind === 'turn') turn++;
		if (entry.kind === 'reset') {
			timeline.length = 0;
			request = -1;
		}
		if (entry.kind === 'measured') {
			const requestEntry = timeline[request];
			const usd = entry.cost?.usd;
			const measured = { ...entry.tokens, ...(usd !== undefined && { usd }) };
			if (requestEntry?.kind === 'request') timeline[request] = { ...requestEntry, measured };
		}
		const happened = timelineEventOf(entry);
		if (!happened) continue;
		if (entry.kind === 'request') request = timeline.length;
		timeline.push({ at: entry.at, turn, ...happened });
	}
	return timeline.slice(-maxTimelineEntries);
}

function timelineEventOf(entry: LogEntry): TimelineEvent | undefined {
	switch (entry.kind) {
		case 'turn':
			return { kind: 'turn', model: shortened(entry.model), message: shortened(entry.prompt) };
		case 'request': {
			const { tools, tokens, everyToolTokens } = entry;
			return { kind: 'request', tools, tokens, everyToolTokens };
		}
		case 'load': {
			const { tools, reason, words } = entry;
			if (tools.length === 0) return undefined;
			const details = { reason, ...(words !== undefined && { words: shortened(words) }) };
			return { kind: 'load', tools: shortToolList(tools.map(toolId)), ...details };
		}
		case 'evict':
		case 'unload':
			return entry.names.length === 0 ? undefined : { kind: entry.kind, tools: shortToolList(entry.names) };
		case 'call': {
			const { server, tool: name, ms, failed } = entry;
			return { kind: 'call', tool: shortened(toolId({ server, name })), ms, failed };
		}
		case 'agent': {
			const { usage: _usage, messages: _messages, ...run } = entry;
			return run;
		}
		case 'search':
		case 'failure':
			return entry;
		default:
			return undefined;
	}
}
