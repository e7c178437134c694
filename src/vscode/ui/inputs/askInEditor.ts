import { rm } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileBaseName } from '../labelText.ts';
import { sayFailed } from '../messages.ts';
import type { PrivateFiles } from '../textFiles.ts';

interface EditorQuestion {
	readonly name: string;
	readonly language: 'json' | 'text';
	readonly text: string;
	/** What is wrong with a text, in a sentence; nothing if it fits. */
	readonly check: (text: string) => Promise<string | undefined>;
}

/**
 * Asks in an editor for what does not fit on a line. Saving by hand answers; a text that does not fit stays open with an error; closing
 * the editor cancels. An untitled file would ask where to be saved, so the file is real.
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

/** Indents JSON; returns other text unchanged. */
function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}
