import type { ToolDefinition } from '../discovery/tool.ts';
import { resultText, textResult } from '../discovery/toolResult.ts';
import type { ChatMessage, ToolCallResult } from '../models/chatModel.ts';

/** Tools whose definitions stand in results, by wire name. */
export function toldIn(messages: readonly ChatMessage[]): Set<string> {
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	return new Set(results.flatMap(({ loaded = [] }) => loaded.map(({ name }) => name)));
}

/** Tells what results have told of tools as it is now, in place; `now`: a definition anew, or `undefined` where it is to go. */
export function retell(
	messages: ChatMessage[],
	now: (definition: ToolDefinition) => ToolDefinition | undefined,
): void {
	for (const [i, message] of messages.entries()) {
		if (message.role !== 'tool') continue;
		const results = message.results.map((result) => retoldResult(result, now));
		if (results.some((result, at) => result !== message.results[at])) messages[i] = { role: 'tool', results };
	}
}

/** A result that tells of no tool: another way of loading would not know what that means. */
export function withoutTold(result: ToolCallResult): ToolCallResult {
	return retoldResult(result, () => undefined);
}

function retoldResult(
	told: ToolCallResult,
	now: (definition: ToolDefinition) => ToolDefinition | undefined,
): ToolCallResult {
	const { callId, result, loaded = [] } = told;
	const definitions = loaded.map(now);
	if (definitions.every((definition, i) => definition === loaded[i])) return told;
	const left = definitions.filter((definition) => definition !== undefined);
	if (left.length > 0) return { callId, result, loaded: left };
	// A search that only brought definitions would now look as if it had found nothing.
	const names = loaded.map(({ name }) => name).join(', ');
	return { callId, result: resultText(result) === '' ? textResult(`Found ${names}.`) : result };
}
