import { createHash } from 'node:crypto';
import type { AnswerPart, ChatMessage, Origin } from '../discovery/catalog/message.ts';
import { answerText, callsOf, plainAnswer } from './answerParts.ts';
import type { Endpoint } from './provider.ts';

/** Increase this when an adapter changes the form of its origins: older ones are then ignored. */
const form = 2;

/**
 * One model at one address in one protocol, as the maker of parts. A part goes back to its maker with its origin, and to everybody else
 * without.
 */
export class Thinker {
	/** A hash, since an address may hold something private. */
	readonly id: string;
	/** Origins that the provider no longer accepts, as after a change of key or account. */
	readonly #rejected = new WeakSet<Origin>();

	constructor({ baseUrl }: Pick<Endpoint, 'baseUrl'>, protocol: string, model: string) {
		const key = JSON.stringify([form, protocol, baseUrl, model]);
		this.id = createHash('sha256').update(key).digest('hex').slice(0, 16);
	}

	/** The origin of a part that this model has made. */
	origin(data: unknown): Origin {
		return { by: this.id, data };
	}

	/** What the adapter put into the origin of a part; `undefined` for a part of another model, or one that the provider rejects. */
	dataOf<Data>({ origin }: Pick<AnswerPart, 'origin'>): Data | undefined {
		const isOurs = origin?.by === this.id && !this.#rejected.has(origin);
		// Only the adapter that wrote it knows this id.
		return isOurs ? (origin.data as Data) : undefined;
	}

	/** Parts in the order in which they go out: as this model gave them; of another model's answer what it said first, then what it called. */
	inOrder(parts: readonly AnswerPart[]): readonly AnswerPart[] {
		if (parts.some((part) => this.dataOf(part) !== undefined)) return parts;
		return plainAnswer(answerText(parts), callsOf(parts)).parts;
	}

	/**
	 * Sends the origins of earlier turns no more, since the provider has refused one; those of the present turn only if there are no others.
	 * Returns whether that changes anything.
	 */
	reject(messages: readonly ChatMessage[]): boolean {
		const turn = messages.findLastIndex(({ role }) => role === 'user');
		return this.#rejectIn(messages.slice(0, turn)) || this.#rejectIn(messages);
	}

	#rejectIn(messages: readonly ChatMessage[]): boolean {
		const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
		const origins = parts.flatMap((part) =>
			part.origin && this.dataOf(part) !== undefined ? [part.origin] : [],
		);
		for (const origin of origins) this.#rejected.add(origin);
		return origins.length > 0;
	}
}
