import { realpath, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Disk, FolderState } from '../../config/missingReferences.ts';

/** The disk as a configuration file sees it. Folders in the user's own file belong to no workspace, so none is outside. */
export function workspaceDisk(uri: vscode.Uri, isUsers: boolean): Disk {
	const stateOf = async (folder: string) => {
		const state = await folderState(folder);
		return isUsers && state === 'outside' ? 'inside' : state;
	};
	return { folderState: stateOf, templates: () => templatesBeside(uri) };
}

/** Names of the templates beside the file, without `.j2`. */
export async function templatesBeside(uri: vscode.Uri): Promise<readonly string[]> {
	const folder = vscode.Uri.joinPath(uri, '..', 'prompt-templates');
	try {
		const entries = await vscode.workspace.fs.readDirectory(folder);
		return entries
			.flatMap(([name]) => (name.endsWith('.j2') ? [name.slice(0, -'.j2'.length)] : []))
			.toSorted();
	} catch (error) {
		if (error instanceof vscode.FileSystemError) return [];
		throw error;
	}
}

async function folderState(folder: string): Promise<FolderState> {
	// Looking up a network share would reveal the user to that machine.
	if (/^(\\\\|\/\/)/.test(folder)) return 'outside';
	try {
		if (!(await stat(folder)).isDirectory()) return 'missing';
		const isInside = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) !== undefined;
		return isInside && (await isReallyInside(folder)) ? 'inside' : 'outside';
	} catch {
		return 'missing';
	}
}

/** A symbolic link in the workspace may lead out of it. */
async function isReallyInside(folder: string): Promise<boolean> {
	const real = vscode.Uri.file(await realpath(folder)).path;
	const roots = await Promise.all(
		(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => realpath(uri.fsPath).catch(() => uri.fsPath)),
	);
	return roots
		.map((root) => vscode.Uri.file(root).path)
		.some((root) => real === root || real.startsWith(`${root}/`));
}
