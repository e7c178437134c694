import { nameLimit, oneLine } from '../common/text.ts';
import type { AnswerPart, ChatMessage, ToolCall } from '../discovery/catalog/message.ts';
import { ModelError } from './modelError.ts';

/** A piece of text or of a thought. */
export type TextOrThinking = Exclude<AnswerPart, { readonly type: 'toolCall' }>;

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/** The parts that later requests repeat. A thought without an origin was only for people to read. */
export function repeatableParts(parts: readonly AnswerPart[]): AnswerPart[] {
	return parts.filter((part) => {
		return (
			part.type === 'toolCall' || part.origin !== undefined || (part.type === 'text' && part.text !== '')
		);
	});
}

/** An answer without origins: text, then calls. */
export function plainAnswer(text: string, calls: readonly ToolCall[] = []): AssistantMessage {
	const textParts = text === '' ? [] : [{ type: 'text' as const, text }];
	return {
		role: 'assistant',
		parts: [...textParts, ...calls.map((call) => ({ type: 'toolCall' as const, call }))],
	};
}

/** The text of an answer, without its thoughts. */
export function answerText(parts: readonly AnswerPart[]): string {
	return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The text of a message. */
export function messageText(message: Exclude<ChatMessage, { role: 'tool' }>): string {
	return message.role === 'user' ? message.text : answerText(message.parts);
}

export function callsOf(parts: readonly AnswerPart[]): ToolCall[] {
	return parts.flatMap((part) => (part.type === 'toolCall' ? [part.call] : []));
}

/**
 * The calls of an answer for a caller that knows no faults, such as another extension. Throws if one has a fault: without its arguments it would be
 * another call. `model`: its name, for people.
 */
export function faultlessCalls(parts: readonly AnswerPart[], model: string): ToolCall[] {
	const calls = callsOf(parts);
	const faulty = calls.find(({ fault }) => fault !== undefined);
	if (!faulty) return calls;
	const tool = oneLine(faulty.name, nameLimit);
	throw new ModelError(
		'malformed',
		`“${model}” called ${tool} with arguments that cannot be used, so none of its calls were made. Ask again. (${faulty.fault})`,
	);
}
