import type { ResponseReasoningItem } from 'openai/resources/responses/responses';

/** Whether a message is said on the way, or is the answer. */
export type MessagePhase = 'commentary' | 'final_answer';

/** One item of a model's answer, as far as a later request has to repeat it. */
export type AnswerPart =
	| { readonly type: 'reasoning'; readonly item: ResponseReasoningItem }
	| { readonly type: 'text'; readonly text: string; readonly phase?: MessagePhase }
	/** `namespace`: under which the model called a tool that it had loaded. */
	| { readonly type: 'call'; readonly id: string; readonly namespace?: string };

/** What stands between two messages of one answer. */
export const messageSeparator = '\n\n';

/** Characters of answers that are kept, all conversations with one model together. */
const keptCharacters = 8 * 1024 * 1024;

/**
 * What the answers of a model had that a chat's own messages do not hold: its encrypted reasoning, which it needs back with the
 * results of its calls, and where it stood among text and calls. The API is asked to store nothing, so this is the one place.
 * Bounded: what was not used for longest goes first, and is sent without its reasoning from then on.
 */
export class AnswerMemory {
	readonly #answers = new Map<
		string,
		{ readonly parts: readonly AnswerPart[]; readonly characters: number }
	>();
	readonly #limit: number;
	#characters = 0;

	constructor(limit = keptCharacters) {
		this.#limit = limit;
	}

	/** Keeps an answer; one without calls needs nothing back. */
	remember(parts: readonly AnswerPart[]): void {
		const key = keyOf(parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
		if (key === undefined) return;
		this.#forget(key);
		const characters = JSON.stringify(parts).length;
		this.#answers.set(key, { parts, characters });
		this.#characters += characters;
		for (const oldest of this.#answers.keys()) {
			if (this.#characters <= this.#limit) break;
			this.#forget(oldest);
		}
	}

	/** The answer that made these calls, if it is kept and said this very text. */
	recall(text: string, callIds: readonly string[]): readonly AnswerPart[] | undefined {
		const key = keyOf(callIds);
		const answer = key === undefined ? undefined : this.#answers.get(key);
		if (key === undefined || answer === undefined || textOf(answer.parts) !== text) return undefined;
		this.#answers.delete(key);
		this.#answers.set(key, answer);
		return answer.parts;
	}

	#forget(key: string): void {
		this.#characters -= this.#answers.get(key)?.characters ?? 0;
		this.#answers.delete(key);
	}
}

function keyOf(callIds: readonly string[]): string | undefined {
	return callIds.length === 0 ? undefined : JSON.stringify(callIds);
}

function textOf(parts: readonly AnswerPart[]): string {
	return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(messageSeparator);
}
