import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { Welcome } from '../../../src/vscode/participant/welcome.ts';
import { settings } from '../../../src/vscode/ui/ids.ts';
import { activated, ask, newChat, serversListed } from './workspace.ts';

describe('given the example workspace, when a person says nothing to @discovery', () => {
	before(serversListed);
	beforeEach(newChat);

	it('then it greets, and no model is asked', async () => {
		const answer = await ask('');
		assert.deepEqual(answer, { outcome: 'greeted' });
	});

	it('then a chat that has begun goes on after the greeting', async () => {
		const first = await ask('/load memory:read_graph');
		assert.deepEqual(await ask(''), { outcome: 'greeted' });
		const last = await ask('/load git:git_log');
		assert.equal(last.session?.id, first.session?.id);
		assert.deepEqual(activated(last), ['memory__read_graph', 'git__git_log']);
	});
});

describe('given an installation that has greeted nobody', () => {
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

	it('then one of several windows that open at once greets, everybody who asks it hears that, and later nobody', async () => {
		const windows = [open(), open(), open()];
		const greeted = await Promise.all(
			windows.map(async (window) => Promise.all([window.greet(), window.greet()])),
		);
		assert.deepEqual(greeted.toSorted().map(String), ['false,false', 'false,false', 'true,true']);
		for (const window of [...windows, open()]) assert.equal(await window.greet(), false);
		assert.deepEqual(warnings, []);
		rmSync(path.dirname(storage), { recursive: true });
	});

	it('then nothing is used up by a window that is not ready, or by who does not want it', async () => {
		assert.equal(await open('loading').greet(), false);
		await turn(false);
		assert.equal(await open().greet(), false);
		await turn(true);
		assert.equal(await open().greet(), true);
		rmSync(path.dirname(storage), { recursive: true });
	});

	it('then a storage that cannot be written is told, and greets nobody', async () => {
		storage = '/dev/null/storage';
		assert.equal(await open().greet(), false);
		assert.equal(warnings.length, 1);
	});
});
