import type { ChatMessage, ToolCallResult } from '../../models/chatModel.ts';

/**
 * A conversation in which all answers to an assistant's calls are one message that follows it, as providers want them. The editor's
 * callers may send each answer in a message of its own, with words in between; these come after.
 */
export function answersJoined(messages: readonly ChatMessage[]): ChatMessage[] {
	const turns: ChatMessage[][] = [[]];
	for (const message of messages) {
		if (message.role === 'assistant') turns.push([]);
		turns.at(-1)?.push(message);
	}
	return turns.flatMap(turnJoined);
}

/** `turn`: an assistant's message, except in the first one, and all up to the next. */
function turnJoined(turn: readonly ChatMessage[]): ChatMessage[] {
	const results = turn.flatMap((message): readonly ToolCallResult[] =>
		message.role === 'tool' ? message.results : [],
	);
	const others = turn.filter(({ role }) => role !== 'tool');
	if (results.length === 0) return others;
	const [first, ...rest] = others;
	const answers: ChatMessage = { role: 'tool', results };
	if (first?.role === 'assistant') return [first, answers, ...rest];
	return [answers, ...others];
}
