import * as assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { loadConfig } from '../../../src/config/load.ts';
import { placement } from '../../../src/discovery/catalog/policy.ts';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { answer, pick, restoreDialogs } from './dialogs.ts';
import { activated, ask, configUri, eventually, newChat, serversListed, textOf, write } from './workspace.ts';

const writeFile = { server: 'filesystem', name: 'write_file', wireName: 'filesystem__write_file' };

async function placed(tool: { server: string; name: string }): Promise<string> {
	const { config } = loadConfig(await textOf(configUri()), { workspaceFolder: '/', env: {} });
	assert.ok(config);
	return placement(tool, config.policy);
}

describe('given a tool in the Servers view', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
	});
	afterEach(() => write(configUri(), original));

	it('when it is pinned and then deferred, then the file is updated and keeps its comments', async () => {
		await vscode.commands.executeCommand(commands.pinServer, {
			kind: 'tool',
			tool: writeFile,
			state: 'deferred',
		});
		assert.equal(await placed(writeFile), 'pinned');
		assert.equal(await placed({ server: 'filesystem', name: 'edit_file' }), 'deferred');
		await vscode.commands.executeCommand(commands.deferServer, {
			kind: 'tool',
			tool: writeFile,
			state: 'pinned',
		});
		assert.equal(await placed(writeFile), 'deferred');
		const comments = (text: string) => text.split('\n').filter((line) => line.trim().startsWith('//'));
		assert.deepEqual(comments(await textOf(configUri())), comments(original));
	});

	it('when a whole server is deferred, then each of its tools is deferred', async () => {
		const thinking = { server: 'sequential-thinking', name: 'sequentialthinking' };
		assert.equal(await placed(thinking), 'pinned');
		await vscode.commands.executeCommand(commands.deferServer, {
			kind: 'server',
			status: { name: 'sequential-thinking' },
		});
		assert.equal(await placed(thinking), 'deferred');
	});
});

describe('given a disabled tool and a disabled server', () => {
	const readGraph = { kind: 'tool', tool: { server: 'memory', name: 'read_graph' }, state: 'deferred' };
	const git = { kind: 'server', status: { name: 'git' } };
	const loadedOf = async () => {
		await newChat();
		return activated(await ask('/load memory:read_graph git:git_log filesystem:read_text_file'));
	};
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
	});
	after(async () => {
		restoreDialogs();
		await write(configUri(), original);
		await serversListed();
	});

	it('when they are disabled for this workspace only, then no chat has them, and the file is unchanged', async () => {
		pick('In This Workspace Only');
		await vscode.commands.executeCommand(commands.disable, readGraph, [readGraph, git]);
		assert.deepEqual(await loadedOf(), ['filesystem__read_text_file']);
		assert.equal(await textOf(configUri()), original);
	});

	it('when they are enabled, then no question is asked, and chats have them again', async () => {
		pick('nothing is to be asked');
		await vscode.commands.executeCommand(commands.enable, { ...readGraph, state: 'disabled' });
		await vscode.commands.executeCommand(commands.enable, git);
		await eventually('the tools', async () => (await loadedOf()).length === 3);
	});

	it('when a disabled server is written to the file and this is undone, then the file and the chats are restored', async () => {
		pick('In casual_mcp_config.json');
		await vscode.commands.executeCommand(commands.disable, git);
		assert.match(await textOf(configUri()), /"disabled": true/);
		assert.deepEqual(await loadedOf(), ['memory__read_graph', 'filesystem__read_text_file']);
		await vscode.commands.executeCommand(commands.undo);
		assert.equal(await textOf(configUri()), original);
		await eventually('the tools', async () => (await loadedOf()).length === 3);
	});
});

describe('given a chat that may have one loaded tool', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		await write(configUri(), original.replace('"max_active_schemas": 24', '"max_active_schemas": 1'));
		await eventually('the cap', async () => {
			await newChat();
			const loaded = activated(await ask('/load filesystem:read_text_file git:git_log'));
			return loaded.length === 1 || undefined;
		});
	});
	afterEach(restoreDialogs);
	after(async () => {
		await write(configUri(), original);
		await newChat();
	});

	it('when the user loads tools one after the other, then each evicts the one before', async () => {
		const errors = answer('showErrorMessage', undefined);
		for (const [id, wireName] of [
			['git:git_status', 'git__git_status'],
			['git:git_diff', 'git__git_diff'],
		] as const) {
			pick(id);
			await vscode.commands.executeCommand(commands.loadTool);
			assert.deepEqual(activated(await ask('/context')), [wireName]);
		}
		assert.deepEqual(errors, []);
	});
});

const activatedRow = (server: string, name: string) => ({
	kind: 'tool',
	tool: { server, name, wireName: `${server}__${name}` },
	state: 'activated',
});

