import type { Edit } from 'jsonc-parser';
import * as vscode from 'vscode';

/** Edits of the text of a document, as one change of it and one step to undo. */
export function workspaceEdit(document: vscode.TextDocument, edits: readonly Edit[]): vscode.WorkspaceEdit {
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, content } of edits) {
		const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
		edit.replace(document.uri, range, content);
	}
	return edit;
}
