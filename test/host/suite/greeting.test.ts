import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { Welcome } from '../../../src/vscode/participant/welcome.ts';
import { settings } from '../../../src/vscode/ui/ids.ts';
import { activated, ask, newChat, serversListed } from './workspace.ts';

describe('given the example workspace, when the user sends @discovery an empty message', () => {
	before(serversListed);
	beforeEach(newChat);

	it('then the chat greets without asking a model', async () => {
		const answer = await ask('');
		assert.deepEqual(answer, { outcome: 'greeted' });
	});

	it('then an ongoing chat continues after the greeting', async () => {
		const first = await ask('/load memory:read_graph');
		assert.deepEqual(await ask(''), { outcome: 'greeted' });
		const last = await ask('/load git:git_log');
		assert.equal(last.session?.id, first.session?.id);
		assert.deepEqual(activated(last), ['memory__read_graph', 'git__git_log']);
	});
});

describe('given a new installation that has not greeted yet', () => {
	const configuration = () => vscode.workspace.getConfiguration(settings.section);
	const turn = (on: boolean) =>
		configuration().update(settings.welcome, on, vscode.ConfigurationTarget.Global);
	const onDidChange = new vscode.EventEmitter<never>().event;
	let storage: string;
	let warnings: string[];
	const open = (kind: 'none' | 'loading' = 'none') => {
		const log = { warn: (message: string) => warnings.push(message) };
		return new Welcome({ configFile: { state: { kind }, onDidChange }, log, storage });
	};

	before(serversListed);
	beforeEach(async () => {
		storage = path.join(mkdtempSync(path.join(tmpdir(), 'discovery-greeting-')), 'storage');
		warnings = [];
		await turn(true);
	});
	after(async () => {
		await turn(false);
		await newChat();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('then only one of several windows that open at once greets, and later windows do not', async () => {
		const windows = [open(), open(), open()];
		const greeted = await Promise.all(
			windows.map(async (window) => Promise.all([window.greet(), window.greet()])),
		);
		assert.deepEqual(greeted.toSorted().map(String), ['false,false', 'false,false', 'true,true']);
		for (const window of [...windows, open()]) assert.equal(await window.greet(), false);
		assert.deepEqual(warnings, []);
		rmSync(path.dirname(storage), { recursive: true });
	});

	it('then a window that is not ready, or has the greeting turned off, leaves the greeting for later', async () => {
		assert.equal(await open('loading').greet(), false);
		await turn(false);
		assert.equal(await open().greet(), false);
		await turn(true);
		assert.equal(await open().greet(), true);
		rmSync(path.dirname(storage), { recursive: true });
	});

	it('then no greeting is shown if storage is not writable, but a warning is reported', async () => {
		storage = path.join(process.execPath, 'storage');
		assert.equal(await open().greet(), false);
		assert.equal(warnings.length, 1);
	});
});
