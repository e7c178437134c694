import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commands } from '../ui/ids.ts';
import { fileBaseName } from '../ui/labelText.ts';
import { dialogTitle, say } from '../ui/messages.ts';
import { fileName, filesOf, fileWords, type ResultDocument, type RunResult } from './result.ts';

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
		name: `${fileBaseName(tool)}.${ending}`,
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
					title: dialogTitle(commands.saveResult),
					placeHolder: l10n.t('Choose what to save; where to is asked next'),
				});
	if (saving) await save(saving);
}

async function save({ name, bytes }: Saving): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const uri = await vscode.window.showSaveDialog({
		title: dialogTitle(commands.saveResult),
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
	});
	if (!uri) return;
	await vscode.workspace.fs.writeFile(uri, bytes());
	const path = vscode.workspace.asRelativePath(uri);
	say(l10n.t('saved to {0}.', path));
}
