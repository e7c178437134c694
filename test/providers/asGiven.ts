import { isRecord } from '../../src/common/json.ts';
import type { ChatMessage, ChatModelEvent } from '../../src/models/chatModel.ts';

/**
 * Events as their provider gave them: each call under the provider's id instead of ours, which no test can know, and without the thought
 * that keeps these ids.
 */
export function asGiven(events: readonly ChatModelEvent[]): ChatModelEvent[] {
	const ids = events.flatMap((event) => (event.type === 'thought' ? idsIn(event.thought.data) : []));
	return events
		.filter(({ type }) => type !== 'thought')
		.map((event) =>
			event.type === 'toolCall' ? { ...event, call: { ...event.call, id: ids.shift() ?? '' } } : event,
		);
}

/** The message that an answer is in a conversation. */
export function messageOf(events: readonly ChatModelEvent[]): Extract<ChatMessage, { role: 'assistant' }> {
	const thought = events.find((event) => event.type === 'thought')?.thought;
	return {
		role: 'assistant',
		text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
		toolCalls: events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : [])),
		...(thought && { thought }),
	};
}

/** Each adapter keeps them in its own way: among the parts of the answer, or in a list of calls. */
function idsIn(data: unknown): string[] {
	if (Array.isArray(data))
		return data.filter((part) => isRecord(part) && part.type === 'call').map(({ id }) => id);
	const calls = isRecord(data) && Array.isArray(data.calls) ? data.calls : [];
	return calls.map((call) => (isRecord(call) ? String(call.id) : String(call)));
}
