import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import * as vscode from 'vscode';
import { configTemplate, userConfigTemplate } from '../../config/assist/templates.ts';
import { serverSections } from '../../config/config.ts';
import { ConfigText } from '../../config/file/configText.ts';
import { spanOf } from '../../config/file/jsonPath.ts';
import type { ActionNode } from '../actions/action.ts';
import { chooseFile, createConfigFile, isThere } from '../core/configChange.ts';
import type { ConfigFile } from '../core/configFile.ts';
import type { Configuration } from '../core/configuration.ts';
import type { UndoableChange } from '../core/undo.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import { problemCursor } from '../ui/readingEditor.ts';

type ConfigFiles = { readonly configFile: Configuration };

const pathLength = 300;

/**
 * Opens a configuration file: at the entry of a server or client, otherwise at its first problem. Without a node, opens the only file with
 * problems, or else lets the user select a file. Creates a file that does not exist: a folder's with an example server, the user's own without.
 */
export async function openConfig(
	services: ConfigFiles,
	node: ActionNode | undefined,
): Promise<UndoableChange | undefined> {
	const { configFile } = services;
	if (node?.kind === 'server') return showServer(configFile, node.status.name);
	if (node?.kind === 'faulty') return showServer(configFile, node.name);
	const { files, userFile } = configFile;
	const faulty = files.filter(({ state }) => 'problems' in state && state.problems.length > 0);
	const placeHolder = l10n.t('Select a file to open');
	const file =
		(node?.kind === 'origin' && configFile.fileAt(node.uri)) ||
		(await chooseFile(
			services,
			{ command: commands.openConfig, placeHolder },
			faulty.length === 1 ? faulty : files.some(isThere) ? files : undefined,
		));
	if (!file) return undefined;
	const template = file === userFile ? userConfigTemplate : configTemplate;
	const created = isThere(file) ? undefined : await createByCommand(file, template, services);
	if (node?.kind === 'origin' && node.client !== undefined)
		await showEntry(file.place.uri, ['clients'], node.client);
	else await show(file);
	return created;
}

async function showServer(configFile: Configuration, server: string): Promise<undefined> {
	const entry = configFile.server(server);
	if (!entry) throw new Error(l10n.t('{0} is no longer in any configuration file.', server));
	await showEntry(entry.file.place.uri, serverSections, entry.key);
}

/** Opens a file at the entry in the first of these sections that has it. */
async function showEntry(uri: vscode.Uri, sections: readonly string[], name: string): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	const root = ConfigText.of(document.getText()).root;
	const section = sections.find((candidate) => root && findNodeAtLocation(root, [candidate, name]));
	const at = document.positionAt(root && section ? spanOf(root, [section, name], 'key').offset : 0);
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

async function show({ place, state }: ConfigFile): Promise<void> {
	const first = 'problems' in state ? state.problems[0] : undefined;
	await vscode.window.showTextDocument(place.uri, first ? { selection: problemCursor(first) } : {});
}

/** Creates a file, unless it exists already, and says where. */
async function createByCommand(
	{ place: { uri, folder } }: ConfigFile,
	text: string,
	{ configFile }: ConfigFiles,
): Promise<UndoableChange | undefined> {
	// Another window may have created it.
	if ((await configFile.current(uri))?.text !== undefined) {
		await configFile.reload();
		return undefined;
	}
	const back = await createConfigFile(configFile, uri, text).take();
	const path = labelText(vscode.workspace.asRelativePath(uri), pathLength);
	say(
		folder
			? l10n.t('created {0}.', path)
			: l10n.t('created {0}, your user configuration for all workspaces.', path),
	);
	return { label: l10n.t('create {0}', path), undo: async () => void (await back.take()) };
}
