import { mkdir, writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorCode } from '../../common/errorCode.ts';
import { type ConfigEdits, combinedEdits, undoEdit } from '../../config/file/textEdit.ts';
import type { Services } from '../../services.ts';
import { labelText } from './labelText.ts';
import { dialogTitle, notify } from './messages.ts';
import { applyEdit, type EditedText, readText } from './textFiles.ts';

/** A change of the configuration that was made. */
export interface ConfigChange {
	/** `unsaved`: a file has unsaved changes in an editor, so the change takes effect when the user saves it. */
	readonly outcome: 'saved' | 'unsaved';
	/** Undoes this change alone. Rejects, with nothing changed, if the file has changed at that place since. */
	readonly undo: () => Promise<void>;
}

/** A change of one file; `uri`: absent for the first file. */
export interface PlannedChange {
	readonly uri?: vscode.Uri | undefined;
	readonly plan: (text: string) => ConfigEdits;
}

/** Makes several changes as one: each file in one step, and either all files or none. `undefined`: nothing had to change. */
export async function changeConfig(
	configFile: Services['configFile'],
	changes: readonly PlannedChange[],
): Promise<ConfigChange | undefined> {
	const made: { readonly uri: vscode.Uri | undefined; readonly edited: EditedText }[] = [];
	const undo = async () => {
		let isUnsaved = false;
		for (const { uri, edited } of made.toReversed()) {
			const { outcome } = await configFile.edit((text) => {
				const edits = undoEdit(edited, text);
				if (!edits) throw changedSince();
				return edits;
			}, uri);
			isUnsaved ||= outcome === 'unsaved';
		}
		if (isUnsaved) sayUnsaved();
	};
	try {
		for (const its of Map.groupBy(changes, ({ uri }) => uri?.toString()).values()) {
			const uri = its[0]?.uri ?? ('uri' in configFile.state ? configFile.state.uri : undefined);
			const plans = its.map(({ plan }) => plan);
			const edited = await configFile.edit((text) => combinedEdits(text, plans), uri);
			if (edited.after !== edited.before) made.push({ uri, edited });
		}
	} catch (error) {
		await undo();
		throw error;
	}
	const isUnsaved = made.some(({ edited }) => edited.outcome === 'unsaved');
	if (isUnsaved) sayUnsaved();
	return made.length > 0 ? { outcome: isUnsaved ? 'unsaved' : 'saved', undo } : undefined;
}

function sayUnsaved(): void {
	void notify(l10n.t('the change takes effect when you save the configuration file.'));
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
	// A link in the workspace must not make us create a file elsewhere.
	const known = await readText(uri, { within: configFile.fileAt(uri)?.within });
	const isNew = known === undefined && (await writeNewFile(uri, text));
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
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		return true;
	}
	await mkdir(vscode.Uri.joinPath(uri, '..').fsPath, { recursive: true });
	try {
		await writeFile(uri.fsPath, text, { flag: 'wx' });
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') return false;
		throw error;
	}
}

function changedSince(): Error {
	return new Error(l10n.t('that part of the configuration file has changed since. Edit it manually.'));
}

type ConfigFile = Services['configFile']['files'][number];

/**
 * The only file of `among`, or the one that the user selects; it may not exist yet. By default, the user's own file is among them only if it
 * exists or no folder is open.
 */
export async function chooseFile(
	{ configFile }: Pick<Services, 'configFile'>,
	question: { readonly command: string; readonly placeHolder: string },
	among: readonly ConfigFile[] = possibleFiles(configFile),
): Promise<ConfigFile | undefined> {
	const [first, second] = among;
	if (!second) return first;
	const items = among.map((file) => ({
		label: labelText(file.label),
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

export function isThere({ state }: ConfigFile): boolean {
	return state.kind === 'ok' || state.kind === 'broken';
}

function descriptionOf({ place, state }: ConfigFile): string {
	const path = vscode.workspace.asRelativePath(place.uri, false);
	if ('problems' in state && state.problems.length > 0)
		return l10n.t('{0} · {1} problems', path, state.problems.length);
	return state.kind === 'none' ? l10n.t('{0} · does not exist yet', path) : path;
}
