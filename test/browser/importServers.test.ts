import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
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

let root: string;
let workbench: Workbench;

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

describe('a person whose servers are those of three other programs', () => {
	const configuration = () => path.join(workbench.folder, 'casual_mcp_config.json');

	test('is led to the import by the empty view, and sees what there is', async () => {
		await workbench.openSidebar('Discovery');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
		await workbench.page.getByRole('button', { name: 'Import Servers…' }).first().click();
		for (const name of ['files', 'everything', 'notes', 'old', 'lost']) {
			await workbench.quickPickRow(name).waitFor();
		}
	});

	test('takes what is offered, and has the secret kept apart', async () => {
		await workbench.page.getByRole('button', { name: 'OK', exact: true }).click();
		await workbench.answerNotification('added 4 servers.', 'Review…');
		await workbench.approveReviewed({ allowsReadOnly: false });
		const tree = workbench.tree('Servers');
		for (const name of ['files', 'everything', 'notes']) await tree.waitForRow(name, 'tools');
		await expect
			.poll(async () => (await workbench.notifications()).join())
			.toContain('Not running: lost (Failed: command not found).');
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
		await workbench.answerNotification('added 4 servers', 'Undo');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
		expect(existsSync(configuration())).toBe(false);
		await workbench.run('manageSecrets');
		await workbench.quickPickRow('Add Secret…').waitFor();
		expect(await workbench.quickPickRow('ACME_TOKEN').count()).toBe(0);
	});
});

const shared = 'acme-shared-0011223344';

/** As many servers as a file of VS Code's has, each with a key, a question, a file of variables, and what needs an explanation. */
function vscodeFile(count: number): string {
	const entries = Array.from({ length: count }, (_, index) => {
		const name = `service-${index + 1}`;
		const entry = {
			command: 'npx',
			args: [
				'-y',
				`@company/mcp-server-for-${name}@latest`,
				'--endpoint',
				`https://${name}.example.com/api/v2`,
			],
			env: { [`SERVICE_${index + 1}_PAT`]: `acme-1a2b3c4d5e6f70${index}`, REGION: `\${input:region}` },
			envFile: `\${workspaceFolder}/service.env`,
			sandbox: { enabled: true },
		};
		return [name, entry];
	});
	const region = {
		id: 'region',
		type: 'pickString',
		description: 'Region',
		options: ['us', 'eu'],
		default: 'eu',
	};
	return JSON.stringify({ inputs: [region], servers: Object.fromEntries(entries) }, undefined, 2);
}

describe('a person with one and forty servers in another program', () => {
	const quickInput = () => workbench.page.locator('.quick-input-widget');

	beforeAll(async () => {
		workbench.emptyHome();
		writeFileSync(path.join(workbench.folder, 'service.env'), `SHARED_TOKEN=${shared}\nLOG=debug\n`);
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	async function isInReach(button: Locator): Promise<void> {
		const box = await button.boundingBox();
		const size = workbench.page.viewportSize();
		if (!box || !size) throw new Error('the button is shown');
		expect(box.y).toBeGreaterThanOrEqual(0);
		expect(box.y + box.height).toBeLessThanOrEqual(size.height);
		expect(box.x + box.width).toBeLessThanOrEqual(size.width);
	}

	async function startImport(count: number): Promise<void> {
		writeFileSync(path.join(workbench.folder, '.vscode/mcp.json'), vscodeFile(count));
		await workbench.run('importServers');
		await workbench.quickPickRow('service-1').first().waitFor();
		await isInReach(quickInput().getByRole('button', { name: 'OK', exact: true }));
	}

	async function acceptList(): Promise<void> {
		await quickInput().getByRole('button', { name: 'OK', exact: true }).click();
	}

	test('sees its secrets by name, and gives the values that were asked for, the default first', async () => {
		await startImport(1);
		const row = workbench.quickPickRow('service-1').first();
		expect(await row.innerText()).toContain('Secret: SHARED_TOKEN, SERVICE_1_PAT.');
		expect(await row.innerText()).not.toContain(shared);
		await acceptList();
		const entry = () =>
			JSON.parse(readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8'));
		await workbench.answerNotification('No value is set for REGION.', 'Enter Values…');
		await workbench.quickPickRow('eu').first().waitFor();
		expect(await quickInput().locator('.monaco-list-row').first().innerText()).toContain('eu');
		await workbench.pick('eu');
		await expect.poll(async () => (await workbench.notifications()).join()).not.toContain('No value is set');
		expect(entry().servers['service-1'].env).toEqual({
			LOG: 'debug',
			SHARED_TOKEN: `\${env:SHARED_TOKEN}`,
			SERVICE_1_PAT: `\${env:SERVICE_1_PAT}`,
			REGION: `\${env:REGION}`,
		});
		await workbench.answerNotification('added service-1', 'Undo');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
	});

	test('has the buttons in reach with forty', async () => {
		await startImport(40);
		await acceptList();
		await workbench.answerNotification('added 40 servers', 'Undo');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
	});
});
