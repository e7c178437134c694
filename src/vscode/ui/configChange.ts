import { mkdir, writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type ConfigEdits, combinedEdits, undoEdit } from '../../config/file/textEdit.ts';
import type { Services } from '../../services.ts';
import { labelText } from './labelText.ts';
import { dialogTitle, notify } from './messages.ts';
import { applyEdit, readText } from './textFiles.ts';

/** A change of the configuration file that was made, and can be taken back. */
export interface ConfigChange {
	/** `unsaved`: the file had unsaved changes in an editor, so the change takes effect when the user saves it. */
	readonly outcome: 'saved' | 'unsaved';
	/** Takes back this change alone. Rejects, with nothing changed, where the file has been changed in the same place since. */
	readonly undo: () => Promise<void>;
}

/** Changes a file of the configuration, the first where none is named. `undefined`: it said so already. */
export async function changeConfig(
	configFile: Services['configFile'],
	plan: (text: string) => ConfigEdits,
	uri: vscode.Uri | undefined = 'uri' in configFile.state ? configFile.state.uri : undefined,
): Promise<ConfigChange | undefined> {
	let isChanged = false;
	const { outcome, ...change } = await configFile.edit((text) => {
		const edits = plan(text);
		isChanged = edits !== undefined && edits.length > 0;
		return edits;
	}, uri);
	if (!isChanged) return undefined;
	const undo = async () => {
		const { outcome: undone } = await configFile.edit((text) => {
			const edits = undoEdit(change, text);
			if (!edits) throw changedSince();
			return edits;
		}, uri);
		if (undone === 'unsaved') sayUnsaved();
	};
	return { outcome, undo };
}

/**
 * Creates a file of the configuration; undoing deletes it, unless it has changed since. `undefined`: it exists already, perhaps because
 * another window has just created it.
 */
export async function createConfigFile(
	configFile: Services['configFile'],
	uri: vscode.Uri,
	text: string,
): Promise<ConfigChange | undefined> {
	const isNew = await writeNewFile(uri, text);
	await configFile.reload();
	if (!isNew) return undefined;
	const undo = async () => {
		if ((await configFile.current(uri))?.text !== text) throw changedSince();
		const deletion = new vscode.WorkspaceEdit();
		deletion.deleteFile(uri, { ignoreIfNotExists: true });
		await applyEdit(deletion, uri);
		await configFile.reload();
	};
	return { outcome: 'saved', undo };
}

async function writeNewFile(uri: vscode.Uri, text: string): Promise<boolean> {
	if (uri.scheme !== 'file') {
		if ((await readText(uri)) !== undefined) return false;
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		return true;
	}
	await mkdir(vscode.Uri.joinPath(uri, '..').fsPath, { recursive: true });
	try {
		await writeFile(uri.fsPath, text, { flag: 'wx' });
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

function changedSince(): Error {
	return new Error(l10n.t('the configuration file has changed there since. Edit it by hand.'));
}

/** Says that a change of the configuration file is not in force yet. */
export function sayUnsaved(): void {
	void notify(l10n.t('the change takes effect when you save the configuration file.'));
}

/** Plans one change of a file's text; `uri`: of the file, the first where it is left out. */
export interface PlannedChange {
	readonly uri?: vscode.Uri;
	readonly plan: (text: string) => ConfigEdits;
}

/** Makes several changes as one: of each file in one step, and of all files or none. `undefined`: the files said so already. */
export async function changeAll(
	configFile: Services['configFile'],
	changes: readonly PlannedChange[],
): Promise<ConfigChange | undefined> {
	const made: ConfigChange[] = [];
	const undo = async () => {
		for (const one of made.toReversed()) await one.undo();
	};
	try {
		for (const its of Map.groupBy(changes, ({ uri }) => uri?.toString()).values()) {
			const plans = its.map(({ plan }) => plan);
			const one = await changeConfig(configFile, (text) => combinedEdits(text, plans), its[0]?.uri);
			if (one) made.push(one);
		}
	} catch (error) {
		await undo();
		throw error;
	}
	const isUnsaved = made.some(({ outcome }) => outcome === 'unsaved');
	if (isUnsaved) sayUnsaved();
	return made.length > 0 ? { outcome: isUnsaved ? 'unsaved' : 'saved', undo } : undefined;
}

/** A file of the configuration. */
type ConfigFile = Services['configFile']['files'][number];

const nameLength = 80;

/**
 * The file that something is done with: the only one that it could be, or the one that the user chooses; `undefined`: none. It may not be
 * there yet. The user's own is among them once it is there, and where no folder is open.
 */
export async function chooseFile(
	{ configFile }: Pick<Services, 'configFile'>,
	question: { readonly command: string; readonly placeHolder: string },
	among: readonly ConfigFile[] = possibleFiles(configFile),
): Promise<ConfigFile | undefined> {
	const [first, second] = among;
	if (!second) return first;
	const items = among.map((file) => ({
		label: labelText(file.label, nameLength),
		description: descriptionOf(file),
		iconPath: new vscode.ThemeIcon(file.place.folder ? 'root-folder' : 'account'),
		file,
	}));
	const { command, placeHolder } = question;
	const options = { title: dialogTitle(command), placeHolder, matchOnDescription: true };
	return (await vscode.window.showQuickPick(items, options))?.file;
}

function possibleFiles({ files }: Services['configFile']): readonly ConfigFile[] {
	const folders = files.filter(({ place }) => place.folder);
	return files.filter((file) => file.place.folder || folders.length === 0 || isThere(file));
}

/** Whether a file is there, whatever is in it. */
export function isThere({ state }: ConfigFile): boolean {
	return state.kind === 'ok' || state.kind === 'broken';
}

function descriptionOf({ place, state }: ConfigFile): string {
	const path = vscode.workspace.asRelativePath(place.uri, false);
	if ('problems' in state && state.problems.length > 0)
		return l10n.t('{0} · {1} faults', path, state.problems.length);
	return state.kind === 'none' ? l10n.t('{0} · not there yet', path) : path;
}
