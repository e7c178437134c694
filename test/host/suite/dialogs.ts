import * as vscode from 'vscode';

type Dialog = 'showWarningMessage' | 'showInputBox' | 'showQuickPick';

const real = { ...vscode.window };

/** Gives the user's answer to a dialog, of which the editor shows none in tests; returns what it is called with. */
export function answer(dialog: Dialog, reply: unknown): unknown[][] {
	const calls: unknown[][] = [];
	replace(dialog, async (...args: unknown[]) => {
		calls.push(args);
		return reply;
	});
	return calls;
}

/** Picks the entry with these words. */
export function pick(words: string): void {
	replace('showQuickPick', async (items: readonly { label: string }[]) =>
		items.find(({ label }) => label.includes(words)),
	);
}

/** The editor's own dialogs again. */
export function restoreDialogs(): void {
	for (const dialog of ['showWarningMessage', 'showInputBox', 'showQuickPick'] as const) {
		replace(dialog, real[dialog]);
	}
}

function replace(dialog: Dialog, value: unknown): void {
	Object.defineProperty(vscode.window, dialog, { value, configurable: true, writable: true });
}
