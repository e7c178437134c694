import { legalName } from '../wireName.ts';

/**
 * Ids of calls as the API takes them: legal, and each once in a conversation. Calls of another model, whose ids may be of any form and
 * begin anew with each answer, stand in the conversation once the user has changed models. Given out in the order of
 * the conversation, ids stay what they are while it grows.
 */
export class WireIds {
	readonly #given = new Set<string>();

	/** The id on the wire for the next call, whose own id is `id`. */
	next(id: string): string {
		const legal = legalName(id);
		let free = legal;
		for (let n = 2; this.#given.has(free); n++) free = `${legal}_${n}`;
		this.#given.add(free);
		return free;
	}
}
