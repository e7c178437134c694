import * as assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { answerEach, pick, restoreDialogs } from './dialogs.ts';
import { caughtInputs } from './quickInputs.ts';
import {
	activated,
	ask,
	configUri,
	eventually,
	newChat,
	openConfig,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

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

	test('when they are disabled for this workspace only, then no chat has them, and the file is unchanged', async () => {
		pick('In This Workspace Only');
		await vscode.commands.executeCommand(commands.disable, readGraph, [readGraph, git]);
		assert.deepEqual(await loadedOf(), ['filesystem__read_text_file']);
		assert.equal(await textOf(configUri()), original);
	});

	test('when they are enabled, then no question is asked, and chats have them again', async () => {
		pick('nothing is to be asked');
		await vscode.commands.executeCommand(commands.enable, { ...readGraph, state: 'disabled' });
		await vscode.commands.executeCommand(commands.enable, git);
		await eventually('the tools', async () => (await loadedOf()).length === 3);
	});

	test('when a disabled server is written to the file and this is undone, then the file and the chats are restored', async () => {
		pick('In casual_mcp_config.json');
		await vscode.commands.executeCommand(commands.disable, git);
		assert.match(await textOf(configUri()), /"disabled": true/);
		assert.deepEqual(await loadedOf(), ['memory__read_graph', 'filesystem__read_text_file']);
		await vscode.commands.executeCommand(commands.undo);
		assert.equal(await textOf(configUri()), original);
		await eventually('the tools', async () => (await loadedOf()).length === 3);
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

	test('when a row outside the selection is pinned, then only that row is pinned', async () => {
		const rows = [row('git', 'git_log'), row('git', 'git_show')];
		await run(commands.pinServer, row('memory', 'read_graph'), rows);
		const pinned = await textOf(configUri());
		const namings = (text: string, tool: string) => text.split(`"${tool}"`).length - 1;
		assert.equal(namings(pinned, 'read_graph'), namings(original, 'read_graph') + 1);
		assert.equal(namings(pinned, 'git_show'), namings(original, 'git_show'));
	});

	test('when saving formats the file, then undo also reverts the formatting', async function () {
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
			await openConfig(await textOf(configUri()));
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

	test('when another part of the file has changed since, then undo keeps that change', async () => {
		await run(commands.pinServer, row('git', 'git_log'));
		await write(configUri(), `// mine\n${await textOf(configUri())}`);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), `// mine\n${original}`);
	});

	test('when the same part of the file has changed since, then undo skips that step and reverts the one before', async () => {
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

	test('when a chat command unloads tools, then that is the last change and can be undone', async () => {
		await ask('/load memory:read_graph git:git_log');
		await run(commands.pinServer, row('git', 'git_show'));
		await ask('/unload all');
		await run(commands.undo);
		assert.deepEqual(activated(await ask('/context')).toSorted(), ['git__git_log', 'memory__read_graph']);
		await run(commands.undo);
		assert.equal(await textOf(configUri()), original);
	});
});

describe('given a server that lacks a value', () => {
	const faulty = { kind: 'faulty', name: 'acme' };
	let original: string;
	let text: string;
	const inputs = caughtInputs();
	before(async () => {
		original = await textOf(configUri());
		const acme = {
			command: 'node',
			args: ['node_modules/@modelcontextprotocol/server-memory/dist/index.js'],
			env: { TOKEN: `\${env:ACME_TOKEN}`, REGION: `\${env:ACME_REGION}` },
		};
		text = original.replace('"servers": {', `"servers": {\n"acme": ${JSON.stringify(acme)},`);
		await write(configUri(), text);
		await eventually('the fault', hasFault);
	});
	after(async () => {
		await write(configUri(), original);
		await serversListed();
	});

	const hasFault = () =>
		vscode.languages.getDiagnostics(configUri()).some(({ message }) => message.includes('ACME_'));
	const stored = async () => {
		const calls = answerEach('showQuickPick', []);
		await run(commands.manageSecrets);
		return /ACME_TOKEN","description":"stored/.test(JSON.stringify(calls));
	};

	test('when its values are set, then each is asked for, a secret is hidden, and the entry has no fault', async () => {
		const done = run(commands.setValue, faulty);
		const token = (await inputs.question('1/2')) as vscode.InputBox;
		assert.equal(token.password, true);
		await inputs.type('1/2', 'acme-1234');
		const region = (await inputs.question('2/2')) as vscode.InputBox;
		assert.equal(region.password, false);
		await inputs.type('2/2', 'eu');
		await done;
		await eventually('the entry to be read again', () => !hasFault());
		assert.ok(await stored());
	});

	test('when it is removed, then its entry and secrets are gone, and Undo brings back both', async () => {
		const told = answerEach('showInformationMessage', []);
		await run(commands.removeServer, { server: 'acme' });
		assert.ok(!(await textOf(configUri())).includes('acme'));
		assert.equal(await stored(), false);
		assert.equal(told.at(-1)?.[1], 'Undo');
		await run(commands.undo);
		assert.equal(await textOf(configUri()), text);
		assert.equal(await stored(), true);
		await run(commands.removeServer, { server: 'acme' });
	});
});
