import * as l10n from '@vscode/l10n';
import { notify, sayUndone, showError } from '../ui/messages.ts';
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
		.then(async (chosen) => {
			if (chosen === button) await (isUndone ? sayUndone() : change.undo());
		})
		.then(undefined, showError);
	return change;
}
