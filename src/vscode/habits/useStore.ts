import type * as vscode from 'vscode';
import {
	evidenceOf,
	type LearnedUse,
	type ObservedTimeline,
	restoredUse,
	searchCount,
	withUse,
} from '../../discovery/habits/learnedUse.ts';
import type { UseEvidence } from '../../discovery/search/useEvidence.ts';

/** What it is kept with. */
interface UseParts {
	/** The workspace's: what is learned there is of use nowhere else, and nobody's business. */
	readonly memento: vscode.Memento;
	/** Whether the user lets search learn, by now. */
	readonly isOn: () => boolean;
	readonly now: () => number;
}

const useKey = 'learnedUse';

/**
 * Keeps what search learns from the chats of a workspace. While the user does not let it, nothing is collected, nothing is used, and nothing
 * is kept but the time from which on it may be again. Made when it is first needed: the start does without.
 */
export class UseStore {
	readonly #parts: UseParts;
	#learned: LearnedUse;

	constructor(parts: UseParts) {
		this.#parts = parts;
		this.#learned = restoredUse(parts.memento.get(useKey));
		// Where that fails, it is done with what happens next.
		if (!parts.isOn() && this.#learned.turns.length > 0) this.clear().catch(() => undefined);
	}

	/** What indexes ask at each search. */
	readonly evidence = (): UseEvidence | undefined =>
		this.#parts.isOn() ? evidenceOf(this.#learned) : undefined;

	/** From how many searches something was learned. */
	get count(): number {
		return searchCount(this.#learned);
	}

	/** Learns from what has happened in chats by now. */
	async learn(chats: readonly ObservedTimeline[]): Promise<void> {
		// What happens while it is off is not to be learned from later, either.
		if (!this.#parts.isOn()) {
			await this.clear();
			return;
		}
		const before = this.#learned;
		const learned = chats.reduce(withUse, before);
		if (learned !== before) await this.#keep(learned);
	}

	/** The setting has changed: turned off, what was learned is forgotten; turned on, only what begins from now on is learned from. */
	async heedSetting(): Promise<void> {
		if (this.#learned.turns.length === 0 || !this.#parts.isOn()) await this.clear();
	}

	/** Forgets what was learned until now, and gives what brings it back. */
	async clear(): Promise<() => Promise<void>> {
		const before = this.#learned;
		await this.#keep({ turns: [], since: this.#parts.now() });
		return async () => {
			// The user may have forbidden it since.
			if (this.#parts.isOn())
				await this.#keep({ ...before, turns: [...before.turns, ...this.#learned.turns] });
		};
	}

	async #keep(learned: LearnedUse): Promise<void> {
		this.#learned = learned;
		await this.#parts.memento.update(useKey, learned);
	}
}
