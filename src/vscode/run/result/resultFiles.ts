import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileName } from './fileNames.ts';
import type { FilePart } from './runResult.ts';

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
