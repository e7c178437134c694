import * as assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ids.ts';
import { activated, ask, newChat, serversListed } from './workspace.ts';

const row = (server: string, name: string) => ({
	kind: 'tool',
	tool: { server, name, wireName: `${server}__${name}` },
	state: 'activated',
});

describe('given a chat has loaded tools', () => {
	before(serversListed);
	beforeEach(async () => {
		await newChat();
		await ask('/load memory:read_graph git:git_log');
	});

	it('when one is unloaded in the view, then the chat is without it, and undoing brings it back', async () => {
		await vscode.commands.executeCommand(commands.unloadTool, row('memory', 'read_graph'));
		assert.deepEqual(activated(await ask('/context')), ['git__git_log']);
		await vscode.commands.executeCommand(commands.undoUnload);
		assert.deepEqual(activated(await ask('/context')), ['git__git_log', 'memory__read_graph']);
	});

	it('when another chat is begun, then undoing loads nothing into it', async () => {
		await vscode.commands.executeCommand(commands.unloadTool, row('git', 'git_log'));
		await newChat();
		await ask('/context');
		await vscode.commands.executeCommand(commands.undoUnload);
		assert.deepEqual(activated(await ask('/context')), []);
	});

	it('when the status bar is clicked, then the command it has exists', async () => {
		assert.ok((await vscode.commands.getCommands()).includes(commands.showContext));
	});
});
