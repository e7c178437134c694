import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorMessage } from '../../common/errors.ts';
import { compareStrings } from '../../common/text.ts';
import { readForeignServers } from '../../config/add/readers/json.ts';
import type { Drafts, ServerDraft } from '../../config/add/serverDraft.ts';
import { envFilePath, withEnvFile } from '../../config/import/foreignVariables.ts';
import { type ImportPlaces, type ImportSource, importSources } from '../../config/import/importSources.ts';
import type { VariableScope } from '../../config/secrets/variables.ts';
import { readText } from '../ui/textFiles.ts';

/** An existing file of another program, with its servers. */
export interface FoundFile extends Drafts {
	readonly source: ImportSource;
}

/** Largest file that is read, in bytes. Claude Code's grows with its chats. */
const most = 64_000_000;

/** Where files of other programs may be, on the machine that runs the extension. */
export function importPlaces(globalStorage: vscode.Uri): ImportPlaces {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return {
		platform: process.platform,
		workspaceFolders: folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
		home: homedir(),
		env: process.env,
		filesIn,
		// Extensions store their data in globalStorage/ID in the folder of the user or the profile.
		vscodeUserFolder: vscode.Uri.joinPath(globalStorage, '..', '..').fsPath,
	};
}

function filesIn(folder: string): readonly string[] {
	try {
		const entries = readdirSync(folder, { withFileTypes: true });
		return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort(compareStrings);
	} catch {
		return [];
	}
}

/** Reads the existing files, in a fixed order. What cannot be read is a fault of the file. */
export async function findForeignFiles(places: ImportPlaces): Promise<readonly FoundFile[]> {
	const files = await Promise.all(importSources(places).map(readForeignFile));
	// Most programs keep other settings in the same file.
	return files.flatMap((file) => (file && !file.isEmpty ? [file] : []));
}

/** Reads one file; `undefined`: it does not exist. */
export async function readForeignFile(source: ImportSource): Promise<FoundFile | undefined> {
	try {
		const text = await readText(vscode.Uri.file(source.path), readingIn(source.folder));
		return text === undefined ? undefined : { source, ...readForeignServers(source, text) };
	} catch (error) {
		return { source, servers: [], faults: [faultText(error)] };
	}
}

/** Adds the variables of each server's `envFile`. These files are read only when the user adds servers. */
export function withEnvFiles(
	files: readonly FoundFile[],
	scope: VariableScope,
): Promise<readonly FoundFile[]> {
	const servers = async ({ source: { folder }, servers }: FoundFile) => {
		const read = async (server: ServerDraft) => {
			const path = envFilePath(server, folder === undefined ? scope : { ...scope, workspaceFolder: folder });
			if (path === undefined) return withEnvFile(server, undefined);
			return withEnvFile(server, await readIfPossible(path, folder ?? workspaceFolderOf(path)));
		};
		return Promise.all(servers.map(read));
	};
	return Promise.all(files.map(async (file) => ({ ...file, servers: await servers(file) })));
}

/** `undefined`: it does not exist, leads out of `folder`, cannot be read, is not text, or is too large. */
function readIfPossible(path: string, folder?: string): Promise<string | undefined> {
	return readText(vscode.Uri.file(path), readingIn(folder)).catch(() => undefined);
}

/** The workspace folder in which a file is, or seems to be: a file there is the workspace's, whoever names it. */
export function workspaceFolderOf(path: string): string | undefined {
	return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path))?.uri.fsPath;
}

/** How to read a file of a workspace folder, or of the user. */
function readingIn(folder: string | undefined) {
	return { most, strict: true, within: folder === undefined ? undefined : vscode.Uri.file(folder) };
}

function faultText(error: unknown): string {
	if (error instanceof TypeError) return l10n.t('The file is not UTF-8 text.');
	return l10n.t('Cannot read the file: {0}', errorMessage(error));
}
