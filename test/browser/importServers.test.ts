import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';

const secret = 'acme-9f8e7d6c5b4a3928';
const node = process.execPath;

/** Says what it was given, and then is a server. */
const shell = `printf %s "$ACME_TOKEN" > given; exec "${node}" "${publishedServer('memory')}"`;

const files = {
	'folder/.vscode/mcp.json': {
		servers: {
			files: { type: 'stdio', command: node, args: [publishedServer('filesystem'), `\${workspaceFolder}`] },
		},
	},
	'home/.config/Claude/claude_desktop_config.json': {
		mcpServers: { everything: { command: node, args: [publishedServer('everything')] } },
	},
	'home/.cursor/mcp.json': {
		mcpServers: {
			notes: { command: 'sh', args: ['-c', shell], env: { ACME_TOKEN: secret } },
			old: { url: 'https://mcp.example.com/mcp', disabled: true },
			lost: { command: 'no-such-program-anywhere' },
		},
	},
};

describe('a person whose servers are those of three other programs', () => {
	let root: string;
	let workbench: Workbench;
	const configuration = () => path.join(workbench.folder, 'casual_mcp_config.json');

	beforeAll(async () => {
		root = mkdtempSync(path.join(tmpdir(), 'discovery-import-'));
		for (const [name, content] of Object.entries(files)) {
			const file = path.join(root, name);
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(file, JSON.stringify(content, undefined, 2));
		}
		workbench = await Workbench.open({
			workspace: path.join(root, 'folder'),
			home: path.join(root, 'home'),
		});
	});
	afterAll(async () => {
		await workbench[Symbol.asyncDispose]();
		rmSync(root, { recursive: true, force: true });
	});

	test('is led to the import by the empty view, and sees what there is', async () => {
		await workbench.openSidebar('Discovery');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
		await workbench.screenshot('import-welcome');
		await workbench.page.getByRole('button', { name: 'Import Servers…' }).first().click();
		for (const name of ['files', 'everything', 'notes', 'old', 'lost']) {
			await workbench.quickPickRow(name).waitFor();
		}
		await workbench.screenshot('import-pick');
	});

	test('takes what is offered, and has the secret kept apart', async () => {
		await workbench.page.getByRole('button', { name: 'OK', exact: true }).click();
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.waitFor();
		await workbench.screenshot('import-secret');
		expect(await dialog.innerText()).toContain('ACME_TOKEN');
		expect(await dialog.innerText()).not.toContain(secret);
		await workbench.answerDialog('A secret is written out', 'Secret Storage');
		await workbench.answerNotification('imported 4 servers from VS Code, Claude Desktop, Cursor.', 'Review…');
		await workbench.review.getByText('Approve All', { exact: true }).click();
		const tree = workbench.tree('Servers');
		for (const name of ['files', 'everything', 'notes']) await tree.waitForRow(name, 'tools');
		await eventually(async () => (await workbench.notifications()).join()).toContain(
			'Not running: lost (failed: command not found).',
		);
		await workbench.screenshot('import-done');
	});

	test('finds the secret in no file, and the server has it', async () => {
		expect(JSON.parse(readFileSync(configuration(), 'utf8')).servers.notes.env).toEqual({
			ACME_TOKEN: `\${env:ACME_TOKEN}`,
		});
		expect(readFileSync(path.join(workbench.folder, 'given'), 'utf8')).toBe(secret);
		rmSync(path.join(workbench.folder, 'given'));
		expect(workbench.filesWith(secret)).toEqual([]);
	});

	test('thinks better of it and takes it back', async () => {
		await workbench.answerNotification('imported 4 servers', 'Undo');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
		expect(existsSync(configuration())).toBe(false);
		await workbench.runCommand('Discovery: Manage Stored Secrets…');
		await workbench.quickPickRow('Add Secret…').waitFor();
		expect(await workbench.quickPickRow('ACME_TOKEN').count()).toBe(0);
		await workbench.screenshot('import-undone');
	});
});
