import * as l10n from '@vscode/l10n';
import { notify, say, sayUndone, showError } from '../ui/messages.ts';
import type { UndoableChange } from './undo.ts';

/** Says in a notification what was done, with Undo. The change can be undone once: there, or from the history. */
export function offerUndo(
	text: string,
	{ label, undo }: Pick<UndoableChange, 'label' | 'undo'>,
): UndoableChange {
	let isUndone = false;
	const change = {
		label,
		canUndo: () => !isUndone,
		undo: async () => {
			await undo();
			isUndone = true;
		},
	};
	const button = l10n.t('Undo');
	notify(text, button)
		.then((chosen) => (chosen === button ? undoNotified(change) : undefined))
		.then(undefined, showError);
	return change;
}

/** Undoes a change from its notification, which VS Code may still show after the change was undone: extensions cannot close one. */
export async function undoNotified({ label, canUndo, undo }: UndoableChange): Promise<void> {
	if (canUndo?.() === false) return say(l10n.t('this has already been undone.'));
	await undo();
	sayUndone(label);
}
