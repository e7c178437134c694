import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isMissing, readBytes } from '../config/configText.ts';

/** Takes back what was done. */
export type Undo = () => Promise<void>;

/**
 * Changes a text file on disk, or makes it. Returns how that is taken back, which leaves a file alone that has changed since.
 * Throws where an editor has unsaved changes of it.
 */
export async function changeFile(uri: vscode.Uri, change: (text: string) => string): Promise<Undo> {
	const before = await readText(uri);
	const after = change(before ?? '');
	if (after === before) return async () => {};
	const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
	if (open?.isDirty) throw new Error(l10n.t('{0} has unsaved changes. Save it first.', uri.fsPath));
	await writeText(uri, after);
	return async () => {
		if ((await readText(uri)) !== after) return;
		if (before === undefined) await vscode.workspace.fs.delete(uri);
		else await writeText(uri, before);
	};
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
	try {
		return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readBytes(uri));
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

async function writeText(uri: vscode.Uri, text: string): Promise<void> {
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
