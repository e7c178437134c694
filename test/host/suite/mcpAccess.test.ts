import * as assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { isRunning, readPids } from '../../servers/processes.ts';
import { answer, restoreDialogs } from './dialogs.ts';
import { ask, configUri, eventually, fileUri, newChat, serversListed, textOf, write } from './workspace.ts';

const program = path.resolve(import.meta.dirname, '../../../test/servers/programs/describedServer.ts');
/** The editor's own Node may be too old for TypeScript. */
const projectNode = path.resolve(import.meta.dirname, '../../../node_modules/node/bin/node');
/** How long the test waits to see that a server is not started. */
const quietMs = 1_500;

const settings = () => vscode.workspace.getConfiguration('chat.mcp');
const setAccess = (access: string | undefined) =>
	settings().update('access', access, vscode.ConfigurationTarget.Global);

describe('given a running server', () => {
	const [tools, pidFile] = [fileUri('allowed.json'), fileUri('allowed.pids')];
	const running = () => readPids(pidFile.fsPath).filter(isRunning);
	let original: string;

	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		await write(tools, JSON.stringify([{ name: 'get', inputSchema: { type: 'object' } }]));
		const args = [program, tools.fsPath, pidFile.fsPath];
		const entry = JSON.stringify({ command: projectNode, args, pinned: true });
		await write(configUri(), original.replace('"servers": {', `"servers": { "allowed": ${entry},`));
		await eventually('the server to run', () => running().length === 1 || undefined);
	});
	afterEach(() => restoreDialogs());
	after(async () => {
		await setAccess(undefined);
		await write(configUri(), original);
		await serversListed();
	});

	test('when VS Code’s setting turns MCP servers off, then the server stops, and nothing restarts it', async () => {
		await setAccess('none');
		await eventually('the server to end', () => running().length === 0 || undefined);
		const target = { kind: 'server', status: { name: 'allowed' } };
		await vscode.commands.executeCommand(commands.startServer, target);
		await vscode.commands.executeCommand(commands.rebuildIndex);
		await new Promise((resolve) => setTimeout(resolve, quietMs));
		assert.deepEqual(running(), []);
	});

	test('then the chat does not answer without servers, and the review names the setting', async () => {
		await newChat();
		assert.equal((await ask('/tools')).outcome, 'notReady');
		const said = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.reviewServers);
		assert.match(String(said[0]?.[0]), /allowed.*turned off in your settings \(chat\.mcp\.access\)/);
	});

	test('when the setting allows all servers again, then the server runs without a new approval', async () => {
		await setAccess('all');
		await eventually('the server to run', () => running().length === 1 || undefined);
	});
});
