import * as assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { loadConfig } from '../../../src/config/load.ts';
import { placement } from '../../../src/discovery/partition.ts';
import { commands } from '../../../src/vscode/ids.ts';
import { configUri, serversListed, textOf, write } from './workspace.ts';

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

	it('when it is pinned and deferred again, then the file says so and keeps its comments', async () => {
		await vscode.commands.executeCommand(commands.pinTool, {
			kind: 'tool',
			tool: writeFile,
			state: 'deferred',
		});
		assert.equal(await placed(writeFile), 'pinned');
		assert.equal(await placed({ server: 'filesystem', name: 'edit_file' }), 'deferred');
		await vscode.commands.executeCommand(commands.deferTool, {
			kind: 'tool',
			tool: writeFile,
			state: 'pinned',
		});
		assert.equal(await placed(writeFile), 'deferred');
		const comments = (text: string) => text.split('\n').filter((line) => line.trim().startsWith('//'));
		assert.deepEqual(comments(await textOf(configUri())), comments(original));
	});

	it('when its whole server is deferred, then each of its tools is', async () => {
		const thinking = { server: 'sequential-thinking', name: 'sequentialthinking' };
		assert.equal(await placed(thinking), 'pinned');
		await vscode.commands.executeCommand(commands.deferServer, {
			kind: 'server',
			status: { name: 'sequential-thinking' },
		});
		assert.equal(await placed(thinking), 'deferred');
	});
});
