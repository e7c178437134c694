import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../common/errors.ts';
import { Emitter } from '../../common/event.ts';

/** Something that the user has done and can undo. */
export interface UndoableChange {
	/** In a few words: "pin git:git_log". */
	readonly label: string;
	/** Whether there is something to undo now; absent: always. A change of a chat holds while views show that chat. */
	readonly canUndo?: () => boolean;
	/** Rejects with the reason if it can no longer be undone. */
	readonly undo: () => void | Promise<void>;
}

const maxChanges = 50;

/** Changes in this window, of the configuration and of what chats have loaded; the newest last. */
export class UndoHistory {
	#changes: readonly UndoableChange[] = [];
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	push(change: UndoableChange): void {
		this.#changes = [...this.#changes, change].slice(-maxChanges);
		this.#changed.fire();
	}

	/** The newest change that can be undone. A change that cannot be undone now stays, since the user may return to its chat. */
	get next(): UndoableChange | undefined {
		return this.#changes.findLast(({ canUndo }) => canUndo?.() ?? true);
	}

	/** Undoes the next change, and resolves to its name. A change that fails is forgotten, so that the one before it can be undone. */
	async undo(): Promise<string | undefined> {
		const change = this.next;
		if (!change) return undefined;
		this.#changes = this.#changes.filter((other) => other !== change);
		try {
			await change.undo();
		} catch (cause) {
			const reason = errorMessage(cause);
			throw new Error(l10n.t('“{0}” cannot be undone: {1}', change.label, reason), { cause });
		} finally {
			this.#changed.fire();
		}
		return change.label;
	}
}
