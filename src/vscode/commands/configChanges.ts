import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigEdits } from '../../config/edit.ts';
import * as configEdits from '../../config/edit.ts';
import { edited, editsInTurn, type MadeChange, takenBack } from '../../config/reversal.ts';
import type { ConfigFile } from '../config/configFile.ts';

/** What plans changes of the file. */
export type EditModule = typeof configEdits;

/** Plans a change of a text. */
export type Plan = (text: string) => ConfigEdits;

/**
 * Makes several changes of the configuration as one, and resolves to what takes it back; `undefined`: the file said so already. That
 * fails where the file has been changed in that place since.
 */
export async function changeConfig(
	configFile: ConfigFile,
	plansOf: (module: EditModule) => readonly Plan[],
): Promise<(() => Promise<void>) | undefined> {
	const made: MadeChange[] = [];
	await edit(configFile, (text) => {
		const edits = editsInTurn(text, plansOf(configEdits));
		if (edits?.length) made.push({ before: text, after: edited(text, edits) });
		return edits;
	});
	const [change] = made;
	return (
		change &&
		(() =>
			edit(configFile, (text) => {
				const edits = takenBack(change, text);
				if (!edits) throw new Error(l10n.t('the configuration file has been changed in that place since.'));
				return edits;
			}))
	);
}

async function edit(configFile: ConfigFile, plan: Plan): Promise<void> {
	const outcome = await configFile.edit(plan);
	if (outcome === 'unsaved') {
		void vscode.window.showInformationMessage(
			l10n.t('Discovery: the change takes effect when you save the configuration file.'),
		);
	}
}
