import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName, fileName } from './fileNames.ts';
import { type FilePart, filesOf, fileWords, type ResultDocument, type RunResult } from './result.ts';

/** Files of results on disk, where editors for them need one; in a folder that only this user can read, gone with the window. */
export class ResultFiles implements vscode.Disposable {
	#folder: string | undefined;
	#written = 0;

	/** Writes a file under a new name. */
	async write(tool: string, file: FilePart): Promise<vscode.Uri> {
		this.#folder ??= mkdtempSync(path.join(tmpdir(), 'mcp-discovery-results-'));
		const target = path.join(this.#folder, fileName(tool, ++this.#written, file));
		await writeFile(target, Buffer.from(file.data, 'base64'), { mode: 0o600 });
		return vscode.Uri.file(target);
	}

	dispose(): void {
		if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** Something of a result that can be saved. */
interface Saving {
	readonly label: string;
	readonly description: string;
	readonly name: string;
	readonly bytes: () => Uint8Array;
}

/** Saves the document of a result, or a file in it; asks which where there is a choice, and where to. */
export async function saveResult(tool: string, document: ResultDocument, result: RunResult): Promise<void> {
	const ending = document.language === 'json' ? 'json' : 'md';
	const text: Saving = {
		label: l10n.t('This document'),
		description: ending === 'json' ? 'JSON' : 'Markdown',
		name: `${baseName(tool)}.${ending}`,
		bytes: () => new TextEncoder().encode(document.text),
	};
	const files = filesOf(result).map((file, i) => ({
		label: l10n.t('File {0}', i + 1),
		description: fileWords(file),
		name: fileName(tool, i + 1, file),
		bytes: () => Buffer.from(file.data, 'base64'),
	}));
	const saving =
		files.length === 0
			? text
			: await vscode.window.showQuickPick<Saving>([...files, text], {
					title: l10n.t('Save Result'),
					placeHolder: l10n.t('Choose what to save; where to is asked next'),
				});
	if (saving) await save(saving);
}

async function save({ name, bytes }: Saving): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const uri = await vscode.window.showSaveDialog({
		title: l10n.t('Save Result'),
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
	});
	if (!uri) return;
	await vscode.workspace.fs.writeFile(uri, bytes());
	const path = vscode.workspace.asRelativePath(uri);
	vscode.window.setStatusBarMessage(l10n.t('Discovery: saved to {0}.', path), 5000);
}
