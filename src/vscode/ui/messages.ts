import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from './ids.ts';
import { failureText } from './labelText.ts';

const messageMs = 5000;

/** Shows a short message in the status bar. */
export function say(text: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${text}`, messageMs);
}

/** Shows a notification; resolves to the button that was pressed. */
export function notify(text: string, ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showInformationMessage(`Discovery: ${text}`, ...buttons);
}

export function warn(text: string, ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showWarningMessage(`Discovery: ${text}`, ...buttons);
}

export function showError(error: unknown): void {
	void showErrorWithButtons(error);
}

/** Shows an error with buttons; resolves to the button that was pressed. */
export function showErrorWithButtons(error: unknown, ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showErrorMessage(`Discovery: ${failureText(error)}`, ...buttons);
}

/** What follows Undo, wherever the user chose it. */
export function sayUndone(label: string): void {
	say(l10n.t('undone: {0}.', label));
}

/** The title of a command, in the user's language. */
export function commandTitle(command: string): string {
	return contributedText(command, 'title');
}

/** The short title of a command, for buttons beside what they act on. */
export function shortTitle(command: string): string {
	return contributedText(command, 'shortTitle') || commandTitle(command);
}

function contributedText(command: string, key: 'title' | 'shortTitle'): string {
	const contributed: unknown = vscode.extensions.getExtension(ids.extension)?.packageJSON.contributes
		.commands;
	const entry = Array.isArray(contributed)
		? contributed.find(({ command: id }) => id === command)
		: undefined;
	// In other languages than English, VS Code returns both texts.
	const text: unknown = entry?.[key]?.value ?? entry?.[key];
	return typeof text === 'string' ? text : '';
}

/** The title of a command's dialogs: without `…`. */
export function dialogTitle(command: string): string {
	return commandTitle(command).replace(/…$/, '');
}

export function turnOnTitle(): string {
	return l10n.t('Turn On Discovery');
}

export function commandButton(command: string, ...args: unknown[]): vscode.Command {
	return { command, title: commandTitle(command), arguments: args };
}

/** Says that the workspace is not trusted, and leads to Manage Workspace Trust. */
export async function askToTrust(): Promise<void> {
	const trust = l10n.t('Manage Workspace Trust');
	const chosen = await warn(
		l10n.t('this workspace is not trusted, so no server can run or be added.'),
		trust,
	);
	if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Says that what was missing is there now, with a button that repeats what failed without it. Does not wait for the answer. */
export function offerAgain(text: string, again: (() => Thenable<unknown>) | undefined): void {
	const tryAgain = l10n.t('Try Again');
	const answered = async () => {
		if ((await notify(text, ...(again ? [tryAgain] : []))) === tryAgain) await again?.();
	};
	answered().catch(showError);
}
