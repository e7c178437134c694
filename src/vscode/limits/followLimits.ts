import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { settings } from '../ids.ts';
import { type UserLimits, userLimits } from './limitSettings.ts';

const section = `${settings.section}.${settings.limits}`;

/** The limits as the user's settings are now. A workspace has no say in them. */
export function readLimits(): UserLimits {
	const configuration = vscode.workspace.getConfiguration(section);
	return userLimits((name) => configuration.get(name));
}

/** A changed limit holds from the next window on: what runs keeps those that it was started with. */
export function followLimits(): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(async (change) => {
		if (!change.affectsConfiguration(section)) return;
		const reload = l10n.t('Reload Window');
		const text = l10n.t('Discovery: the changed limit holds once the window is reloaded.');
		const chosen = await vscode.window.showInformationMessage(text, reload);
		if (chosen === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
	});
}
