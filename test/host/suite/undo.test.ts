import * as assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ids.ts';
import { activated, ask, configUri, eventually, newChat, serversListed, textOf, write } from './workspace.ts';

const row = (server: string, name: string, state = 'deferred') => ({
	kind: 'tool',
	tool: { server, name, wireName: `${server}__${name}` },
	state,
});

const run = (command: string, ...args: readonly unknown[]) =>
	vscode.commands.executeCommand(command, ...args);

describe('given the user changes where tools stand', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
	});
	beforeEach(newChat);
	afterEach(() => write(configUri(), original));

	it('when several are pinned at once, then one step takes all of it back, byte for byte', async () => {
		const rows = [row('git', 'git_log'), row('git', 'git_show'), row('memory', 'read_graph')];
		await run(commands.pinTool, rows[0], rows);
		const pinned = await textOf(configUri());
		for (const { tool } of rows) assert.match(pinned, new RegExp(`"${tool.name}"`));
		await run(commands.undo);
		assert.equal(await textOf(configUri()), original);
	});

	it('when a row outside of the selection is pinned, then only that one is', async () => {
		const rows = [row('git', 'git_log'), row('git', 'git_show')];
		await run(commands.pinTool, row('memory', 'read_graph'), rows);
		const pinned = await textOf(configUri());
		const namings = (text: string, tool: string) => text.split(`"${tool}"`).length - 1;
		assert.equal(namings(pinned, 'read_graph'), namings(original, 'read_graph') + 1);
		assert.equal(namings(pinned, 'git_show'), namings(original, 'git_show'));
	});

	it('when the file has been changed elsewhere since, then that change stays', async () => {
		await run(commands.pinTool, row('git', 'git_log'));
		await write(configUri(), `// mine\n${await textOf(configUri())}`);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), `// mine\n${original}`);
	});

	it('when the file has been changed there since, then it is left alone, and the step before is next', async () => {
		await newChat();
		await ask('/load memory:read_graph');
		await run(commands.unloadTool, row('memory', 'read_graph', 'activated'));
		await run(commands.pinTool, row('git', 'git_log'));
		await write(configUri(), original);
		// It tells the user so, in a notification that nobody answers here.
		void run(commands.undo);
		await eventually('the next step to be the unloading', async () => {
			await run(commands.undo);
			return activated(await ask('/context')).includes('memory__read_graph') || undefined;
		});
		assert.equal(await textOf(configUri()), original);
	});

	it('when a chat unloads tools by its own command, then that is the last change, and can be taken back', async () => {
		await ask('/load memory:read_graph git:git_log');
		await run(commands.pinTool, row('git', 'git_show'));
		await ask('/unload all');
		await run(commands.undo);
		assert.deepEqual(activated(await ask('/context')).toSorted(), ['git__git_log', 'memory__read_graph']);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), original);
	});

	it('when a tool is loaded and taken through its states, then each step can be taken back', async () => {
		await ask('/context');
		await run(commands.cycleTool, row('memory', 'read_graph'));
		assert.deepEqual(activated(await ask('/context')), ['memory__read_graph']);
		await run(commands.cycleTool, row('memory', 'read_graph', 'activated'));
		assert.match(await textOf(configUri()), /"read_graph"/);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), original);
		assert.deepEqual(activated(await ask('/context')), ['memory__read_graph']);
		await run(commands.undo);
		assert.deepEqual(activated(await ask('/context')), []);
	});
});

describe('given the Servers view', () => {
	it('when it is filtered and sorted by a command, then nothing is asked', async () => {
		await run(commands.filterTools, 'git @deferred');
		await run(commands.sortTools, 'tokens');
		await run(commands.clearFilter);
		await run(commands.sortTools, 'configured');
	});
});
