import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { configTemplate, userConfigTemplate } from '../../config/assist/templates.ts';
import { rootOf } from '../../config/file/document.ts';
import { spanOf } from '../../config/file/jsonPath.ts';
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
import { isMovedLaunch } from '../../mcp/accepted/launchFacts.ts';
import type { Services } from '../../services.ts';
import type { ActionNode } from '../actions/action.ts';
import type { UndoableChange } from '../placement/undo.ts';
import { changeConfig, chooseFile, createConfigFile, isThere } from '../ui/configChange.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import { problemCursor } from '../ui/readingEditor.ts';
import type { ConfigFile } from './configFile.ts';

type ConfigFiles = Pick<Services, 'configFile'>;

const pathLength = 300;

/**
 * Opens a configuration file: at the entry of a server or client, otherwise at its first problem. Without a node, opens the only file with
 * problems, or else lets the user select a file. Creates the user's own file if it does not exist.
 */
export async function openConfig(
	services: ConfigFiles,
	node: ActionNode | undefined,
): Promise<UndoableChange | undefined> {
	const { configFile } = services;
	if (node?.kind === 'server') return showServer(configFile, node.status.name);
	const { files, userFile } = configFile;
	const faulty = files.filter(({ state }) => 'problems' in state && state.problems.length > 0);
	const offered = files.filter((file) => isThere(file) || file === userFile);
	const placeHolder = l10n.t('Select a file to open');
	const file =
		(node?.kind === 'origin' && configFile.fileAt(node.uri)) ||
		(await chooseFile(
			services,
			{ command: commands.openConfig, placeHolder },
			faulty.length === 1 ? faulty : offered,
		));
	if (!file) return undefined;
	const created = isThere(file) ? undefined : await createByCommand(file, userConfigTemplate, services);
	if (node?.kind === 'origin' && node.client !== undefined) await showClient(file.place.uri, node.client);
	else await show(file);
	return created;
}

async function showServer(configFile: Services['configFile'], server: string): Promise<undefined> {
	const place = configFile.placeOf(server);
	if (!place) throw new Error(l10n.t('{0} is no longer in any configuration file.', server));
	await showAt(place.uri, (text) => serverOffset(text, place.name) ?? 0);
}

async function showClient(uri: vscode.Uri, client: string): Promise<void> {
	await showAt(uri, (text) => {
		const root = rootOf(text);
		return root ? spanOf(root, ['clients', client], 'key').offset : 0;
	});
}

async function showAt(uri: vscode.Uri, offsetIn: (text: string) => number): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	const at = document.positionAt(offsetIn(document.getText()));
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

async function show({ place, state }: ConfigFile): Promise<void> {
	const first = 'problems' in state ? state.problems[0] : undefined;
	await vscode.window.showTextDocument(place.uri, first ? { selection: problemCursor(first) } : {});
}

/** Creates a configuration with an example server and opens it; opens an existing one. Without a folder, this is the user's own file. */
export async function createConfig(services: ConfigFiles): Promise<UndoableChange | undefined> {
	const { files, userFile } = services.configFile;
	const folders = files.filter(({ place }) => place.folder);
	const missing = folders.filter((file) => !isThere(file));
	const placeHolder = l10n.t('Select a folder for the configuration');
	const file =
		folders.length === 0
			? userFile
			: await chooseFile(
					services,
					{ command: commands.createConfig, placeHolder },
					missing.length > 0 ? missing : folders,
				);
	if (!file) return undefined;
	const text = file === userFile ? userConfigTemplate : configTemplate;
	const created = await createByCommand(file, text, services);
	await show(file);
	return created;
}

/** Creates a file, unless it exists already, and says where. */
async function createByCommand(
	{ place: { uri, folder } }: ConfigFile,
	text: string,
	{ configFile }: ConfigFiles,
): Promise<UndoableChange | undefined> {
	const created = await createConfigFile(configFile, uri, text);
	if (!created) return undefined;
	const path = labelText(vscode.workspace.asRelativePath(uri), pathLength);
	say(
		folder
			? l10n.t('created {0}.', path)
			: l10n.t('created {0}, your user configuration for all workspaces.', path),
	);
	return { what: l10n.t('create {0}', path), undo: created.undo };
}

type MoveServices = Pick<Services, 'configFile' | 'keyring' | 'trust'>;

interface Move {
	/** Its name in the merged configuration. */
	readonly server: string;
	readonly from: ConfigFile;
	/** Its name in `from`. */
	readonly name: string;
	readonly moved: MovedServer;
}

