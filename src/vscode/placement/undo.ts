import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Activation } from '../../discovery/session/activationSet.ts';
import { labelText } from '../ui/labelText.ts';

/** Something that the user has done, and that can be taken back. */
export interface UndoableChange {
	/** What was done, in few words: "pin git:git_log". */
	readonly what: string;
	/** Whether there is still something to take back, in a chat only while that is the one that views show. */
	readonly holds: () => boolean;
	/** Fails with the reason where it cannot be taken back any more. */
	readonly undo: () => void | Promise<void>;
	/** The tools that it has taken out of a chat, if any: the last of them can be put back alone, too. */
	readonly unloaded?: { readonly chat: ChatSession; readonly taken: readonly Activation[] };
}

/** How a change is taken back, before it has a name. */
export type UndoStep = Omit<UndoableChange, 'what'>;

/** A tool that the user has taken out of a chat, with why it had been loaded. */
export interface Unload {
	readonly tool: CatalogTool;
	readonly activation: Activation;
}

/** Changes that are remembered. */
const kept = 50;
/** Characters of a tool's name in what undoing calls its change. */
const nameLength = 80;

/** What the user has done in this window to the configuration and to what chats have loaded, the newest last. */
export class UndoHistory {
	readonly #sessions: ChatSessions;
	#changes: readonly UndoableChange[] = [];
	/** Tools taken out of a chat that cannot be put back any more, since they were loaded again or their chat was reset. */
	readonly #settled = new WeakSet<Activation>();

	constructor(sessions: ChatSessions) {
		this.#sessions = sessions;
	}

	push(change: UndoableChange): void {
		this.#changes = [...this.#changes, change].slice(-kept);
	}

	/** Whether there is something to take back now. */
	get canUndo(): boolean {
		return this.#changes.some(({ holds }) => holds());
	}

	/**
	 * Takes the newest change back that holds, and resolves to what that was; `undefined`: there is none. One that does not hold now may
	 * again, when its chat is taken up; one that fails is forgotten, so that the one before it can be reached.
	 */
	async undo(): Promise<string | undefined> {
		const change = this.#changes.findLast(({ holds }) => holds());
		if (!change) return undefined;
		this.#changes = this.#changes.filter((one) => one !== change);
		try {
			await change.undo();
		} catch (cause) {
			const reason = cause instanceof Error ? cause.message : String(cause);
			throw new Error(l10n.t('“{0}” cannot be undone: {1}', change.what, reason), { cause });
		}
		return change.what;
	}

	/** How the taking of tools out of a chat is taken back: they are loaded again, for the reasons that they had been loaded for. */
	unloading(chat: ChatSession, taken: readonly Activation[]): UndoStep {
		const unloaded = { chat, taken };
		return {
			unloaded,
			holds: () => this.#sessions.current === chat && this.#pending(unloaded).length > 0,
			undo: () => {
				for (const activation of this.#pending(unloaded)) {
					loadByHand(this.#sessions, activation.wireName, activation);
				}
			},
		};
	}

	/** Makes what a chat's own command has just taken out of it a change that can be taken back, as if a view had done it. */
	pushUnloaded(chat: ChatSession, taken: readonly Activation[]): void {
		if (taken.length === 0) return;
		const { surface } = chat.discovery;
		const what = unloadLabel(taken.map(({ wireName }) => surface.get(wireName)?.id ?? wireName));
		this.push({ what, ...this.unloading(chat, taken) });
	}

	/** What was taken out of a chat last and can be loaded again. */
	lastUnload(chat: ChatSession): Unload | undefined {
		const { surface } = chat.discovery;
		return this.#changes
			.flatMap(({ unloaded }) => (unloaded?.chat === chat ? this.#pending(unloaded) : []))
			.map((activation) => ({ tool: surface.get(activation.wireName), activation }))
			.filter((unload): unload is Unload => unload.tool !== undefined)
			.findLast(({ tool }) => !surface.loaded.includes(tool));
	}

	/** A chat that starts afresh has nothing to put back. */
	forget(chat: ChatSession): void {
		for (const { unloaded } of this.#changes) {
			if (unloaded?.chat !== chat) continue;
			for (const activation of unloaded.taken) this.#settled.add(activation);
		}
	}

	/** What the chat is still without. A tool that was loaded again is not put back should it be evicted later: that was not the user's doing. */
	#pending({ chat, taken }: NonNullable<UndoableChange['unloaded']>): readonly Activation[] {
		const active = new Set(chat.discovery.activated.map(({ wireName }) => wireName));
		for (const activation of taken) {
			if (active.has(activation.wireName)) this.#settled.add(activation);
		}
		return taken.filter((activation) => !this.#settled.has(activation));
	}
}

/** What undoing calls tools that were taken out of a chat by their ids. */
export function unloadLabel(ids: readonly string[]): string {
	const [id = ''] = ids;
	return l10n.t('unload {0}', ids.length === 1 ? labelText(id, nameLength) : toolCount(ids.length));
}

/** Loads one tool for the last used chat, and returns the tools that made room for it. `why`: the reason to keep with it. */
export function loadByHand(
	sessions: ChatSessions,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): readonly CatalogTool[] {
	const { discovery } = sessions.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return [];
	const before = discovery.activated;
	discovery.load([tool], why.reason, why.words);
	if (!discovery.loadedTools.includes(tool)) {
		// The last turn fills the set. For what a person asks for by hand, as with `/load`, what others loaded may make room.
		discovery.beginByHand();
		discovery.load([tool], why.reason, why.words);
	}
	return before.filter((other) => !discovery.loadedTools.includes(other));
}
