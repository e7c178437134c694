import type * as vscode from 'vscode';
import * as z from 'zod';
import { defined } from '../../common/json.ts';
import { orNothing, salvagedList } from '../../common/storedShapes.ts';
import type { UseEvidence } from '../../discovery/search/useEvidence.ts';
import {
	evidenceOf,
	keptTurns,
	type LearnedUse,
	nothingLearned,
	type ObservedTimeline,
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

const texts = z.array(z.string());
const search = z.object({ words: texts, found: texts, missed: texts });
const turn = z.object({ chat: z.string(), at: z.number(), searches: salvagedList(search), calls: texts });

/** What is stored, without turns and searches that cannot be read. */
const storedUse = z
	.object({ turns: salvagedList(turn, keptTurns), since: orNothing(z.number()) })
	.transform((learned): LearnedUse => defined(learned))
	.catch(nothingLearned);

/**
 * What search learned from a workspace's chats. While the setting is off, nothing is collected, used or stored, except since when learning
 * may start.
 */
export class UseStore {
	readonly #parts: UseParts;
	#learned: LearnedUse;

	constructor(parts: UseParts) {
		this.#parts = parts;
		this.#learned = storedUse.parse(parts.memento.get(useKey));
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
		const previous = this.#learned;
		const learned = chats.reduce(withUse, previous);
		if (learned !== previous) await this.#keep(learned);
	}

	/** The setting changed. Off: forgets what was learned. On: learns only from what starts now. */
	async applySetting(): Promise<void> {
		if (this.#learned.turns.length === 0 || !this.#parts.isOn()) await this.clear();
	}

	/** Forgets what was learned; resolves to what restores it. */
	async clear(): Promise<() => Promise<void>> {
		const previous = this.#learned;
		await this.#keep({ turns: [], since: this.#parts.now() });
		return async () => {
			// The setting may be off by then.
			if (this.#parts.isOn())
				await this.#keep({ ...previous, turns: [...previous.turns, ...this.#learned.turns] });
		};
	}

	async #keep(learned: LearnedUse): Promise<void> {
		this.#learned = learned;
		await this.#parts.memento.update(useKey, learned);
	}
}
