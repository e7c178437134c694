import * as l10n from '@vscode/l10n';
import type { Edit } from 'jsonc-parser';
import * as vscode from 'vscode';
import { readPlainFile } from '../../common/atomicFile.ts';
import { errorCode, errorMessage } from '../../common/errors.ts';
import { locked } from '../../common/fileLock.ts';
import { afterUndoing, type Step } from '../../common/steps.ts';
import { type ConfigEdits, type EditedText, smallestEdit } from '../../config/file/textEdit.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';
import { cannotChange } from './fileChanges.ts';
import { isOpen } from './readingEditor.ts';

/**
 * Changes the current text of a file, while other windows are locked out. If an editor shows the file, the change can be undone there; a document
 * with unsaved changes stays unsaved, so that we do not save the user's own changes. `within`: see {@link FileReadOptions}.
 */
export async function editText(
	uri: vscode.Uri,
	change: (text: string) => ConfigEdits,
	within: vscode.Uri | undefined,
): Promise<EditedText> {
	const edit = async (): Promise<EditedText> => {
		const read = readText(uri, { within }).catch((error: unknown): never => {
			throw cannotRead(uri, error);
		});
		const text = (await read) ?? '';
		const document = isOpen(uri) ? await vscode.workspace.openTextDocument(uri) : undefined;
		// After another window has written, the document is stale for a moment: then the file counts.
		const openedDocument =
			document && (document.isDirty || document.getText() === text) ? document : undefined;
		const before = openedDocument?.getText() ?? text;
		const edits = change(before);
		if (!edits) throw cannotChange(uri);
		if (edits.length === 0) return { outcome: 'saved', before, after: before };
		if (openedDocument) return editDocument(openedDocument, edits);
		const { applyEdits } = await import('jsonc-parser');
		const after = applyEdits(before, [...edits]);
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
		return { outcome: 'saved', before, after };
	};
	return uri.scheme === 'file' ? locked(uri.fsPath, edit) : edit();
}

async function editDocument(document: vscode.TextDocument, edits: readonly Edit[]): Promise<EditedText> {
	const { uri, isDirty: wasDirty } = document;
	const before = document.getText();
	const back = await editOpen(document, edits).take();
	if (wasDirty) return { outcome: 'unsaved', before, after: document.getText() };
	if (!(await document.save())) await afterUndoing(cannotSave(uri), [back]);
	// Includes what the editor has formatted on saving.
	return { outcome: 'saved', before, after: document.getText() };
}

export function cannotRead({ fsPath }: vscode.Uri, error: unknown): Error {
	const reason = errorMessage(error);
	return new Error(l10n.t('{0} cannot be read: {1}', fsPath, reason));
}

export function cannotSave({ fsPath }: vscode.Uri): Error {
	return new Error(l10n.t('{0} could not be saved.', fsPath));
}

/** Edits a document without saving it. */
export function editOpen(document: vscode.TextDocument, edits: readonly Edit[]): Step {
	const take = async () => {
		const previousText = document.getText();
		await applyEdit(workspaceEdit(document, edits), document.uri);
		return editOpen(document, smallestEdit(document.getText(), previousText));
	};
	return { take };
}

/** Applies an edit in the editor, where it can be undone. */
export async function applyEdit(edit: vscode.WorkspaceEdit, uri: vscode.Uri): Promise<void> {
	if (!(await vscode.workspace.applyEdit(edit)))
		throw new Error(l10n.t('{0} could not be changed.', uri.fsPath));
}

/** Bytes: several times the limit of a configuration, so that the error can name the size. */
const maxBytes = 8_000_000;

interface FileReadOptions {
	/** Bytes. A larger file is an error. */
	readonly most?: number;
	/** The folder that links must not lead out of, for a file that the workspace has brought. */
	readonly within?: vscode.Uri | undefined;
}

/**
 * The text of a file, or `undefined` if it does not exist. Local files are read directly: VS Code would ask the window, which answers late while it
 * opens. Rejects at once if it is not a plain file: a pipe may never end. `strict`: rejects if it is not UTF-8.
 */
export async function readText(
	uri: vscode.Uri,
	{ strict: isStrict = false, ...reading }: FileReadOptions & { readonly strict?: boolean } = {},
): Promise<string | undefined> {
	try {
		return new TextDecoder('utf-8', { fatal: isStrict }).decode(await readBytes(uri, reading));
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** The bytes of a file; rejects if it does not exist or is larger than `most`. */
export async function readBytes(
	uri: vscode.Uri,
	{ most = maxBytes, within }: FileReadOptions = {},
): Promise<Uint8Array> {
	if (uri.scheme === 'file') {
		const links = within ? { within: within.fsPath } : { followsLinks: true };
		return readPlainFile(uri.fsPath, { ...links, maxBytes: most });
	}
	const bytes = await vscode.workspace.fs.readFile(uri);
	if (bytes.length > most) throw new Error(l10n.t('it has more than {0} bytes', most));
	return bytes;
}

/** `ENOENT` is Node's code, `FileNotFound` VS Code's. */
function isMissing(error: unknown): boolean {
	return ['ENOENT', 'FileNotFound'].includes(errorCode(error));
}

/** Edits of a document as one step to undo. */
export function workspaceEdit(document: vscode.TextDocument, edits: readonly Edit[]): vscode.WorkspaceEdit {
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of edits) {
		const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
		edit.replace(document.uri, range, content);
	}
	return edit;
}

/** The current text of a configuration file. */
export interface CurrentText {
	readonly uri: vscode.Uri;
	/** With unsaved changes; `undefined`: the file does not exist yet. */
	readonly text: string | undefined;
	/** The folder that secrets of this file are stored under. */
	readonly folder: vscode.Uri;
	/** The values of variables in it. */
	readonly scope: VariableScope;
}
