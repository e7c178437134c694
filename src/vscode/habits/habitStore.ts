import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { Emitter } from '../../common/event.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import { clearedHabits, type Habits, restoredHabits, withChat } from '../../discovery/habits/habits.ts';
import type { ObservedTimeline } from '../../discovery/habits/learnedUse.ts';
import { type Proposal, proposalsFor } from '../../discovery/habits/rules.ts';
import { Throttle } from '../ui/throttle.ts';

interface HabitParts {
	readonly sessions: ChatSessions;
	/** The workspace's: habits belong to its servers. */
	readonly memento: vscode.Memento;
	/** Teaches search from the chats. */
	readonly learn: (chats: readonly ObservedTimeline[]) => Promise<void>;
	/** Carries out a suggestion. */
	readonly take: (suggestion: Proposal) => Thenable<unknown>;
	readonly now: () => number;
}

const habitsKey = 'habits';
const dismissedKey = 'dismissedSuggestions';
/** Remembered dismissals, the newest. */
const keptDismissed = 200;
/** Shortest time between two writes, in milliseconds. */
export const keepEveryMs = 1000;

/** Records the habits of a workspace, and derives suggestions. */
export class HabitStore implements vscode.Disposable {
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #parts: HabitParts;
	readonly #throttle = new Throttle(() => this.#keep(), keepEveryMs);
	readonly #listener: { dispose(): void };
	#habits: Habits;
	#dismissed: ReadonlySet<string>;
	/** Suggestions for a surface, which every redraw of a view asks for. `undefined` after habits or dismissals changed. */
	#cached: { readonly surface: ToolSurface; readonly suggestions: readonly Proposal[] } | undefined;

	constructor(parts: HabitParts) {
		const { sessions, memento } = parts;
		this.#parts = parts;
		this.#habits = restoredHabits(memento.get(habitsKey));
		this.#dismissed = new Set(restoredIds(memento.get(dismissedKey)));
		this.#listener = sessions.onDidChange(() => this.#throttle.request());
	}

	get habits(): Habits {
		return this.#habits;
	}

	suggestions(): readonly Proposal[] {
		const surface = this.#parts.sessions.surface();
		if (this.#cached?.surface !== surface) {
			const { tools, policy } = surface;
			const grounds = { habits: this.#habits, tools, policy, dismissed: this.#dismissed };
			this.#cached = { surface, suggestions: proposalsFor(grounds) };
		}
		return this.#cached.suggestions;
	}

	/** Carries out a suggestion. Rejects if it no longer applies: its button may be in an old answer. */
	async take(id: unknown): Promise<void> {
		const suggestion = this.suggestions().find((one) => one.id === id);
		if (!suggestion) throw new Error(l10n.t('this suggestion no longer applies.'));
		await this.#parts.take(suggestion);
	}

	/** Never makes a suggestion again. */
	async dismiss(id: string): Promise<void> {
		this.#dismissed = new Set([...this.#dismissed, id].slice(-keptDismissed));
		this.#fire();
		await this.#parts.memento.update(dismissedKey, [...this.#dismissed]);
	}

	/** Forgets all chats and dismissals; resolves to what restores them. */
	async clear(): Promise<() => Promise<void>> {
		const [habits, dismissed] = [this.#habits, this.#dismissed];
		await this.#keepAll(clearedHabits(this.#parts.now()), new Set());
		return () => this.#keepAll(habits, dismissed);
	}

	dispose(): void {
		this.#listener.dispose();
		this.#throttle.dispose();
		// Writes what happened right before the window closes.
		this.#keep();
		this.#changed.dispose();
	}

	async #keepAll(habits: Habits, dismissed: ReadonlySet<string>): Promise<void> {
		const { memento } = this.#parts;
		this.#habits = habits;
		this.#dismissed = dismissed;
		this.#fire();
		await Promise.all([
			memento.update(habitsKey, habits),
			memento.update(dismissedKey, dismissed.size > 0 ? [...dismissed] : undefined),
		]);
	}

	#keep(): void {
		const before = this.#habits;
		const { chats } = this.#parts.sessions;
		for (const { id, discovery } of chats) this.#habits = withChat(this.#habits, id, discovery);
		const timelines = chats.map(({ id, discovery }) => ({ id, timeline: discovery.log.timeline }));
		// A failure is repaired by the next event.
		if (chats.length > 0) this.#parts.learn(timelines).catch(() => undefined);
		if (this.#habits === before) return;
		this.#fire();
		void this.#parts.memento.update(habitsKey, this.#habits);
	}

	#fire(): void {
		this.#cached = undefined;
		this.#changed.fire();
	}
}

function restoredIds(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-keptDismissed) : [];
}
