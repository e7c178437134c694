import { hash } from 'node:crypto';
import { isRecord } from '../common/json.ts';
import type { AnswerPart, ChatMessage, Origin } from '../discovery/catalog/message.ts';
import type { Endpoint } from './provider.ts';

/** Increase this when an adapter changes the format of its origins: older ones are then ignored. */
const originFormat = 2;

/**
 * Identifies one model at one address in one protocol as the maker of parts. A part is sent back with its origin to its maker only.
 */
export class Thinker {
	/** A hash, because an address may contain something private. */
	readonly id: string;
	/** Origins that the provider no longer accepts, e.g. after a change of key or account. */
	readonly #rejected = new WeakSet<Origin>();

	constructor({ baseUrl }: Pick<Endpoint, 'baseUrl'>, protocol: string, model: string) {
		const address = URL.parse(baseUrl)?.href.replace(/\/+$/, '') ?? baseUrl;
		const key = JSON.stringify([originFormat, protocol, address, model]);
		this.id = hash('sha256', key).slice(0, 16);
	}

	/** The origin of a part that this model made. */
	origin(data: unknown): Origin {
		return { by: this.id, data };
	}

	/**
	 * The adapter's data about a part; `undefined` for a part of another model, or a thought that the provider rejects. A call keeps its id and its
	 * namespace, but not what is signed (`extra`).
	 */
	dataOf<Data>({ type, origin }: Pick<AnswerPart, 'type' | 'origin'>): Data | undefined {
		if (origin?.by !== this.id) return undefined;
		const isRejected = this.#rejected.has(origin);
		if (isRejected && type === 'thinking') return undefined;
		const data = isRejected && isRecord(origin.data) ? { ...origin.data, extra: undefined } : origin.data;
		// Only the adapter that wrote the data has this id.
		return data as Data;
	}

	/**
	 * Stops sending the thoughts of earlier turns, because the provider refused one; those of the current turn only if there are no others, or
	 * `all` are refused. Returns whether that changes anything.
	 */
	reject(messages: readonly ChatMessage[], all: boolean): boolean {
		const turn = messages.findLastIndex(({ role }) => role === 'user');
		return (!all && this.#rejectIn(messages.slice(0, turn))) || this.#rejectIn(messages);
	}

	#rejectIn(messages: readonly ChatMessage[]): boolean {
		const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
		const origins = parts.flatMap((part) =>
			part.origin?.by === this.id && !this.#rejected.has(part.origin) && isThought(part) ? [part.origin] : [],
		);
		for (const origin of origins) this.#rejected.add(origin);
		return origins.length > 0;
	}
}

/** Whether a part is a thought, or has the signature of one. */
function isThought({ type, origin }: AnswerPart): boolean {
	return type === 'thinking' || (isRecord(origin?.data) && origin.data.extra !== undefined);
}
