import * as l10n from '@vscode/l10n';
import { type ConfigEdits, undoEdit } from '../../config/file/textEdit.ts';
import type { Services } from '../../services.ts';
import { notify } from './messages.ts';

/** A change of the configuration file that was made, and can be taken back. */
export interface ConfigChange {
	/** `unsaved`: the file had unsaved changes in an editor, so the change takes effect when the user saves it. */
	readonly outcome: 'saved' | 'unsaved';
	/** Takes back this change alone. Rejects, with nothing changed, where the file has been changed in the same place since. */
	readonly undo: () => Promise<void>;
}

/** Changes the configuration file. `undefined`: it said so already. */
export async function changeConfig(
	configFile: Services['configFile'],
	plan: (text: string) => ConfigEdits,
): Promise<ConfigChange | undefined> {
	let before: string | undefined;
	const outcome = await configFile.edit((text) => {
		const edits = plan(text);
		if (edits?.length) before = text;
		return edits;
	});
	if (before === undefined) return undefined;
	// Read again, because the editor may have formatted the file as it was saved.
	const after = (await configFile.current())?.text ?? before;
	const change = { before, after };
	const undo = async () => {
		const undone = await configFile.edit((text) => {
			const edits = undoEdit(change, text);
			if (!edits) throw changedSince();
			return edits;
		});
		if (undone === 'unsaved') sayUnsaved();
	};
	return { outcome, undo };
}

/** Why a change of the configuration file cannot be taken back. */
export function changedSince(): Error {
	return new Error(l10n.t('the configuration file has been changed in that place since. Change it by hand.'));
}

/** Says that a change of the configuration file is not in force yet. */
export function sayUnsaved(): void {
	void notify(l10n.t('the change takes effect when you save the configuration file.'));
}
