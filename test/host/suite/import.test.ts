import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { answer, answerEach, answerReviews, closeReview, shownReview } from './dialogs.ts';
import { caughtInputs, pressEnter } from './quickInputs.ts';
import { configUri, eventually, fileUri, openConfig, textOf, write } from './workspace.ts';

const secret = 'acme-9f8e7d6c5b4a3928';
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/mcp';

const workspaceFiles = {
	'.vscode/mcp.json': {
		servers: { weather: { type: 'http', url: nowhere }, memory: { url: `${nowhere}/2` } },
	},
	'.mcp.json': {
		mcpServers: {
			files: {
				command: 'node',
				args: [
					'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
					`\${CLAUDE_PROJECT_DIR}`,
				],
			},
			broken: { type: 'stdio' },
		},
	},
};
const homeFile = {
	mcpServers: {
		acme: { url: `${nowhere}/acme`, headers: { Authorization: `Bearer ${secret}` } },
		old: { url: `${nowhere}/old`, disabled: true },
	},
};

/** Also for the editor, which hears a moment later that its document is saved: the next change would leave a dirty one unsaved. */
async function undoneTo(original: string): Promise<void> {
	await eventually('the undo', async () => {
		const { isDirty } = await vscode.workspace.openTextDocument(configUri());
		return !isDirty && (await textOf(configUri())) === original;
	});
}

describe('given servers in the files of three other programs, and a configuration with comments', () => {
	const env = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };
	const home = mkdtempSync(path.join(tmpdir(), 'home-'));
	let original: string;
	const inputs = caughtInputs();

	before(async () => {
		original = await textOf(configUri());
		process.env.HOME = home;
		delete process.env.XDG_CONFIG_HOME;
		for (const [name, content] of Object.entries(workspaceFiles)) {
			await write(fileUri(name), JSON.stringify(content));
		}
		await write(vscode.Uri.file(path.join(home, '.cursor/mcp.json')), JSON.stringify(homeFile));
	});
	after(async () => {
		Object.assign(process.env, env);
		for (const name of Object.keys(workspaceFiles)) await vscode.workspace.fs.delete(fileUri(name));
		rmSync(home, { recursive: true });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await write(configUri(), original);
	});

	/** Ticks the servers that are found, which are not ticked at first, and takes them. */
	async function takeAll(): Promise<void> {
		const done = vscode.commands.executeCommand(commands.addServer);
		const list = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		assert.deepEqual(list.selectedItems, []);
		const servers = ['weather', 'memory', 'files', 'acme'];
		const items = list.items.filter(({ label }) => servers.includes(label));
		assert.equal(items.length, servers.length);
		list.selectedItems = items;
		await pressEnter();
		await done;
	}

	async function storedSecrets(): Promise<string> {
		const calls = answer('showQuickPick', undefined);
		await vscode.commands.executeCommand(commands.manageSecrets);
		return JSON.stringify(calls.at(-1)?.[0]);
	}

	/** Changes the configuration as the user does, who saves it then. */
	async function change(range: vscode.Range, text: string): Promise<void> {
		const { document } = await openConfig(await textOf(configUri()));
		const edit = new vscode.WorkspaceEdit();
		edit.replace(configUri(), range, text);
		await vscode.workspace.applyEdit(edit);
		assert.ok(await document.save());
	}

	const imported = async () => eventually('the import', async () => (await textOf(configUri())) !== original);

	test('when the message has been closed, then the import can still be undone, with its secret', async () => {
		const messages = answerEach('showInformationMessage', [undefined]);
		await takeAll();
		await imported();
		await eventually('the message', () => messages.length === 1 || undefined);
		await change(new vscode.Range(0, 0, 0, 0), '// mine\n');
		await vscode.commands.executeCommand(commands.undo);
		assert.equal(await textOf(configUri()), `// mine\n${original}`);
		await eventually(
			'the secret to be gone',
			async () => !(await storedSecrets()).includes('ACME_AUTHORIZATION') || undefined,
		);
		await change(new vscode.Range(0, 0, 1, 0), '');
	});
});

describe('given a server’s command line from a readme, and a configuration with comments', () => {
	const line = `ACME_TOKEN=${secret} node node_modules/@modelcontextprotocol/server-memory/dist/index.js --acme`;
	let original: string;
	const inputs = caughtInputs();

	before(async () => {
		original = await textOf(configUri());
	});
	afterEach(() => answerReviews('approve'));

	/** Pastes a text into the list that the command shows, and takes the first line that is found. */
	async function add(text: string, label: string): Promise<void> {
		const done = vscode.commands.executeCommand(commands.addServer);
		const list = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		list.value = text;
		await eventually('the server to be found', () => list.items.some((item) => item.label === label));
		await inputs.choose('1/1', label);
		await done;
	}

	const undone = () => undoneTo(original);

	test('when the review is closed without approval, then the server does not run and the addition can be undone', async () => {
		answerReviews('ignore');
		const messages = answerEach('showInformationMessage', []);
		// Not the command line of the test before: that one stays approved.
		await add(`${line}-unseen`, 'memory');
		const runs = () =>
			shownReview()?.files.flatMap((file) => file.servers.flatMap((server) => server.runs)) ?? [];
		await eventually('the review', () => runs().some(({ text }) => /^node .*--acme-unseen$/.test(text)));
		closeReview();
		await vscode.commands.executeCommand(commands.undo);
		await undone();
		assert.deepEqual(messages, []);
	});
});
