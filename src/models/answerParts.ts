import type { AnswerPart, ChatMessage, ToolCall } from '../discovery/catalog/message.ts';

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/**
 * Adds a piece of a stream to the parts so far. It continues the last part if that has the same type and is still open: an origin ends a
 * part, except for pieces with the same origin object.
 */
export function addPart(parts: AnswerPart[], piece: AnswerPart): void {
	const last = parts.at(-1);
	const isOpen = last?.origin === undefined || last.origin === piece.origin;
	if (last && isOpen && last.type !== 'toolCall' && last.type === piece.type) {
		parts[parts.length - 1] = { ...piece, text: last.text + piece.text };
	} else parts.push(piece);
}

/** The parts that later requests repeat. A thought without an origin was only for people to read. */
export function repeatable(parts: readonly AnswerPart[]): AnswerPart[] {
	return parts.filter((part) => {
		return (
			part.type === 'toolCall' || part.origin !== undefined || (part.type === 'text' && part.text !== '')
		);
	});
}

/** An answer without origins: text, then calls. */
export function plainAnswer(text: string, calls: readonly ToolCall[] = []): AssistantMessage {
	const said = text === '' ? [] : [{ type: 'text' as const, text }];
	return {
		role: 'assistant',
		parts: [...said, ...calls.map((call) => ({ type: 'toolCall' as const, call }))],
	};
}

/** The text of an answer, without its thoughts. */
export function answerText(parts: readonly AnswerPart[]): string {
	return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The text of a message. */
export function wordsOf(message: Exclude<ChatMessage, { role: 'tool' }>): string {
	return message.role === 'user' ? message.text : answerText(message.parts);
}

export function callsOf(parts: readonly AnswerPart[]): ToolCall[] {
	return parts.flatMap((part) => (part.type === 'toolCall' ? [part.call] : []));
}
