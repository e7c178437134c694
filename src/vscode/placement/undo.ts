import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Activation } from '../../discovery/session/activationSet.ts';
import { labelText } from '../ui/labelText.ts';

/** Something that the user has done and can undo. */
export interface UndoableChange {
	/** In a few words: "pin git:git_log". */
	readonly what: string;
	/** Whether there is something to undo now; absent: always. A change of a chat holds while views show that chat. */
	readonly holds?: (() => boolean) | undefined;
	/** Rejects with the reason if it can no longer be undone. */
	readonly undo: () => void | Promise<void>;
	/** Tools that it has unloaded from a chat. */
	readonly unloaded?: { readonly chat: ChatSession; readonly taken: readonly Activation[] };
}

/** A change without a name. */
export interface UndoStep extends Omit<UndoableChange, 'what'> {
	readonly holds: () => boolean;
}

/** A tool that the user has unloaded, and why it had been loaded. */
export interface Unload {
	readonly tool: CatalogTool;
	readonly activation: Activation;
}

const maxChanges = 50;
const nameLength = 80;

/** Changes in this window, of the configuration and of what chats have loaded; the newest last. */
export class UndoHistory {
	readonly #sessions: ChatSessions;
	#changes: readonly UndoableChange[] = [];
	/** Unloaded tools that undo no longer loads: they were loaded again, or their chat was reset. */
	readonly #settled = new WeakSet<Activation>();

	constructor(sessions: ChatSessions) {
		this.#sessions = sessions;
	}

	push(change: UndoableChange): void {
		this.#changes = [...this.#changes, change].slice(-maxChanges);
	}

	get canUndo(): boolean {
		return this.#changes.some(isUndoable);
	}

	/**
	 * Undoes the newest change that holds, and resolves to its name. A change that does not hold now stays, since the user may return to its chat;
	 * one that fails is forgotten, so that the one before it can be undone.
	 */
	async undo(): Promise<string | undefined> {
		const change = this.#changes.findLast(isUndoable);
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

	/** Undoing loads the tools again, for their former reasons. */
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

	/** Remembers what a slash command has unloaded. */
	pushUnloaded(chat: ChatSession, taken: readonly Activation[]): void {
		if (taken.length === 0) return;
		const { surface } = chat.discovery;
		const what = unloadLabel(taken.map(({ wireName }) => surface.get(wireName)?.id ?? wireName));
		this.push({ what, ...this.unloading(chat, taken) });
	}

	/** The tool that was unloaded from a chat last and is still unloaded. */
	lastUnload(chat: ChatSession): Unload | undefined {
		const { surface } = chat.discovery;
		return this.#changes
			.flatMap(({ unloaded }) => (unloaded?.chat === chat ? this.#pending(unloaded) : []))
			.map((activation) => ({ tool: surface.get(activation.wireName), activation }))
			.filter((unload): unload is Unload => unload.tool !== undefined)
			.findLast(({ tool }) => !surface.loaded.includes(tool));
	}

	/** Forgets what was unloaded from a chat that is reset. */
	forget(chat: ChatSession): void {
		for (const { unloaded } of this.#changes) {
			if (unloaded?.chat !== chat) continue;
			for (const activation of unloaded.taken) this.#settled.add(activation);
		}
	}

	/** Tools that are still unloaded. One that was loaded again and evicted later is not among them: the user did not unload it then. */
	#pending({ chat, taken }: NonNullable<UndoableChange['unloaded']>): readonly Activation[] {
		const active = new Set(chat.discovery.activated.map(({ wireName }) => wireName));
		for (const activation of taken) {
			if (active.has(activation.wireName)) this.#settled.add(activation);
		}
		return taken.filter((activation) => !this.#settled.has(activation));
	}
}

function isUndoable({ holds }: UndoableChange): boolean {
	return holds?.() ?? true;
}

/** `unload git:git_log` */
export function unloadLabel(ids: readonly string[]): string {
	const [id = ''] = ids;
	return l10n.t('unload {0}', ids.length === 1 ? labelText(id, nameLength) : toolCount(ids.length));
}

/** Loads a tool for the last used chat, and returns the tools that it evicted. */
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
		// The tools of the last turn fill the set. For what a person loads by hand, as with `/load`, they may be evicted.
		discovery.beginByHand();
		discovery.load([tool], why.reason, why.words);
	}
	return before.filter((other) => !discovery.loadedTools.includes(other));
}
