import * as vscode from 'vscode';
import { ids } from './ids.ts';

/** Opens the chat with `@discovery` and the given words typed. `model`: the id of one of our models, which is selected. */
export async function openChat(words: unknown, model?: string): Promise<void> {
	const options = { query: `@discovery ${typeof words === 'string' ? words : ''}`, isPartialQuery: true };
	const open = (more?: object) =>
		vscode.commands.executeCommand('workbench.action.chat.open', { ...options, ...more });
	if (model === undefined) return void (await open());
	// It rejects for a model that VS Code does not know, or not yet.
	await open({ modelSelector: { vendor: ids.vendor, id: model } }).then(undefined, () => open());
}
