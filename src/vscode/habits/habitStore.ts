import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import { Emitter } from '../../common/event.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import { clearedHabits, type Habits, restoredHabits, withChat } from '../../discovery/habits/habits.ts';
import type { ObservedTimeline } from '../../discovery/habits/learnedUse.ts';
import { type Proposal, type ProposalSource, proposalsFor } from '../../discovery/habits/rules.ts';
import { commands } from '../ui/ids.ts';
import { toolNodes } from '../ui/nodes.ts';
import { Throttle } from '../ui/throttle.ts';

/** The command that does what is suggested, with the row of a view that it is called on; `undefined`: its tool is gone. */
function takeCommand(
	{ kind, server, tool }: Proposal,
	sessions: ChatSessions,
): { readonly command: string; readonly argument: unknown } | undefined {
	if (tool === undefined) {
		return { command: commands.deferServer, argument: { kind: 'server', status: { name: server } } };
	}
	const node = toolNodes(sessions).find((one) => one.tool.server === server && one.tool.name === tool);
	return node && { command: kind === 'pin' ? commands.pinTool : commands.deferTool, argument: node };
}

/** What habits are kept with. */
interface HabitParts {
	readonly sessions: ChatSessions;
	/** The workspace's: habits belong to its servers. */
	readonly memento: vscode.Memento;
	/** Search learns from chats in which something has happened. */
	readonly learn: (chats: readonly ObservedTimeline[]) => Promise<void>;
	/** Runs a command of VS Code. */
	readonly execute: (command: string, argument: unknown) => Thenable<unknown>;
	readonly now: () => number;
}

const habitsKey = 'habits';
const dismissedKey = 'dismissedSuggestions';
/** Dismissed suggestions that are remembered, the newest. */
const keptDismissed = 200;
/** How often habits are written at most, in milliseconds. */
export const keepEveryMs = 1000;

/** Keeps the habits of a workspace as its chats go on, and makes suggestions from them. */
export class HabitStore implements ProposalSource, vscode.Disposable {
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #parts: HabitParts;
	readonly #followed = new WeakSet<ChatSession>();
	/** Chats in which something has happened since habits were last written. */
	readonly #busy = new Set<ChatSession>();
	readonly #throttle = new Throttle(() => this.#keep(), keepEveryMs);
	readonly #listener: { dispose(): void };
	#habits: Habits;
	#dismissed: ReadonlySet<string>;
	/** The proposals for a surface: every redrawing of a view asks for them. `undefined` once habits or dismissals changed. */
	#cached: { readonly surface: ToolSurface; readonly suggestions: readonly Proposal[] } | undefined;

	constructor(parts: HabitParts) {
		const { sessions, memento } = parts;
		this.#parts = parts;
		this.#habits = restoredHabits(memento.get(habitsKey));
		this.#dismissed = new Set(restoredIds(memento.get(dismissedKey)));
		this.#listener = sessions.onDidChange(() => {
			if (sessions.current) this.#follow(sessions.current);
		});
	}

	/** What is kept of past chats. */
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

	async take(suggestion: Proposal): Promise<void> {
		const { sessions, execute } = this.#parts;
		const taking = takeCommand(suggestion, sessions);
		if (!taking) throw new Error(l10n.t('{0} does not have that tool any more.', suggestion.server));
		await execute(taking.command, taking.argument);
	}

	async dismiss({ id }: Proposal): Promise<void> {
		this.#dismissed = new Set([...this.#dismissed, id].slice(-keptDismissed));
		this.#fire();
		await this.#parts.memento.update(dismissedKey, [...this.#dismissed]);
	}

	/** Forgets every chat there was, and what was dismissed. */
	async clear(): Promise<void> {
		const { memento, now } = this.#parts;
		this.#busy.clear();
		this.#habits = clearedHabits(now());
		this.#dismissed = new Set();
		this.#fire();
		await Promise.all([memento.update(habitsKey, this.#habits), memento.update(dismissedKey, undefined)]);
	}

	dispose(): void {
		this.#listener.dispose();
		this.#throttle.dispose();
		// What happened right before the window closes is kept, too.
		this.#keep();
		this.#changed.dispose();
	}

	/** The sessions's event does not say which chat changed, so each chat is listened to from when it is first current. */
	#follow(session: ChatSession): void {
		if (this.#followed.has(session)) return;
		this.#followed.add(session);
		const isBusy = () => {
			this.#busy.add(session);
			this.#throttle.request();
		};
		session.discovery.onDidChange(isBusy);
		isBusy();
	}

	#keep(): void {
		const before = this.#habits;
		const chats = [...this.#busy].map(({ id, discovery }) => ({ id, timeline: discovery.log.timeline }));
		// Where that fails, it is done with what happens next.
		if (chats.length > 0) this.#parts.learn(chats).catch(() => undefined);
		for (const { id, discovery } of this.#busy) this.#habits = withChat(this.#habits, id, discovery);
		this.#busy.clear();
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
