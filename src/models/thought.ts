import { createHash } from 'node:crypto';
import type { ChatMessage, Thought } from './chatModel.ts';
import type { Endpoint } from './provider.ts';

/** To be raised when what adapters keep in a thought changes its form: older ones are then left out. */
const form = 1;

/**
 * Identifies the model that a thought belongs to: one model, at one address, in one protocol, so that it is sent back to no other. A hash,
 * since an address may hold something private.
 */
export function thinkerOf({ baseUrl }: Pick<Endpoint, 'baseUrl'>, protocol: string, model: string): string {
	return createHash('sha256')
		.update(JSON.stringify([form, protocol, baseUrl, model]))
		.digest('hex')
		.slice(0, 16);
}

/** What a model is to get back of what it thought in an answer; nothing of what another one thought. */
export function thoughtOf<Data>({ thought }: Answer, thinker: string): Data | undefined {
	// Only the adapter that wrote it knows this name.
	return thought?.by === thinker ? (thought.data as Data) : undefined;
}

type Answer = Extract<ChatMessage, { role: 'assistant' }>;

/** Characters of thoughts that are kept, all conversations together. */
const keptCharacters = 8 * 1024 * 1024;

/**
 * What models thought in answers that somebody else keeps: the editor's own messages, in which other extensions hold their conversations,
 * have no room for it. Bounded: what was not used for longest goes first, and is sent without its thoughts from then on.
 */
export class ThoughtMemory {
	readonly #thoughts = new Map<string, { readonly thought: Thought; readonly characters: number }>();
	readonly #limit: number;
	#characters = 0;

	constructor(limit = keptCharacters) {
		this.#limit = limit;
	}

	remember(answer: Answer): void {
		const { thought } = answer;
		if (!thought) return;
		const key = keyOf(answer);
		this.#forget(key);
		const characters = key.length + JSON.stringify(thought.data).length;
		this.#thoughts.set(key, { thought, characters });
		this.#characters += characters;
		for (const oldest of this.#thoughts.keys()) {
			if (this.#characters <= this.#limit) break;
			this.#forget(oldest);
		}
	}

	/** A message with what was thought in it, where that is known. */
	recall(message: ChatMessage): ChatMessage {
		if (message.role !== 'assistant' || message.thought) return message;
		const key = keyOf(message);
		const kept = this.#thoughts.get(key);
		if (!kept) return message;
		this.#thoughts.delete(key);
		this.#thoughts.set(key, kept);
		return { ...message, thought: kept.thought };
	}

	#forget(key: string): void {
		this.#characters -= this.#thoughts.get(key)?.characters ?? 0;
		this.#thoughts.delete(key);
	}
}

/** Ids of calls are ours, and no other answer has them; without any, an answer is known by its words. */
function keyOf({ text, toolCalls }: Answer): string {
	return JSON.stringify(toolCalls.length > 0 ? toolCalls.map(({ id }) => id) : text);
}
