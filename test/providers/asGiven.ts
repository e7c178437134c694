import { isRecord } from '../../src/common/json.ts';
import type { AnswerPart, ToolCall } from '../../src/discovery/catalog/message.ts';
import { type AssistantMessage, repeatableParts } from '../../src/models/answerParts.ts';

/** The calls of an answer under their provider's ids instead of ours, which no test can know. */
export function givenCalls(parts: readonly AnswerPart[]): ToolCall[] {
	return parts.flatMap((part) => {
		if (part.type !== 'toolCall') return [];
		const id = isRecord(part.origin?.data) ? String(part.origin.data.id ?? '') : '';
		return [{ ...part.call, id }];
	});
}

/** The message that an answer is in a conversation. */
export function messageOf(parts: readonly AnswerPart[]): AssistantMessage {
	return { role: 'assistant', parts: repeatableParts(parts) };
}
