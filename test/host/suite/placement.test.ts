import * as assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { answerEach } from './dialogs.ts';
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
	const inputs = caughtInputs();
	before(async () => {
		original = await textOf(configUri());
		const acme = {
			command: 'node',
			args: ['node_modules/@modelcontextprotocol/server-memory/dist/index.js'],
			env: { TOKEN: `\${env:ACME_TOKEN}`, REGION: `\${env:ACME_REGION}` },
		};
		const text = original.replace('"servers": {', `"servers": {\n"acme": ${JSON.stringify(acme)},`);
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
});
