import { errorResult } from '../discovery/toolResult.ts';
import type { ChatMessage, ToolCall, ToolCallResult } from './chatModel.ts';

/** The results that follow the answer at `index` before anybody else speaks, by call; the first of several for one call. */
export function resultsAfter(
	messages: readonly ChatMessage[],
	index: number,
): ReadonlyMap<string, ToolCallResult> {
	const results = new Map<string, ToolCallResult>();
	for (const message of messages.slice(index + 1)) {
		if (message.role !== 'tool') break;
		for (const result of message.results) {
			if (!results.has(result.callId)) results.set(result.callId, result);
		}
	}
	return results;
}

/** Stands in for the result of a call that has none: providers refuse a conversation in which one is missing. */
export function missingResult({ id }: ToolCall): ToolCallResult {
	return { callId: id, result: errorResult('There is no result: the call was not made, or was stopped.') };
}
