import { rm } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileBaseName } from '../ui/labelText.ts';
import { sayFailed } from '../ui/messages.ts';
import type { PrivateFiles } from './resultFiles.ts';

/** What is asked for in an editor. */
interface EditorQuestion {
	readonly name: string;
	readonly language: 'json' | 'text';
	readonly text: string;
	/** A sentence on what is wrong with a text; nothing where it will do. */
	readonly check: (text: string) => Promise<string | undefined>;
}

/**
 * Asks in an editor for what one line cannot hold. Saving by hand gives the answer; a text that does not fit stays open, and the user is
 * told why; closing the editor gives none. The file is real, as an untitled one would ask where to be saved.
 */
export async function askInEditor(
	{ name, language, text, check }: EditorQuestion,
	files: PrivateFiles,
): Promise<string | undefined> {
	const title = l10n.t('{0} (save to continue)', fileBaseName(name));
	const shown = language === 'json' ? indented(text) : text;
	const uri = await files.write(`${title}.${language === 'json' ? 'json' : 'txt'}`, Buffer.from(shown));
	const is = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	let byHand = false;
	const listeners = vscode.Disposable.from(
		vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
			if (is(document)) byHand = reason === vscode.TextDocumentSaveReason.Manual;
		}),
		vscode.workspace.onDidSaveTextDocument(async (document) => {
			if (!is(document) || !byHand) return;
			const saved = document.getText();
			const fault = await check(saved);
			if (fault === undefined) resolve(saved);
			else sayFailed(fault);
		}),
		vscode.window.tabGroups.onDidChangeTabs(() => {
			if (tabsOf(uri).length === 0) resolve(undefined);
		}),
	);
	try {
		await vscode.window.showTextDocument(uri, { preview: false });
		return await promise;
	} finally {
		listeners.dispose();
		await vscode.window.tabGroups.close(tabsOf(uri));
		await rm(uri.fsPath, { force: true });
	}
}

function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	return tabs.filter(
		({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
	);
}

/** JSON over several lines; what is none yet, as it is. */
function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}