describe('given a chat with loaded tools', () => {
	before(serversListed);
	beforeEach(async () => {
		await newChat();
		await ask('/load memory:read_graph git:git_log');
	});

	it('when a tool is unloaded in the view, then the chat no longer has it, and undo loads it again', async () => {
		await vscode.commands.executeCommand(commands.unloadTool, activatedRow('memory', 'read_graph'));
		assert.deepEqual(activated(await ask('/context')), ['git__git_log']);
		await vscode.commands.executeCommand(commands.undo);
		assert.deepEqual(activated(await ask('/context')), ['git__git_log', 'memory__read_graph']);
	});

	it('when a new chat has started, then undo loads nothing into it', async () => {
		const original = await textOf(configUri());
		await vscode.commands.executeCommand(commands.pinServer, { server: 'git', tool: 'git_show' });
		await vscode.commands.executeCommand(commands.unloadTool, activatedRow('git', 'git_log'));
		await newChat();
		await ask('/context');
		await vscode.commands.executeCommand(commands.undo);
		assert.deepEqual(activated(await ask('/context')), []);
		assert.equal(await textOf(configUri()), original, 'the change before was taken back');
	});
});

const row = (server: string, name: string, state = 'deferred') => ({
	kind: 'tool',
	tool: { server, name, wireName: `${server}__${name}` },
	state,
});

const run = (command: string, ...args: readonly unknown[]) =>
	vscode.commands.executeCommand(command, ...args);

describe('given the user changes the placement of tools', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
	});
	beforeEach(newChat);
	afterEach(() => write(configUri(), original));

	it('when several tools are pinned at once, then one undo restores the file byte for byte', async () => {
		const rows = [row('git', 'git_log'), row('git', 'git_show'), row('memory', 'read_graph')];
		await run(commands.pinServer, rows[0], rows);
		const pinned = await textOf(configUri());
		for (const { tool } of rows) assert.match(pinned, new RegExp(`"${tool.name}"`));
		await run(commands.undo);
		assert.equal(await textOf(configUri()), original);
	});

	it('when a row outside the selection is pinned, then only that row is pinned', async () => {
		const rows = [row('git', 'git_log'), row('git', 'git_show')];
		await run(commands.pinServer, row('memory', 'read_graph'), rows);
		const pinned = await textOf(configUri());
		const namings = (text: string, tool: string) => text.split(`"${tool}"`).length - 1;
		assert.equal(namings(pinned, 'read_graph'), namings(original, 'read_graph') + 1);
		assert.equal(namings(pinned, 'git_show'), namings(original, 'git_show'));
	});

	it('when saving formats the file, then undo also reverts the formatting', async function () {
		// VS Code saves without the formatter's edit if a busy machine takes more than 1.75 s for it.
		this.retries(3);
		const formatter = vscode.workspace.onWillSaveTextDocument((event) => {
			const text = event.document.getText();
			const end = event.document.positionAt(text.length);
			const spaced = text.replaceAll('"git_tag"', '  "git_tag"  ');
			event.waitUntil(
				Promise.resolve([vscode.TextEdit.replace(new vscode.Range(0, 0, end.line, end.character), spaced)]),
			);
		});
		try {
			await vscode.window.showTextDocument(configUri());
			// The editor may still hold what the file was before it was last written.
			await run('workbench.action.files.revert');
			await run(commands.pinServer, row('git', 'git_tag'));
			assert.match(await textOf(configUri()), / {2}"git_tag" {2}/);
			await run(commands.undo);
			assert.equal(await textOf(configUri()), original);
		} finally {
			formatter.dispose();
			await run('workbench.action.closeAllEditors');
			await write(configUri(), original);
		}
	});

	it('when another part of the file has changed since, then undo keeps that change', async () => {
		await run(commands.pinServer, row('git', 'git_log'));
		await write(configUri(), `// mine\n${await textOf(configUri())}`);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), `// mine\n${original}`);
	});

	it('when the same part of the file has changed since, then undo skips that step and reverts the one before', async () => {
		await newChat();
		await ask('/load memory:read_graph');
		await run(commands.unloadTool, row('memory', 'read_graph', 'activated'));
		await run(commands.pinServer, row('git', 'git_log'));
		await write(configUri(), original);
		// It tells the user so, in a notification that nobody answers here.
		void run(commands.undo);
		await eventually('the next step to be the unloading', async () => {
			await run(commands.undo);
			return activated(await ask('/context')).includes('memory__read_graph') || undefined;
		});
		assert.equal(await textOf(configUri()), original);
	});

	it('when a chat command unloads tools, then that is the last change and can be undone', async () => {
		await ask('/load memory:read_graph git:git_log');
		await run(commands.pinServer, row('git', 'git_show'));
		await ask('/unload all');
		await run(commands.undo);
		assert.deepEqual(activated(await ask('/context')).toSorted(), ['git__git_log', 'memory__read_graph']);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), original);
	});
});

describe('given the Servers view', () => {
	it('when a command with arguments filters or sorts it, then no question is asked', async () => {
		await run(commands.filterTools, 'git @deferred');
		await run(commands.sortTools, 'tokens');
		await run(commands.clearFilter);
		await run(commands.sortTools, 'configured');
	});
});
