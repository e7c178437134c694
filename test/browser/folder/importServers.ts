import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { publishedServer } from '../../servers/launches.ts';
import type { Workbench } from '../workbench.ts';
import { SECRET, test } from './folderTest.ts';

const node = process.execPath;

/** Says what it was given, and then is a server. */
const shell = `printf %s "$ACME_TOKEN" > given; exec "${node}" "${publishedServer('memory')}"`;

/** The configuration that VS Code itself reads. */
const editorsFile = ({ folder }: Workbench) => path.join(folder, '.vscode/mcp.json');

/** The configurations of other programs. */
function foreignFiles(workbench: Workbench): Readonly<Record<string, object>> {
	return {
		[editorsFile(workbench)]: {
			servers: {
				files: {
					type: 'stdio',
					command: node,
					args: [publishedServer('filesystem'), `\${workspaceFolder}`],
				},
			},
		},
		[path.join(workbench.home, '.config/Claude/claude_desktop_config.json')]: {
			mcpServers: { everything: { command: node, args: [publishedServer('everything')] } },
		},
		[path.join(workbench.home, '.cursor/mcp.json')]: {
			mcpServers: {
				notes: { command: 'sh', args: ['-c', shell], env: { ACME_TOKEN: SECRET } },
				old: { url: 'https://mcp.example.com/mcp', disabled: true },
				lost: { command: 'no-such-program-anywhere' },
			},
		},
	};
}

describe('a person whose servers are those of three other programs', () => {
	test('is led to the import by the empty view, and sees what there is', async ({ workbench }) => {
		for (const [file, content] of Object.entries(foreignFiles(workbench))) {
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(file, JSON.stringify(content, undefined, 2));
		}
		rmSync(workbench.configFile);
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
		await workbench.page.getByRole('button', { name: 'Add Servers…' }).first().click();
		for (const name of ['files', 'everything', 'notes', 'old', 'lost']) {
			await workbench.quickPickRow(name).waitFor();
		}
	});

	test('ticks four of them, and has the secret kept apart', async ({ workbench }) => {
		for (const name of ['files', 'everything', 'notes', 'lost']) await workbench.tick(name);
		await workbench.acceptTicked();
		await workbench.approveReviewed({ allowsReadOnly: false });
		const tree = workbench.tree('Servers');
		for (const name of ['files', 'everything', 'notes']) await tree.waitForRow(name, 'tools');
		await expect
			.poll(async () => (await workbench.notifications()).join())
			.toContain('Not running: lost (command not found).');
	});

	test('finds the secret in no file, and the server has it', async ({ workbench }) => {
		expect(JSON.parse(readFileSync(workbench.configFile, 'utf8')).servers.notes.env).toEqual({
			ACME_TOKEN: `\${env:ACME_TOKEN}`,
		});
		expect(readFileSync(path.join(workbench.folder, 'given'), 'utf8')).toBe(SECRET);
		rmSync(path.join(workbench.folder, 'given'));
		expect(workbench.filesWith(SECRET)).toEqual([]);
	});

	test('thinks better of it and takes it back', async ({ workbench }) => {
		await workbench.answerNotification('added 4 servers', 'Undo');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
		expect(existsSync(workbench.configFile)).toBe(false);
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
	const quickInput = ({ page }: Workbench) => page.locator('.quick-input-widget');

	async function isInReach(workbench: Workbench, button: Locator): Promise<void> {
		const box = await button.boundingBox();
		const size = workbench.page.viewportSize();
		if (!box || !size) throw new Error('the button is shown');
		expect(box.y).toBeGreaterThanOrEqual(0);
		expect(box.y + box.height).toBeLessThanOrEqual(size.height);
		expect(box.x + box.width).toBeLessThanOrEqual(size.width);
	}

	async function startImport(workbench: Workbench, count: number): Promise<void> {
		writeFileSync(editorsFile(workbench), vscodeFile(count));
		await workbench.run('addServer');
		await workbench.quickPickRow('service-1').first().waitFor();
		await isInReach(workbench, quickInput(workbench).getByRole('button', { name: 'OK', exact: true }));
	}

	/** What this test adds is not there, so nothing is approved. */
	async function closeReview(workbench: Workbench): Promise<void> {
		await workbench.reviewed('service-1').waitFor();
		await workbench.runCommand('View: Close All Editors');
	}

	test('sees its secrets by name, and gives the values that were asked for, the default first', async ({
		workbench,
	}) => {
		for (const name of ['.config', '.cursor']) rmSync(path.join(workbench.home, name), { recursive: true });
		writeFileSync(path.join(workbench.folder, 'service.env'), `SHARED_TOKEN=${shared}\nLOG=debug\n`);
		await workbench.runCommand('Notifications: Clear All Notifications');
		await startImport(workbench, 1);
		const row = workbench.quickPickRow('service-1').first();
		expect(await row.innerText()).toContain('Secrets: SHARED_TOKEN, SERVICE_1_PAT.');
		expect(await row.innerText()).not.toContain(shared);
		// The row cuts the notes: its button shows them whole, and the list stays.
		await row.hover();
		await row.locator('.codicon-info').click();
		await workbench.answerDialog('"sandbox" is ignored: the server runs here without a sandbox.', 'OK');
		await workbench.tick('service-1');
		await workbench.acceptTicked();
		const entry = () => JSON.parse(readFileSync(workbench.configFile, 'utf8'));
		await workbench.quickPickRow('eu').first().waitFor();
		expect(await quickInput(workbench).locator('.monaco-list-row.focused').innerText()).toContain('eu');
		await workbench.pick('eu');
		await closeReview(workbench);
		await expect.poll(async () => (await workbench.notifications()).join()).toContain('added service-1');
		expect((await workbench.notifications()).join()).not.toContain('No value is set');
		expect(entry().servers['service-1'].env).toEqual({
			LOG: 'debug',
			SHARED_TOKEN: `\${env:SHARED_TOKEN}`,
			SERVICE_1_PAT: `\${env:SERVICE_1_PAT}`,
			REGION: 'eu',
		});
		await workbench.answerNotification('added service-1', 'Undo');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
	});

	test('has the buttons in reach with forty', async ({ workbench }) => {
		await startImport(workbench, 40);
		await quickInput(workbench).getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
		await workbench.acceptTicked();
		// All of them name one input, which is asked for once.
		await workbench.pick('eu');
		await closeReview(workbench);
		await workbench.answerNotification('added 40 servers', 'Undo');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('other programs');
	});
});
