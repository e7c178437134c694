import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import type { Activation } from '../../discovery/session/activationSet.ts';
import { labelText } from '../ui/labelText.ts';

/** Something that the user has done and can undo. */
export interface UndoableChange {
	/** In a few words: "pin git:git_log". */
	readonly what: string;
	/** Whether there is something to undo now; absent: always. A change of a chat holds while views show that chat. */
	readonly canUndo?: () => boolean;
	/** Rejects with the reason if it can no longer be undone. */
	readonly undo: () => void | Promise<void>;
}

const maxChanges = 50;

/** Changes in this window, of the configuration and of what chats have loaded; the newest last. */
export class UndoHistory {
	#changes: readonly UndoableChange[] = [];

	push(change: UndoableChange): void {
		this.#changes = [...this.#changes, change].slice(-maxChanges);
	}

	/** The newest change that holds. One that does not hold now stays, since the user may return to its chat. */
	get next(): UndoableChange | undefined {
		return this.#changes.findLast(({ canUndo }) => canUndo?.() ?? true);
	}

	/** Undoes the next change, and resolves to its name. A change that fails is forgotten, so that the one before it can be undone. */
	async undo(): Promise<string | undefined> {
		const change = this.next;
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
}

/**
 * Tools that a chat has just unloaded. Undoing loads them again, for their former reasons, except those that were loaded since: one that was
 * evicted later was not unloaded by the user then. After a reset of the chat there is nothing to undo.
 */
export function unloadedTools(
	sessions: ChatSessions,
	chat: ChatSession,
	taken: readonly Activation[],
): UndoableChange {
	const { log, surface } = chat.discovery;
	const unloaded = log.entries.at(-1);
	const pending = () => {
		const at = unloaded ? log.entries.lastIndexOf(unloaded) : -1;
		const since = log.entries.slice(at + 1);
		if (at < 0 || since.some(({ kind }) => kind === 'reset')) return [];
		const again = since.flatMap((entry) => (entry.kind === 'load' ? entry.tools : []));
		const loaded = new Set(again.map(({ wireName }) => wireName));
		return taken.filter(({ wireName }) => !loaded.has(wireName) && chat.discovery.surface.get(wireName));
	};
	const [id = ''] = taken.map(({ wireName }) => surface.get(wireName)?.id ?? wireName);
	return {
		what: l10n.t('unload {0}', taken.length === 1 ? labelText(id) : toolCount(taken.length)),
		canUndo: () => sessions.current === chat && pending().length > 0,
		undo: () => {
			for (const activation of pending()) loadByHand(sessions, activation.wireName, activation);
		},
	};
}

/** Loads a tool for the last used chat. */
export function loadByHand(
	sessions: ChatSessions,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): void {
	const { discovery } = sessions.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return;
	discovery.load([tool], why.reason, why.words);
	if (discovery.loadedTools.includes(tool)) return;
	// The tools of the last turn fill the set. For what a person loads by hand, as with `/load`, they may be evicted.
	discovery.beginByHand();
	discovery.load([tool], why.reason, why.words);
}
