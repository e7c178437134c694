import { errorResult, type ToolResult } from '../../discovery/toolResult.ts';
import type { ChatMessage, ToolCall } from '../chatModel.ts';

/** A call with its answer; a call that nobody answered has an error result, so that no state is left open. */
export interface Exchange {
	readonly call: ToolCall;
	readonly result: ToolResult;
}

/** The newest user message and all that came after it. */
export interface Turn {
	readonly prompt: string;
	readonly exchanges: readonly Exchange[];
	/** The conversation before that message. */
	readonly before: readonly ChatMessage[];
}

const unanswered = errorResult('The call was not answered.');

/** `undefined` while the user has said nothing. */
export function newestTurn(messages: readonly ChatMessage[]): Turn | undefined {
	const at = messages.findLastIndex(({ role }) => role === 'user');
	const message = messages[at];
	if (message?.role !== 'user') return undefined;
	const after = messages.slice(at + 1);
	const results = after.flatMap((entry) => (entry.role === 'tool' ? entry.results : []));
	const calls = after.flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls : []));
	const exchanges = calls.map((call) => ({
		call,
		result: results.find(({ callId }) => callId === call.id)?.result ?? unanswered,
	}));
	return { prompt: message.text, exchanges, before: messages.slice(0, at) };
}

/** The text of the newest message, if it is an assistant's. */
export function lastAnswer(messages: readonly ChatMessage[]): string | undefined {
	const last = messages.at(-1);
	return last?.role === 'assistant' ? last.text : undefined;
}

/** An id that no call of the conversation has: `planner-1`, `planner-2`, … */
export function nextCallId(messages: readonly ChatMessage[]): string {
	const ids = new Set(
		messages.flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls.map(({ id }) => id) : [])),
	);
	let number = ids.size + 1;
	while (ids.has(`planner-${number}`)) number++;
	return `planner-${number}`;
}
