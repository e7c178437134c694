import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Edit } from 'jsonc-parser';
import * as vscode from 'vscode';
import { readPlainFile } from '../../common/atomicFile.ts';
import { locked } from '../../common/fileLock.ts';
import type { ConfigEdits } from '../../config/file/textEdit.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';
import { isOpen } from './readingEditor.ts';

/**
 * Changes a file's text as it is now: what another window has written is not lost, and none writes meanwhile. Where an editor shows the file
 * the change can be undone there, and a document with unsaved changes is left unsaved, so that nothing of the user's is saved for them.
 */
export async function editText(uri: vscode.Uri, change: (text: string) => ConfigEdits): Promise<EditedText> {
	const edit = async () => {
		const text = (await readText(uri)) ?? '';
		const document = isOpen(uri) ? await vscode.workspace.openTextDocument(uri) : undefined;
		// The editor shows a moment later what another window has written: until then, the file is what counts.
		const isShown = document && (document.isDirty || document.getText() === text);
		return isShown ? editDocument(document, change) : editFile(uri, text, change);
	};
	return uri.scheme === 'file' ? locked(uri.fsPath, edit) : edit();
}

/** A text that was changed, as it was and as it is. */
export interface EditedText {
	/** `unsaved`: its document had unsaved changes, so that it is left to the user to save it. */
	readonly outcome: 'saved' | 'unsaved';
	readonly before: string;
	/** Where the editor has formatted it as it was saved, with that. */
	readonly after: string;
}

async function editDocument(
	document: vscode.TextDocument,
	change: (text: string) => ConfigEdits,
): Promise<EditedText> {
	const { uri } = document;
	const wasDirty = document.isDirty;
	const before = document.getText();
	const edit = workspaceEdit(document, changesOf(uri, before, change));
	await applyEdit(edit, uri);
	if (wasDirty) return { outcome: 'unsaved', before, after: document.getText() };
	if (!(await document.save())) throw new Error(l10n.t('{0} could not be saved.', uri.fsPath));
	return { outcome: 'saved', before, after: document.getText() };
}

/** Has the editor make an edit of one file, as a step that can be undone there. */
export async function applyEdit(edit: vscode.WorkspaceEdit, uri: vscode.Uri): Promise<void> {
	if (!(await vscode.workspace.applyEdit(edit)))
		throw new Error(l10n.t('{0} could not be changed.', uri.fsPath));
}

/** Changes the file on disk: no editor shows it, so there is nothing to undo in, and a document in memory may be older than the file. */
async function editFile(
	uri: vscode.Uri,
	before: string,
	change: (text: string) => ConfigEdits,
): Promise<EditedText> {
	const { applyEdits } = await import('jsonc-parser');
	const after = applyEdits(before, [...changesOf(uri, before, change)]);
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
	return { outcome: 'saved', before, after };
}

function changesOf(
	uri: vscode.Uri,
	text: string,
	change: (text: string) => ConfigEdits,
): NonNullable<ConfigEdits> {
	const changes = change(text);
	if (!changes) throw new Error(l10n.t('{0} cannot be changed: fix its errors first.', uri.fsPath));
	return changes;
}

/** Bytes of a file that are read: several times as many as a configuration may have, so that the fault can name its size. */
const mostBytes = 8_000_000;

/**
 * The file's text, or `undefined` where there is none. Files of this machine are not read through the editor, which asks the window first: that
 * answers late while it opens. Rejects at once for what is no plain file: a pipe may never end.
 */
export async function readText(uri: vscode.Uri, decoder = new TextDecoder()): Promise<string | undefined> {
	try {
		return decoder.decode(await readBytes(uri));
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** The bytes of a file; rejects where there is none, or more than that. */
export async function readBytes(uri: vscode.Uri, most: number = mostBytes): Promise<Uint8Array> {
	if (uri.scheme === 'file') return readPlainFile(uri.fsPath, { followsLinks: true, mostBytes: most });
	const bytes = await vscode.workspace.fs.readFile(uri);
	if (bytes.length > most) throw new Error(l10n.t('it has more than {0} bytes', most));
	return bytes;
}

/** Whether there is no such file, as Node and the editor say it. */
function isMissing(error: unknown): boolean {
	return (
		error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'FileNotFound')
	);
}

/** Edits of the text of a document, as one change of it and one step to undo. */
export function workspaceEdit(document: vscode.TextDocument, edits: readonly Edit[]): vscode.WorkspaceEdit {
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of edits) {
		const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
		edit.replace(document.uri, range, content);
	}
	return edit;
}

/** A configuration file as an edit would find it. */
export interface CurrentText {
	readonly uri: vscode.Uri;
	/** With unsaved changes; `undefined`: there is no file yet. */
	readonly text: string | undefined;
	/** The folder that it is for: stored secrets are kept by it. */
	readonly folder: vscode.Uri;
	/** What the variables in it stand for. */
	readonly scope: VariableScope;
}

/** Files on disk for editors that need one, in a folder that only this user can read; removed with the window. */
export class PrivateFiles implements vscode.Disposable {
	#folder: string | undefined;
	#written = 0;

	/** Writes a file into a folder of its own, so that the names of files never collide and tabs show the bare name. */
	async write(name: string, content: Uint8Array): Promise<vscode.Uri> {
		this.#folder ??= mkdtempSync(path.join(tmpdir(), 'mcp-discovery-'));
		const folder = path.join(this.#folder, `${++this.#written}`);
		await mkdir(folder);
		const target = path.join(folder, name);
		await writeFile(target, content, { mode: 0o600 });
		return vscode.Uri.file(target);
	}

	dispose(): void {
		if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
	}
}
