import type * as vscode from 'vscode';
import type { UseEvidence } from '../../discovery/search/useEvidence.ts';
import {
	evidenceOf,
	type LearnedUse,
	type ObservedTimeline,
	restoredUse,
	searchCount,
	withUse,
} from '../../discovery/session/learnedUse.ts';

interface UseParts {
	/** The workspace's: what is learned there is useless elsewhere, and private. */
	readonly memento: vscode.Memento;
	/** Whether the setting allows learning now. */
	readonly isOn: () => boolean;
	readonly now: () => number;
}

const useKey = 'learnedUse';

/**
 * What search learned from a workspace's chats. While the setting is off, nothing is collected, used or stored, except since when learning
 * may start.
 */
export class UseStore {
	readonly #parts: UseParts;
	#learned: LearnedUse;

	constructor(parts: UseParts) {
		this.#parts = parts;
		this.#learned = restoredUse(parts.memento.get(useKey));
		// A failure is repaired by the next event.
		if (!parts.isOn() && this.#learned.turns.length > 0) this.clear().catch(() => undefined);
	}

	/** What indexes use in each search. */
	readonly evidence = (): UseEvidence | undefined =>
		this.#parts.isOn() ? evidenceOf(this.#learned) : undefined;

	/** Number of searches that taught something. */
	get count(): number {
		return searchCount(this.#learned);
	}

	async learn(chats: readonly ObservedTimeline[]): Promise<void> {
		// What happens while the setting is off must not be learned later.
		if (!this.#parts.isOn()) {
			await this.clear();
			return;
		}
		const before = this.#learned;
		const learned = chats.reduce(withUse, before);
		if (learned !== before) await this.#keep(learned);
	}

	/** The setting changed. Off: forgets what was learned. On: learns only from what starts now. */
	async applySetting(): Promise<void> {
		if (this.#learned.turns.length === 0 || !this.#parts.isOn()) await this.clear();
	}

	/** Forgets what was learned; resolves to what restores it. */
	async clear(): Promise<() => Promise<void>> {
		const before = this.#learned;
		await this.#keep({ turns: [], since: this.#parts.now() });
		return async () => {
			// The setting may be off by then.
			if (this.#parts.isOn())
				await this.#keep({ ...before, turns: [...before.turns, ...this.#learned.turns] });
		};
	}

	async #keep(learned: LearnedUse): Promise<void> {
		this.#learned = learned;
		await this.#parts.memento.update(useKey, learned);
	}
}
