import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Says why a command does nothing in an untrusted workspace, and leads to where that is changed. */
export async function askToTrust(): Promise<void> {
	const trust = l10n.t('Manage Workspace Trust');
	const text = l10n.t(
		'Discovery: this workspace is not trusted, so no servers run in it and none are added.',
	);
	const chosen = await vscode.window.showWarningMessage(text, trust);
	if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
}
