import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { say } from './messages.ts';

/** Has the user choose where to save a file, and says where it is. */
export async function saveAs({
	title,
	name,
	bytes,
}: {
	readonly title: string;
	readonly name: string;
	readonly bytes: Uint8Array;
}): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const defaultUri = folder && vscode.Uri.joinPath(folder, name);
	const uri = await vscode.window.showSaveDialog({ title, ...(defaultUri && { defaultUri }) });
	if (!uri) return;
	await vscode.workspace.fs.writeFile(uri, bytes);
	say(l10n.t('saved to {0}.', vscode.workspace.asRelativePath(uri)));
}

/** Temporary files for editors, in a folder that only this user can read; deleted with the window. */
export class PrivateFiles implements vscode.Disposable {
	#folder: string | undefined;
	#written = 0;

	/** Writes a file into its own folder, so that names never collide and tabs show the plain name. */
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
