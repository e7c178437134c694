import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ids.ts';
import { answerReviews, restoreDialogs } from './dialogs.ts';
import { configUri, eventually, fileUri, newChat, serversListed, textOf, write } from './workspace.ts';

/** A server that proves by a file that it was started, and how often the test waits to see that it was not. */
const proofFile = () => fileUri('proof-of-start').fsPath;
const quietMs = 1_500;

describe('given a server that is written into the configuration', () => {
	let original: string;
	const withServer = (args: string) =>
		original.replace('"servers": {', `"servers": { "proof": { "command": "touch", "args": [${args}] },`);

	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		answerReviews('ignore');
	});
	afterEach(() => answerReviews('ignore'));
	after(async () => {
		answerReviews('approve');
		restoreDialogs();
		await write(configUri(), original);
		await newChat();
	});

	it('then it does not start before it is approved, whoever asks', async () => {
		await write(configUri(), withServer('"proof-of-start"'));
		await new Promise((resolve) => setTimeout(resolve, quietMs));
		await vscode.commands.executeCommand(commands.startServer, {
			kind: 'server',
			status: { name: 'proof' },
		});
		await vscode.commands.executeCommand(commands.rebuildIndex);
		assert.equal(existsSync(proofFile()), false);
	});

	it('then it starts when it is', async () => {
		answerReviews('approve');
		await vscode.commands.executeCommand(commands.reviewServers);
		await eventually('the server to start', () => existsSync(proofFile()));
	});

	it('then a changed argument is not run before it is approved, too', async () => {
		await vscode.workspace.fs.delete(fileUri('proof-of-start'));
		await write(configUri(), withServer('"-a", "proof-of-start"'));
		await new Promise((resolve) => setTimeout(resolve, quietMs));
		assert.equal(existsSync(proofFile()), false);
		answerReviews('approve');
		await vscode.commands.executeCommand(commands.reviewServers);
		await eventually('the changed server to start', () => existsSync(proofFile()));
	});
});
