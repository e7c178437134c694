import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { configTemplate } from '../../config/template.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { ids } from '../ids.ts';

/** Opens the walkthrough, from its first step that is not done. */
export async function openWalkthrough(): Promise<void> {
	const walkthrough = `${ids.extension}#${ids.walkthrough}`;
	await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
}

/** Opens the user's guide, which comes with the extension. */
export async function openGuide(): Promise<void> {
	const extension = vscode.extensions.getExtension(ids.extension);
	if (!extension) throw new Error(l10n.t('the extension is not installed.'));
	const index = vscode.Uri.joinPath(extension.extensionUri, 'docs', 'README.md');
	await vscode.commands.executeCommand('markdown.showPreview', index);
}

/** Writes a configuration with one server that runs, and opens it; opens the one that is there. */
export async function createConfig({ configFile }: { readonly configFile: ConfigFile }): Promise<void> {
	const current = await configFile.current();
	if (!current) {
		await vscode.commands.executeCommand('vscode.openFolder');
		return;
	}
	const { uri, text } = current;
	if (text === undefined) {
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(configTemplate));
	}
	await vscode.window.showTextDocument(uri);
	if (text === undefined) await configFile.reload();
}
