import { mkdir, writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { applyEdits } from 'jsonc-parser';
import * as vscode from 'vscode';
import { errorCode } from '../../common/errors.ts';
import { inOrder, type Step } from '../../common/steps.ts';
import { combinedEdits } from '../../config/file/edit.ts';
import type { ConfigEdits, EditedText } from '../../config/file/textEdit.ts';
import { changedSince, changeFiles, type FileChange } from '../ui/fileChanges.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify } from '../ui/messages.ts';
import { applyEdit, type CurrentText, readText } from '../ui/textFiles.ts';
import type { Configuration } from './configuration.ts';

/** A change of the configuration that was made. */
export interface ConfigChange {
	/** `unsaved`: a file has unsaved changes in an editor, so the change takes effect when the user saves it. */
	readonly outcome: 'saved' | 'unsaved';
	/** False: only the other steps changed something. */
	readonly changesFiles: boolean;
	/** Undoes this change alone. Rejects, with nothing changed, if a file has changed at that place since. */
	readonly undo: () => Promise<void>;
}

/** A change of one file; `uri`: absent for the first file. */
export interface PlannedChange {
	readonly uri?: vscode.Uri | undefined;
	readonly plan: FileChange['plan'];
}

/** Makes several changes as one: each file in one step, `before` and `after` the others, and all or none. `undefined`: nothing had to change. */
export async function changeConfig(
	configFile: Configuration,
	changes: readonly PlannedChange[],
	{ before = [], after = [] }: { readonly before?: readonly Step[]; readonly after?: readonly Step[] } = {},
): Promise<ConfigChange | undefined> {
	const groups = [...Map.groupBy(changes, ({ uri }) => uri?.toString()).values()];
	const ofFiles = groups.map((group) => ({
		uri: group[0]?.uri ?? firstFile(configFile),
		plan: (text: string) =>
			combinedEdits(
				text,
				group.map(({ plan }) => plan),
			),
	}));
	let written: readonly EditedText[] = [];
	const files = changeFiles(configFile, ofFiles, (texts) => {
		written = texts;
		if (isUnsaved(texts))
			void notify(l10n.t('the change takes effect when you save the configuration file.'));
	});
	const back = await inOrder([...before, files, ...after]).take();
	const changesFiles = written.some((text) => text.before !== text.after);
	if (!changesFiles && before.length + after.length === 0) return undefined;
	return {
		outcome: isUnsaved(written) ? 'unsaved' : 'saved',
		changesFiles,
		undo: async () => void (await back.take()),
	};
}

function isUnsaved(written: readonly EditedText[]): boolean {
	return written.some(({ outcome }) => outcome === 'unsaved');
}

function firstFile({ state }: Configuration): vscode.Uri {
	if ('uri' in state && state.uri) return state.uri;
	throw new Error(l10n.t('There is no configuration file to change. Create one first.'));
}

/** Creates a file of the configuration. Undoing this deletes the file, unless it has changed since. */
export function createConfigFile(configFile: Configuration, uri: vscode.Uri, text: string): Step {
	const creation: Step = {
		check: async () => {
			// A link in the workspace must not make us create a file elsewhere.
			const existing = await readText(uri, { within: configFile.fileAt(uri)?.within });
			if (existing !== undefined) throw existsAlready(uri);
		},
		take: async () => {
			await creation.check?.();
			await writeNewFile(uri, text);
			await configFile.reload();
			return deletion;
		},
	};
	const deletion: Step = {
		check: async () => {
			if ((await configFile.current(uri))?.text !== text) throw changedSince();
		},
		take: async () => {
			await deletion.check?.();
			const edit = new vscode.WorkspaceEdit();
			edit.deleteFile(uri, { ignoreIfNotExists: true });
			await applyEdit(edit, uri);
			await configFile.reload();
			return creation;
		},
	};
	return creation;
}

async function writeNewFile(uri: vscode.Uri, text: string): Promise<void> {
	if (uri.scheme !== 'file') return vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	await mkdir(vscode.Uri.joinPath(uri, '..').fsPath, { recursive: true });
	await writeFile(uri.fsPath, text, { flag: 'wx' }).catch((error: unknown) => {
		throw errorCode(error) === 'EEXIST' ? existsAlready(uri) : error;
	});
}

function existsAlready({ fsPath }: vscode.Uri): Error {
	return new Error(l10n.t('{0} has just been created elsewhere. Try again.', fsPath));
}

/** Changes one file, or creates it. `firstSteps` are undone if the file cannot be written. */
export function addToConfig(
	configFile: Configuration,
	{ uri, text }: Pick<CurrentText, 'uri' | 'text'>,
	plan: (text: string | undefined) => ConfigEdits,
	firstSteps: readonly Step[],
): Promise<ConfigChange | undefined> {
	const edits = text === undefined ? plan(undefined) : undefined;
	const creation = edits && createConfigFile(configFile, uri, applyEdits('', [...edits]));
	return changeConfig(configFile, creation ? [] : [{ uri, plan }], {
		before: creation ? [...firstSteps, creation] : firstSteps,
	});
}

type ConfigFile = Configuration['files'][number];

/**
 * The only file of `among`, or the file that the user selects; it may not exist yet. By default, the user's own file is among them only if it
 * exists or no folder is open.
 */
export async function chooseFile(
	{ configFile }: { readonly configFile: Configuration },
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

function possibleFiles({ files }: Configuration): readonly ConfigFile[] {
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
