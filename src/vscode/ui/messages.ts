import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from './ids.ts';
import { failureText } from './labelText.ts';

/** How long the status bar says something, in milliseconds. */
const messageMs = 5000;

/** Says in the status bar what was done, or that there was nothing to do. */
export function say(text: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${text}`, messageMs);
}

/** Shows a notification; resolves to the button that the user has pressed. */
export function notify(text: string, ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showInformationMessage(`Discovery: ${text}`, ...buttons);
}

/** Shows a warning; resolves to the button that the user has pressed. */
export function warn(text: string, ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showWarningMessage(`Discovery: ${text}`, ...buttons);
}

/** Says that something the user has asked for has failed. */
export function sayFailed(error: unknown): void {
	void offerAfterFailure(error);
}

/** Says that something has failed, with buttons for what may help; resolves to the one that the user has pressed. */
export function offerAfterFailure(error: unknown, ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showErrorMessage(`Discovery: ${failureText(error)}`, ...buttons);
}

/** What a command is called in menus, in the user's language; ends in dots where it asks for more. */
export function commandTitle(command: string): string {
	return contributedText(command, 'title');
}

/** What a button is called whose place says what it acts on. */
export function shortTitle(command: string): string {
	return contributedText(command, 'shortTitle') || commandTitle(command);
}

function contributedText(command: string, key: 'title' | 'shortTitle'): string {
	const contributed: unknown = vscode.extensions.getExtension(ids.extension)?.packageJSON.contributes
		.commands;
	const found = Array.isArray(contributed) ? contributed.find((one) => one.command === command) : undefined;
	// In a language other than English, the editor hands over the text together with the English one.
	const text: unknown = found?.[key]?.value ?? found?.[key];
	return typeof text === 'string' ? text : '';
}

/** The title of what a command asks: that of the command, without its dots. */
export function dialogTitle(command: string): string {
	return commandTitle(command).replace(/…$/, '');
}

/** A button that runs a command and is called as the command is. */
export function commandButton(command: string, ...args: unknown[]): vscode.Command {
	return { command, title: commandTitle(command), arguments: args };
}

/** Says why a command does nothing in an untrusted workspace, and leads to where that is changed. */
export async function askToTrust(): Promise<void> {
	const trust = l10n.t('Manage Workspace Trust');
	const chosen = await warn(
		l10n.t('this workspace is not trusted, so no servers run in it and none are added.'),
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
	answered().catch(sayFailed);
}
