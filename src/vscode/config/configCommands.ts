import { mkdir, writeFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { configTemplate, userConfigTemplate } from '../../config/assist/templates.ts';
import {
	hasServer,
	type MovedServer,
	movedServer,
	serverOffset,
	startingIn,
	startsByDefault,
	withoutServer,
	withServer,
} from '../../config/file/moveServer.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import { isMovedLaunch } from '../../mcp/accepted/movedLaunch.ts';
import type { Services } from '../../services.ts';
import { changeAll, changedSince, chooseFile, isThere } from '../ui/configChange.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import type { ServerNode } from '../ui/nodes.ts';
import { problemCursor } from '../ui/readingEditor.ts';
import { applyEdit, readText } from '../ui/textFiles.ts';
import type { ConfigFile } from './configFile.ts';

type ConfigFiles = Pick<Services, 'configFile'>;
type CreateServices = Pick<Services, 'configFile' | 'undo'>;

const nameLength = 80;
const pathLength = 300;

/** Opens a file of the configuration, for the row of a server at its entry, else at its first fault: that of the row that it is called on, else the one that has faults, else one of the user's choice. */
export async function openConfig({ configFile }: ConfigFiles, row: unknown): Promise<void> {
	if (isServerRow(row)) return showServer(configFile, row.status.name);
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

function isServerRow(row: unknown): row is Pick<ServerNode, 'status'> {
	return typeof row === 'object' && row !== null && 'kind' in row && row.kind === 'server';
}

/** Opens the file that a server stands in, at its entry. */
async function showServer(configFile: Services['configFile'], server: string): Promise<void> {
	const place = configFile.placeOf(server);
	if (!place) throw new Error(l10n.t('no configuration file has {0} any more.', server));
	const document = await vscode.workspace.openTextDocument(place.uri);
	const at = document.positionAt(serverOffset(document.getText(), place.name) ?? 0);
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
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
export async function createConfig(services: CreateServices): Promise<void> {
	const { configFile } = services;
	const folders = configFile.files.filter(({ place }) => place.folder);
	if (folders.length === 0) return openUserConfig(services);
	const placeHolder = l10n.t('Choose the folder that gets a configuration');
	const missing = folders.filter((file) => !isThere(file));
	const among = missing.length > 0 ? missing : folders;
	const file = await chooseFile({ configFile }, { command: commands.createConfig, placeHolder }, among);
	if (!file) return;
	await createByCommand(file, configTemplate, services);
	await vscode.window.showTextDocument(file.place.uri);
}

/** Opens the user's own configuration; where there is none, one is written, of which nothing is in force yet. */
export async function openUserConfig(services: CreateServices): Promise<void> {
	const { userFile } = services.configFile;
	if (!userFile) return;
	await createByCommand(userFile, userConfigTemplate, services);
	await show(userFile);
}

/** Writes a file unless it is there, as a step that can be undone, and says which one it is. */
async function createByCommand(
	file: ConfigFile,
	text: string,
	{ configFile, undo }: CreateServices,
): Promise<void> {
	const isNew = await create(file, text);
	await configFile.reload();
	if (!isNew) return;
	const path = labelText(vscode.workspace.asRelativePath(file.place.uri), pathLength);
	undo.push({
		what: l10n.t('create {0}', path),
		holds: () => true,
		undo: async () => {
			if (!(await deleteIfStill(file, text))) throw changedSince();
			await configFile.reload();
		},
	});
	say(
		file.place.folder
			? l10n.t('created {0}.', path)
			: l10n.t('created {0}, your own configuration for all workspaces.', path),
	);
}

/** Writes a file, unless it is there; resolves to whether it was written. */
async function create({ place: { uri } }: ConfigFile, text: string): Promise<boolean> {
	if (uri.scheme !== 'file') {
		const isMissing = await vscode.workspace.fs.stat(uri).then(
			() => false,
			() => true,
		);
		if (isMissing) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		return isMissing;
	}
	await mkdir(vscode.Uri.joinPath(uri, '..').fsPath, { recursive: true });
	try {
		// Another window may be about to write it, too.
		await writeFile(uri.fsPath, text, { flag: 'wx' });
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

/** Deletes a file that still is as it was created; resolves to whether it was. */
async function deleteIfStill({ place: { uri } }: ConfigFile, text: string): Promise<boolean> {
	const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
	if ((open?.isDirty ? open.getText() : await readText(uri)) !== text) return false;
	const deletion = new vscode.WorkspaceEdit();
	deletion.deleteFile(uri, { ignoreIfNotExists: true });
	await applyEdit(deletion, uri);
	return true;
}

type MoveServices = Pick<Services, 'configFile' | 'undo' | 'secrets' | 'approvals' | 'approvalPrompt'>;

/** A server on its way into another file. */
interface Move {
	/** What it is called in the whole. */
	readonly server: string;
	readonly from: ConfigFile;
	/** Its name in the file that it is in, for the removal. */
	readonly name: string;
	readonly moved: MovedServer;
}

/**
 * Moves servers from the files that they are in into the user's own, or into that of a folder: one step, which can be undone. What the user
 * has approved stays approved, where it is started as before.
 */
export async function moveServers(
	services: MoveServices,
	servers: readonly string[],
	to: 'user' | 'workspace',
): Promise<void> {
	const { configFile, undo, approvals, approvalPrompt } = services;
	const isTarget = ({ place }: ConfigFile) => (place.folder === undefined) === (to === 'user');
	const moves = await Promise.all(servers.map((server) => moveOf(server, configFile)));
	const targets = configFile.files.filter(
		(file) => isTarget(file) && moves.every(({ from }) => from !== file),
	);
	if (targets.length === 0) throw new Error(l10n.t('there is no other file that it could be moved to.'));
	const command = to === 'user' ? commands.moveToUser : commands.moveToWorkspace;
	const what = servers.length === 1 ? labelText(moves[0]?.name ?? '', nameLength) : serverCount(moves.length);
	const placeHolder = l10n.t('Choose the folder whose configuration gets {0}', what);
	const target = await chooseFile(services, { command, placeHolder }, targets);
	if (!target) return;
	await checkFree(configFile, target, moves);
	const approved = moves.flatMap((move) => {
		const before = approvedOf(move.server, services);
		return before ? [{ move, before }] : [];
	});
	const isNew = await create(target, emptyConfigText);
	const reads = moves.flatMap(({ from, moved }) => moved.reads.map((name) => ({ from, name })));
	const forget = await copySecrets(services, target, reads);
	const names = moves.flatMap(({ server, name }) => [server, name]);
	const told = approvalPrompt.expect(names);
	try {
		const made = await changeAll(configFile, [
			...moves.map(({ moved }) => ({
				uri: target.place.uri,
				plan: (now: string) => withServer(now, moved),
			})),
			...moves.map(({ from, name }) => ({
				uri: from.place.uri,
				plan: (now: string) => withoutServer(now, name),
			})),
		]).catch(async (error: unknown) => {
			await forget();
			throw error;
		});
		const withdrawals = await Promise.all(
			approved.map(({ move, before }) => carryApproval(before, move, target, services)),
		);
		const file = labelText(target.label, nameLength);
		undo.push({
			what: l10n.t('move {0} to {1}', what, file),
			holds: () => true,
			undo: async () => {
				const toldBack = approvalPrompt.expect(names);
				try {
					for (const withdraw of withdrawals) await withdraw();
					await made?.undo();
					if (isNew) await deleteIfStill(target, emptyConfigText);
					await forget();
					for (const { before } of approved)
						await approvals.approve(new Map([[before.server, before.launch]]), before.trustsHints);
				} finally {
					toldBack.dispose();
				}
			},
		});
		say(
			moves.length === 1
				? l10n.t('{0} is now in {1}.', what, file)
				: l10n.t('{0} are now in {1}.', what, file),
		);
	} finally {
		told.dispose();
	}
}

async function moveOf(server: string, configFile: Services['configFile']): Promise<Move> {
	const place = configFile.placeOf(server);
	const from = place && configFile.fileAt(place.uri);
	if (!place || !from)
		throw new Error(l10n.t('“{0}” is in no file of the configuration.', labelText(server, nameLength)));
	const written = movedServer((await configFile.current(place.uri))?.text ?? '', place.name);
	if (!written) throw new Error(l10n.t('{0} cannot be changed: fix its faults first.', place.uri.fsPath));
	const moved = startingIn(written, from.place.folder ? 'workspace' : 'home');
	return { server, from, name: place.name, moved };
}

/** A server that was approved as it was before it was moved. */
interface Approved {
	readonly server: string;
	readonly launch: ServerLaunch;
	readonly trustsHints: boolean;
}

function approvedOf(server: string, { configFile, approvals }: MoveServices): Approved | undefined {
	const launch = configFile.launchOf(server);
	if (!launch || !approvals.isApproved(server, launch)) return undefined;
	return { server, launch, trustsHints: approvals.trustsHints(server) };
}

/** What was approved in one file is approved in the other, if it is started as before. Resolves to what takes that back. */
async function carryApproval(
	before: Approved,
	{ name, moved }: Move,
	target: ConfigFile,
	{ configFile, approvals }: MoveServices,
): Promise<() => Promise<void>> {
	const called = configFile.nameOf(target.place.uri, name);
	const after = called === undefined ? undefined : configFile.launchOf(called);
	if (called === undefined || !after || !isMovedLaunch(before.launch, after, startsByDefault(moved)))
		return async () => {};
	await approvals.approve(new Map([[called, after]]), before.trustsHints);
	return () => approvals.withdraw(called);
}

/** What a file is before anything is written into it. */
const emptyConfigText = '{\n\t"servers": {\n\t},\n}\n';

/** Throws where two servers would have one name in the file: of two, one would be lost. */
async function checkFree(
	configFile: Services['configFile'],
	{ place, label }: ConfigFile,
	moves: readonly Move[],
): Promise<void> {
	const text = (await configFile.current(place.uri))?.text ?? '';
	const twice = moves.find(({ name }, index) => moves.findIndex((one) => one.name === name) !== index);
	const taken = moves.find(({ name }) => hasServer(text, name)) ?? twice;
	if (!taken) return;
	throw new Error(
		taken === twice
			? l10n.t(
					'two of these servers are called “{0}”. Rename one of them first.',
					labelText(taken.name, nameLength),
				)
			: l10n.t(
					'{0} has a server “{1}” already. Rename or remove one of the two first.',
					labelText(label, nameLength),
					labelText(taken.name, nameLength),
				),
	);
}

/** Stores the secrets that servers read for the other file, too: each file has its own. Resolves to what takes that back. */
async function copySecrets(
	{ secrets }: Pick<Services, 'secrets'>,
	to: ConfigFile,
	reads: readonly { readonly from: ConfigFile; readonly name: string }[],
): Promise<() => Promise<void>> {
	const there = await secrets.values(to.folder);
	const copied = new Map<string, string>();
	for (const { from, name } of reads) {
		const here = await secrets.values(from.folder);
		const value = Object.hasOwn(here, name) ? here[name] : undefined;
		if (value !== undefined && !Object.hasOwn(there, name)) copied.set(name, value);
	}
	if (copied.size === 0) return async () => {};
	await secrets.store(
		to.folder,
		[...copied].map(([name, value]) => ({ name, value })),
	);
	return () => secrets.remove(to.folder, [...copied.keys()]);
}
