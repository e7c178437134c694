import { mkdir, writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { configTemplate, userConfigTemplate } from '../../config/assist/templates.ts';
import {
	hasServer,
	type MovedServer,
	movedServer,
	startingIn,
	withoutServer,
	withServer,
} from '../../config/file/moveServer.ts';
import type { Services } from '../../services.ts';
import { changeAll, chooseFile, isThere } from '../ui/configChange.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import { problemCursor } from '../ui/readingEditor.ts';
import type { ConfigFile } from './configFile.ts';

type ConfigFiles = Pick<Services, 'configFile'>;

const nameLength = 80;

/** Opens a file of the configuration at its first fault: that of the row that it is called on, else the one that has faults, else one of the user's choice. */
export async function openConfig({ configFile }: ConfigFiles, row: unknown): Promise<void> {
	const there = configFile.files.filter(isThere);
	if (there.length === 0) {
		throw new Error(
			l10n.t('there is no configuration file yet. Create one with “Discovery: Create Configuration”.'),
		);
	}
	const faulty = there.filter(({ state }) => 'problems' in state && state.problems.length > 0);
	const placeHolder = l10n.t('Choose a file to open');
	const file =
		originOf(configFile, row) ??
		(await chooseFile(
			{ configFile },
			{ command: commands.openConfig, placeHolder },
			faulty.length === 1 ? faulty : there,
		));
	if (file) await show(file);
}

/** The file of a row of the Servers view. */
function originOf(configFile: Services['configFile'], row: unknown): ConfigFile | undefined {
	const isRow =
		typeof row === 'object' && row !== null && 'kind' in row && row.kind === 'origin' && 'uri' in row;
	return isRow && row.uri instanceof vscode.Uri ? configFile.fileAt(row.uri) : undefined;
}

async function show({ place, state }: ConfigFile): Promise<void> {
	const first = 'problems' in state ? state.problems[0] : undefined;
	await vscode.window.showTextDocument(place.uri, first ? { selection: problemCursor(first) } : {});
}

/** Writes a configuration with one server that runs, and opens it; opens the one that is there. Without a folder, that is the user's own. */
export async function createConfig({ configFile }: ConfigFiles): Promise<void> {
	const folders = configFile.files.filter(({ place }) => place.folder);
	if (folders.length === 0) return openUserConfig({ configFile });
	const placeHolder = l10n.t('Choose the folder that gets a configuration');
	const missing = folders.filter((file) => !isThere(file));
	const among = missing.length > 0 ? missing : folders;
	const file = await chooseFile({ configFile }, { command: commands.createConfig, placeHolder }, among);
	if (!file) return;
	await create(file, configTemplate);
	await vscode.window.showTextDocument(file.place.uri);
	await configFile.reload();
}

/** Opens the user's own configuration; where there is none, one is written, of which nothing is in force yet. */
export async function openUserConfig({ configFile }: ConfigFiles): Promise<void> {
	const { userFile } = configFile;
	if (!userFile) return;
	await create(userFile, userConfigTemplate);
	await configFile.reload();
	await show(userFile);
}

/** Writes a file, unless it is there. */
async function create({ place: { uri } }: ConfigFile, text: string): Promise<void> {
	if (uri.scheme !== 'file') {
		const isMissing = await vscode.workspace.fs.stat(uri).then(
			() => false,
			() => true,
		);
		if (isMissing) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		return;
	}
	await mkdir(vscode.Uri.joinPath(uri, '..').fsPath, { recursive: true });
	// Another window may be about to write it, too.
	await writeFile(uri.fsPath, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EEXIST') throw error;
	});
}

/** Moves a server from the file that it stands in into the user's own, or into that of a folder: one step, which can be undone. */
export async function moveServer(
	services: Pick<Services, 'configFile' | 'undo' | 'secrets'>,
	server: string,
	to: 'user' | 'workspace',
): Promise<void> {
	const { configFile, undo } = services;
	const place = configFile.placeOf(server);
	const from = place && configFile.fileAt(place.uri);
	if (!place || !from)
		throw new Error(l10n.t('“{0}” is in no file of the configuration.', labelText(server, nameLength)));
	const command = to === 'user' ? commands.moveToUser : commands.moveToWorkspace;
	const targets = configFile.files.filter(
		(file) => file !== from && (file.place.folder === undefined) === (to === 'user'),
	);
	if (targets.length === 0) throw new Error(l10n.t('there is no other file that it could be moved to.'));
	const placeHolder = l10n.t('Choose the folder whose configuration gets the server');
	const target = await chooseFile(services, { command, placeHolder }, targets);
	if (!target) return;
	const text = (await configFile.current(place.uri))?.text ?? '';
	const written = movedServer(text, place.name);
	if (!written) throw new Error(l10n.t('{0} cannot be changed: mend its faults first.', place.uri.fsPath));
	const moved = startingIn(written, from.place.folder ? 'workspace' : 'home');
	await create(target, emptyConfigText);
	await checkFree(configFile, target, moved);
	const forget = await copySecrets(services, from, target, moved);
	const takeBack = await changeAll(configFile, [
		{ uri: target.place.uri, plan: (now) => withServer(now, moved) },
		{ uri: from.place.uri, plan: (now) => withoutServer(now, moved.name) },
	]).catch(async (error: unknown) => {
		await forget();
		throw error;
	});
	const name = labelText(place.name, nameLength);
	const file = labelText(target.label, nameLength);
	undo.push({
		what: l10n.t('move {0} to {1}', name, file),
		holds: () => true,
		undo: async () => {
			await takeBack?.();
			await forget();
		},
	});
	say(l10n.t('{0} stands in {1} now.', name, file));
}

/** What a file is before anything is written into it. */
const emptyConfigText = '{\n\t"servers": {\n\t},\n}\n';

/** Throws where the file has a server of this name: of two, one would be lost. */
async function checkFree(
	configFile: Services['configFile'],
	{ place, label }: ConfigFile,
	{ name }: MovedServer,
): Promise<void> {
	const text = (await configFile.current(place.uri))?.text ?? '';
	if (!hasServer(text, name)) return;
	throw new Error(
		l10n.t(
			'{0} has a server “{1}” already. Rename or remove one of the two first.',
			labelText(label, nameLength),
			labelText(name, nameLength),
		),
	);
}

/** Stores the secrets that a server reads for the other file, too: each file has its own. Resolves to what takes that back. */
async function copySecrets(
	{ secrets }: Pick<Services, 'secrets'>,
	from: ConfigFile,
	to: ConfigFile,
	{ reads }: MovedServer,
): Promise<() => Promise<void>> {
	const [here, there] = await Promise.all([secrets.values(from.folder), secrets.values(to.folder)]);
	const copied = reads.flatMap((name) => {
		const value = Object.hasOwn(here, name) ? here[name] : undefined;
		return value === undefined || Object.hasOwn(there, name) ? [] : [{ name, value }];
	});
	if (copied.length === 0) return async () => {};
	await secrets.store(to.folder, copied);
	return () =>
		secrets.remove(
			to.folder,
			copied.map(({ name }) => name),
		);
}
