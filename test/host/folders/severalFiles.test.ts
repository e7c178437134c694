import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { pinServer } from '../../../src/config/file/edit.ts';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { answerReviews, pick, restoreDialogs } from '../suite/dialogs.ts';
import { eventually, followed, invokeTool, textOf, write } from '../suite/workspace.ts';

/** The configuration file of a folder. */
function fileOf(name: string): vscode.Uri {
	const folder = vscode.workspace.workspaceFolders?.find((one) => one.name === name);
	assert.ok(folder, name);
	return vscode.Uri.joinPath(folder.uri, 'casual_mcp_config.json');
}

/** Names of the servers whose tools can be found. */
async function servers(): Promise<readonly string[]> {
	const { tools } = JSON.parse(await invokeTool(ids.listTools, {}));
	const names = tools.map(({ tool }: { tool: string }) => tool.slice(0, tool.indexOf(':')));
	return [...new Set<string>(names)].toSorted();
}

/** Waits until these servers, and no others, can be found. */
async function serversAre(...expected: readonly string[]): Promise<void> {
	let last: readonly string[] = [];
	await eventually(`the servers ${expected.join()}, not ${last.join()}`, async () => {
		last = await servers();
		return last.join() === expected.toSorted().join() || undefined;
	}).catch((error: unknown) => assert.fail(`${error}; there are ${last.join()}`));
}

function faultsAt(uri: vscode.Uri): readonly string[] {
	const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === ids.diagnostics);
	return ours.map(({ message }) => message);
}

/** Runs a command on the row of a server. */
function on(command: string, name: string): Thenable<unknown> {
	return vscode.commands.executeCommand(command, { kind: 'server', status: { name } });
}

/** A server of the sample's packages. */
function memory(): string {
	const files = JSON.parse(filesEntry).args[0] as string;
	const program = path.join(files, '../../../server-memory/dist/index.js');
	return JSON.stringify({ command: 'node', args: [path.normalize(program)], defer_loading: true });
}

let filesEntry = '';

describe('given two folders and the user, each with a configuration file', () => {
	let app: string;
	let web: string;
	let users: vscode.Uri;

	before(async () => {
		app = await textOf(fileOf('app'));
		web = await textOf(fileOf('web'));
		filesEntry = JSON.stringify(JSON.parse(app).servers.files);
		pick('User Configuration');
		await vscode.commands.executeCommand(commands.openConfig);
		const document = vscode.window.activeTextEditor?.document;
		assert.ok(document);
		users = document.uri;
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	afterEach(async () => {
		restoreDialogs();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(async () => {
		await write(fileOf('app'), app);
		await write(fileOf('web'), web);
		await vscode.workspace.fs.delete(users);
	});

	const withServers = (entries: string) => `{ "servers": { ${entries} } }`;

	test('then servers with the same name both run, each in its folder, and the first folder’s discovery applies', async () => {
		await serversAre('files (app)', 'files (web)');
		for (const folder of ['app', 'web']) {
			const input = { tool: `files (${folder}):list_allowed_directories`, arguments: {} };
			const answered = await invokeTool(ids.callTool, input);
			assert.ok(answered.includes(vscode.Uri.joinPath(fileOf(folder), '..').fsPath), answered);
		}
	});

	test('then opening the user’s file creates it without active entries', async () => {
		assert.match(await textOf(users), /"servers"/);
		assert.equal(path.basename(users.fsPath), 'casual_mcp_config.json');
		assert.ok(!vscode.workspace.getWorkspaceFolder(users));
		await serversAre('files (app)', 'files (web)');
	});

	test('when the user’s file has servers, then a folder’s server overrides the one with the same name', async () => {
		await write(
			users,
			withServers(`"memory": ${memory()}, "files": { "command": "touch", "args": ["started"] }`),
		);
		await serversAre('files (app)', 'files (web)', 'memory');
		assert.ok(!existsSync(vscode.Uri.joinPath(users, '../started').fsPath));
	});

	test('when a client of one of them is opened, then its file shows its entry, without a picker', async () => {
		const clients = '"clients": {\n"mine": { "provider": "ollama" },\n"here": { "provider": "ollama" } },';
		await write(fileOf('web'), web.replace('{', `{ ${clients}`));
		await vscode.commands.executeCommand(commands.openConfig, {
			kind: 'origin',
			uri: fileOf('web'),
			client: 'here',
		});
		const editor = vscode.window.activeTextEditor;
		assert.equal(editor?.document.uri.toString(), fileOf('web').toString());
		assert.ok(editor?.selection.isEmpty);
		assert.match(editor.document.lineAt(editor.selection.active.line).text, /^"here"/);
		await write(fileOf('web'), web);
	});

	test('when the user’s file or a folder’s breaks, then only that file shows a problem and the servers stay', async () => {
		for (const [uri, text] of [
			[users, await textOf(users)],
			[fileOf('app'), app],
		] as const) {
			await write(uri, text.slice(0, text.length / 2));
			await eventually('the fault', () => faultsAt(uri).length > 0 || undefined);
			for (const other of [users, fileOf('app'), fileOf('web')])
				if (other !== uri && other.toString() !== uri.toString()) assert.deepEqual(faultsAt(other), []);
			await serversAre('files (app)', 'files (web)', 'memory');
			await write(uri, text);
			await eventually('the fault to go', () => faultsAt(uri).length === 0 || undefined);
		}
	});

	test('when a server is pinned, then its own file is edited, under the name used there', async () => {
		await on(commands.pinServer, 'files (web)');
		assert.match(await textOf(fileOf('web')), /"pinned": true/);
		assert.equal(await textOf(fileOf('app')), app);
		await vscode.commands.executeCommand(commands.undo);
		assert.equal(await textOf(fileOf('web')), web);
	});

	test('when each file is opened, then its code lenses show its own servers', async () => {
		await write(users, withServers(`"memory": ${memory()}, "files": { "command": "touch" }`));
		const lenses = async (uri: vscode.Uri) => {
			await vscode.window.showTextDocument(uri);
			const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
				'vscode.executeCodeLensProvider',
				uri,
			);
			return found.map(({ command }) => command?.title ?? '');
		};
		for (const folder of ['app', 'web'])
			await eventually(
				`those of ${folder}`,
				async () => (await lenses(fileOf(folder))).some((one) => /1\d tools/.test(one)) || undefined,
			);
		await eventually('those of the user', async () => {
			const found = await lenses(users);
			return (
				(found.some((one) => /9 tools/.test(one)) && found.some((one) => /Overridden by app/.test(one))) ||
				undefined
			);
		});
	});

	test('when two windows edit one file at the same time, then no edit is lost', async () => {
		const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
		await write(users, withServers(names.map((name) => `"${name}": { "command": "touch" }`).join()));
		answerReviews('ignore');
		const folder = vscode.Uri.joinPath(users, '..');
		const windows = [followed(folder), followed(folder)];
		try {
			await Promise.all(windows.map((one) => one.reload()));
			await Promise.all(
				names.map((name, index) => windows[index % 2]?.edit((text) => pinServer(text, name), users)),
			);
			const { servers: written } = JSON.parse(await textOf(users));
			assert.deepEqual(
				names.filter((name) => written[name].pinned !== true),
				[],
			);
		} finally {
			for (const one of windows) one.dispose();
			answerReviews('approve');
		}
	});
});
