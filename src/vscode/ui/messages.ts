import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { failureText } from './labelText.ts';

/** How long the status bar says something, in milliseconds. */
const messageMs = 5000;

/** Says in the status bar what was done, or that there was nothing to do. */
export function say(text: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${text}`, messageMs);
}

/** Says that something the user has asked for has failed. */
export function sayFailed(error: unknown): void {
	void vscode.window.showErrorMessage(`Discovery: ${failureText(error)}`);
}

/** Says why a command does nothing in an untrusted workspace, and leads to where that is changed. */
export async function askToTrust(): Promise<void> {
	const trust = l10n.t('Manage Workspace Trust');
	const text = l10n.t(
		'Discovery: this workspace is not trusted, so no servers run in it and none are added.',
	);
	const chosen = await vscode.window.showWarningMessage(text, trust);
	if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
}