/** Moves servers into another file that the user selects, as one change. Approved servers stay approved if they start as before. */
export async function moveServers(
	services: MoveServices,
	servers: readonly string[],
): Promise<UndoableChange | undefined> {
	const {
		configFile,
		trust: { approvals, approvalPrompt },
	} = services;
	const moves = await Promise.all(servers.map((server) => moveOf(server, configFile)));
	const targets = configFile.files.filter((file) => moves.every(({ from }) => from !== file));
	if (targets.length === 0) throw new Error(l10n.t('there is no other configuration file.'));
	const what = servers.length === 1 ? labelText(moves[0]?.name ?? '') : serverCount(moves.length);
	const placeHolder = l10n.t('Select the configuration to move {0} to', what);
	const target = await chooseFile(services, { command: commands.moveServer, placeHolder }, targets);
	if (!target) return undefined;
	await checkFree(configFile, target, moves);
	const approved = moves.flatMap((move) => {
		const before = approvedOf(move.server, services);
		return before ? [{ move, before }] : [];
	});
	const created = await createConfigFile(configFile, target.place.uri, emptyConfigText);
	const reads = moves.flatMap(({ from, moved }) => moved.reads.map((name) => ({ from, name })));
	const forget = await copySecrets(services, target, reads);
	const names = moves.flatMap(({ server, name }) => [server, name]);
	using _expected = approvalPrompt.expect(names);
	const made = await changeConfig(configFile, [
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
	const file = labelText(target.label);
	say(
		moves.length === 1 ? l10n.t('{0} is now in {1}.', what, file) : l10n.t('{0} are now in {1}.', what, file),
	);
	return {
		what: l10n.t('move {0} to {1}', what, file),
		undo: async () => {
			using _expected = approvalPrompt.expect(names);
			for (const withdraw of withdrawals) await withdraw();
			await made?.undo();
			// The file stays if the user has written something else into it.
			await created?.undo().catch(() => {});
			await forget();
			for (const { before } of approved)
				await approvals.approve(new Map([[before.server, before.launch]]), before.trustsHints);
		},
	};
}

async function moveOf(server: string, configFile: Services['configFile']): Promise<Move> {
	const place = configFile.placeOf(server);
	const from = place && configFile.fileAt(place.uri);
	if (!place || !from) throw new Error(l10n.t('“{0}” is in no configuration file.', labelText(server)));
	const written = movedServer((await configFile.current(place.uri))?.text ?? '', place.name);
	if (!written) throw new Error(l10n.t('{0} cannot be changed: fix its errors first.', place.uri.fsPath));
	const moved = startingIn(written, from.place.folder ? 'workspace' : 'home');
	return { server, from, name: place.name, moved };
}

interface Approved {
	readonly server: string;
	readonly launch: ServerLaunch;
	readonly trustsHints: boolean;
}

function approvedOf(
	server: string,
	{ configFile, trust: { approvals } }: MoveServices,
): Approved | undefined {
	const launch = configFile.launchOf(server);
	if (!launch || !approvals.isApproved(server, launch)) return undefined;
	return { server, launch, trustsHints: approvals.trustsHints(server) };
}

/** Approves a moved server if it starts as before. Resolves to the undo. */
async function carryApproval(
	before: Approved,
	{ name, moved }: Move,
	target: ConfigFile,
	{ configFile, trust: { approvals } }: MoveServices,
): Promise<() => Promise<void>> {
	const called = configFile.nameOf(target.place.uri, name);
	const after = called === undefined ? undefined : configFile.launchOf(called);
	if (called === undefined || !after || !isMovedLaunch(before.launch, after, startsByDefault(moved)))
		return async () => {};
	await approvals.approve(new Map([[called, after]]), before.trustsHints);
	return () => approvals.revoke(called);
}

const emptyConfigText = '{\n\t"servers": {\n\t},\n}\n';

/** Throws if two servers would have the same name in the file: one would be lost. */
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
			? l10n.t('two of these servers are named “{0}”. Rename one first.', labelText(taken.name))
			: l10n.t(
					'{0} already has a server “{1}”. Rename or remove one of them first.',
					labelText(label),
					labelText(taken.name),
				),
	);
}

/** Copies the secrets that servers read: each file has its own. Resolves to the undo. */
async function copySecrets(
	{ keyring: { secrets } }: Pick<Services, 'keyring'>,
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
