import { isRecord } from '../../src/common/json.ts';
import type { AnswerPart } from '../../src/discovery/catalog/message.ts';
import { type AssistantMessage, addPart, repeatable } from '../../src/models/answerParts.ts';
import type { ChatModelEvent } from '../../src/models/chatModel.ts';

/** Events as their provider gave them: without origins, and each call under the provider's id instead of ours, which no test can know. */
export function asGiven(events: readonly ChatModelEvent[]): ChatModelEvent[] {
	return events.flatMap((event): ChatModelEvent[] => {
		if (event.type === 'toolCall') {
			const { call, origin } = event;
			const id = isRecord(origin?.data) ? String(origin.data.id ?? '') : '';
			return [{ type: 'toolCall', call: { ...call, id } }];
		}
		if (event.type !== 'text' && event.type !== 'thinking') return [event];
		return event.text === '' ? [] : [{ type: event.type, text: event.text }];
	});
}

/** The message that an answer is in a conversation. */
export function messageOf(events: readonly ChatModelEvent[]): AssistantMessage {
	const parts: AnswerPart[] = [];
	for (const event of events) {
		if (event.type === 'text' || event.type === 'thinking' || event.type === 'toolCall')
			addPart(parts, event);
	}
	return { role: 'assistant', parts: repeatable(parts) };
}
