import type { ChatMessage } from '../discovery/catalog/message.ts';
import { type AssistantMessage, answerText, callsOf } from './answerParts.ts';

/** Answers kept, of all conversations together. */
const maxAnswers = 200;

/**
 * Answers with their origins, for conversations of other extensions: the editor's message types, in which they keep their conversations, have
 * no place for origins. Bounded: the least recently used answer is dropped, and sent without origins from then on.
 */
export class OriginMemory {
	readonly #answers = new Map<string, AssistantMessage>();

	remember(answer: AssistantMessage): void {
		if (answer.parts.every(({ origin }) => origin === undefined)) return;
		const key = keyOf(answer);
		this.#answers.delete(key);
		this.#answers.set(key, answer);
		const [oldest = ''] = this.#answers.keys();
		if (this.#answers.size > maxAnswers) this.#answers.delete(oldest);
	}

	/** The message with its origins, if they are known. */
	recall(message: ChatMessage): ChatMessage {
		const known = message.role === 'assistant' ? this.#answers.get(keyOf(message)) : undefined;
		if (known) this.remember(known);
		return known ?? message;
	}
}

/** Ids of calls are ours and unique. An answer without calls is recognised by its text. */
function keyOf({ parts }: AssistantMessage): string {
	const calls = callsOf(parts);
	return JSON.stringify(calls.length > 0 ? calls.map(({ id }) => id) : answerText(parts));
}
