import type { ChatMessage } from '../discovery/catalog/message.ts';
import { type AssistantMessage, answerText, callsOf } from './answerParts.ts';

/** Characters kept for all conversations together. */
const keptCharacters = 8 * 1024 * 1024;

/**
 * Answers with their origins, for conversations of other extensions: the editor's message types, in which they keep their conversations, have
 * no place for origins. Bounded: the least recently used answer is dropped, and sent without origins from then on.
 */
export class OriginMemory {
	readonly #answers = new Map<string, { readonly answer: AssistantMessage; readonly characters: number }>();
	readonly #limit: number;
	#characters = 0;

	constructor(limit = keptCharacters) {
		this.#limit = limit;
	}

	remember(answer: AssistantMessage): void {
		if (answer.parts.every(({ origin }) => origin === undefined)) return;
		const key = keyOf(answer);
		this.#forget(key);
		const characters = key.length + JSON.stringify(answer.parts).length;
		this.#answers.set(key, { answer, characters });
		this.#characters += characters;
		for (const oldest of this.#answers.keys()) {
			if (this.#characters <= this.#limit) break;
			this.#forget(oldest);
		}
	}

	/** The message with its origins, if they are known. */
	recall(message: ChatMessage): ChatMessage {
		if (message.role !== 'assistant') return message;
		const key = keyOf(message);
		const kept = this.#answers.get(key);
		if (!kept) return message;
		this.#answers.delete(key);
		this.#answers.set(key, kept);
		return kept.answer;
	}

	#forget(key: string): void {
		this.#characters -= this.#answers.get(key)?.characters ?? 0;
		this.#answers.delete(key);
	}
}

/** Ids of calls are ours and unique. An answer without calls is recognised by its text. */
function keyOf({ parts }: AssistantMessage): string {
	const calls = callsOf(parts);
	return JSON.stringify(calls.length > 0 ? calls.map(({ id }) => id) : answerText(parts));
}
