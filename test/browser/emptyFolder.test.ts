import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { EXAMPLE_WORKSPACE } from '../../scripts/projectPaths.ts';
import { publishedServer } from '../servers/launches.ts';
import { ContextPage } from './contextPage.ts';
import { titleOf, Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const modules = path.join(EXAMPLE_WORKSPACE, 'node_modules');
/** The version that is installed, so that npx downloads nothing. */
const { version } = JSON.parse(
	readFileSync(path.join(modules, '@modelcontextprotocol/server-everything/package.json'), 'utf8'),
);
const secret = 'acme-9f8e7d6c5b4a3928';

/** A folder without a configuration, in which npx finds the packages of the sample. */
const folder = mkdtempSync(path.join(tmpdir(), 'discovery-empty-'));
symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');

/** A registry that knows one server, which needs a key. */
const registry = createServer((request, response) => {
	const search = new URL(request.url ?? '', 'http://localhost').searchParams.get('search') ?? '';
	const server = {
		name: 'io.github.example/everything',
		description: `Found by “${search}” [run it](command:workbench.action.quit) $(trash)`,
		version: '1.0.0',
		packages: [
			{
				registryType: 'npm',
				identifier: '@modelcontextprotocol/server-everything',
				version,
				environmentVariables: [
					{ name: 'ACME_KEY', description: 'Key of Acme', isRequired: true, isSecret: true },
				],
			},
		],
	};
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ servers: [{ server }], metadata: { count: 1 } }));
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

const test = workbenchTest(() =>
	Workbench.open({ workspace: folder, settings: { 'mcpDiscovery.welcome': true } }),
);
afterAll(() => {
	registry.close();
	rmSync(folder, { recursive: true, force: true });
});

describe('a person opens a folder without a good configuration', () => {
	test('there is none: the greeting, the view, the first step and the context page say so', async ({
		workbench,
	}) => {
		await workbench.chat.waitForText('no casual_mcp_config.json yet');
		await expect
			.poll(() => workbench.tree('Servers').welcomeText())
			.toContain('No MCP servers are configured');
		await workbench.page.getByText('Connect your MCP servers', { exact: true }).waitFor();
		await workbench.screenshot('welcome-none');
		await workbench.run('showContext');
		const page = new ContextPage(workbench.page);
		await page.button(titleOf('addServer')).waitFor();
		await page.button(titleOf('createConfig')).waitFor();
		await page.button(titleOf('importServers')).waitFor();
		await page.button(titleOf('openWalkthrough')).focus();
		await workbench.page.keyboard.press('Enter');
		await workbench.page.locator('.gettingStartedContainer', { hasText: 'Discovery' }).waitFor();
	});

	test('it is cut off: the view and the chat lead to it', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		writeFileSync(workbench.configFile, '{ "servers": { "a": ');
		await expect.poll(() => tree.welcomeText()).toContain('cannot be read');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('cannot be read');
		await workbench.chat.pressInAnswer(titleOf('openConfig'));
		await workbench.page.locator('.tab', { hasText: 'casual_mcp_config.json' }).waitFor();
		await workbench.runCommand('View: Close All Editors');
		rmSync(workbench.configFile);
		await expect.poll(() => tree.welcomeText()).toContain('No MCP servers are configured');
	});

	test('there is none: the answer offers to create one, and it works', async ({ workbench }) => {
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('no casual_mcp_config.json yet');
		expect(await workbench.chat.followups()).toEqual([]);
		await workbench.chat.pressInAnswer(titleOf('createConfig'));
		await workbench.tree('Servers').waitForRow('files');
		expect(existsSync(workbench.configFile)).toBe(true);
	});

	test('it has many faults: they take few rows, in one line with those of the servers', async ({
		workbench,
	}) => {
		const files = { command: process.execPath, args: [publishedServer('filesystem'), '.'] };
		/** Each unknown key is a warning. */
		const oddKeys = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`odd_${i}`, i]));
		const servers = { files: { ...files, ...oddKeys }, asleep: files, memory: { command: 5, args: 'x' } };
		writeFileSync(workbench.configFile, JSON.stringify({ servers }));
		const tree = workbench.tree('Servers');
		await tree.waitForRow('asleep', 'approval');
		await tree.inlineAction('files', titleOf('reviewServers'));
		await workbench.reviewed('files').waitFor();
		await workbench.approveSelected();
		const rows = async () =>
			(await tree.rows()).map(({ label, description }) => `${label} ${description.split(' ·')[0]}`);
		await expect
			.poll(rows)
			.toEqual(['19 warnings ', 'memory Failed: 2 errors', 'files 14 tools', 'asleep Needs approval']);
		const icons = workbench.page.locator(
			'.sidebar [role="tree"][aria-label="Servers"] [aria-level="1"] .custom-view-tree-node-item-icon',
		);
		const places = () =>
			icons.evaluateAll((all) => all.map((icon) => Math.round(icon.getBoundingClientRect().x)));
		await expect.poll(async () => new Set(await places()).size).toBe(1);
		await tree.expand('memory');
		expect((await tree.rows()).filter(({ level }) => level === 2)).toHaveLength(2);
		rmSync(workbench.configFile);
		await expect.poll(() => tree.welcomeText()).toContain('No MCP servers are configured');
		await workbench.runCommand('View: Close All Editors');
		await workbench.runCommand('Notifications: Clear All Notifications');
	});
});

describe('a person adds a server from its readme', () => {
	const input = (workbench: Workbench) => workbench.page.locator('.quick-input-widget');

	/** The servers that the file names, if it exists. */
	function servers({ configFile }: Workbench): string[] {
		return existsSync(configFile) ? Object.keys(JSON.parse(readFileSync(configFile, 'utf8')).servers) : [];
	}

	/** Opens the list of ways to add a server, and pastes a text there. */
	async function paste(workbench: Workbench, text: string): Promise<void> {
		const { page } = workbench;
		await workbench.run('addServer');
		await workbench.quickPickRow('npm Package…').waitFor();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
		await page.keyboard.press('ControlOrMeta+V');
	}

	test('pastes all of it, takes the way by npx, reads what will run, and has its tools deferred', async ({
		workbench,
	}) => {
		const { page } = workbench;
		const readme = path.join(modules, '@modelcontextprotocol/server-filesystem/README.md');
		await paste(workbench, readFileSync(readme, 'utf8'));
		await input(workbench)
			.locator('.monaco-list-row', {
				hasText: 'npx -y @modelcontextprotocol/server-filesystem /Users/username',
			})
			.click();
		await input(workbench).getByText('FOLDER', { exact: false }).first().waitFor();
		await page.keyboard.press('Enter');
		await input(workbench)
			.getByText('Select optional values')
			.or(input(workbench).getByPlaceholder('Select optional values', { exact: false }))
			.first()
			.waitFor();
		await page.keyboard.press('Enter');
		const row = workbench.reviewed('filesystem');
		await row.waitFor();
		expect(await row.innerText()).toContain(
			`npx -y @modelcontextprotocol/server-filesystem ${workbench.folder}`,
		);
		await workbench.screenshot('add-review');
		await workbench.approveSelected();
		await workbench.tree('Servers').waitForRow('filesystem', '14 tools');
		await expect
			.poll(async () => (await workbench.notifications()).join())
			.toContain('added filesystem: 14 tools');
		expect(JSON.parse(readFileSync(workbench.configFile, 'utf8'))).toEqual({
			servers: {
				filesystem: {
					command: 'npx',
					args: ['-y', '@modelcontextprotocol/server-filesystem', `\${workspaceFolder}`],
					defer_loading: true,
				},
			},
			tool_discovery: { enabled: 'auto' },
		});
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	test('searches a registry once they have said which, and gives the key that the server needs', async ({
		workbench,
	}) => {
		const { page } = workbench;
		await workbench.run('addServer');
		await workbench.quickPickRow('npm Package…').waitFor();
		await page.keyboard.type('every');
		await workbench.quickPickRow('Search the registry for “every”').first().waitFor();
		await workbench.pick('Search the registry for “every”');
		await input(workbench).getByText('Only what you type in a search is sent to this URL').waitFor();
		await workbench.answerInput(address);
		const row = input(workbench).locator('.monaco-list-row', { hasText: 'io.github.example/everything' });
		await row.waitFor();
		// The registry's text is no link and no icon.
		expect(await row.innerText()).toContain('[run it]');
		await row.click();
		await input(workbench).getByText('Stored in VS Code’s secret storage.').waitFor();
		await page.keyboard.type(secret);
		await page.keyboard.press('Enter');
		await workbench.reviewed('everything').waitFor();
		await workbench.approveSelected();
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		expect(workbench.filesWith(secret)).toEqual([]);
		// One click undoes entry, key and approval.
		await workbench.answerNotification('added everything:', 'Undo');
		await expect.poll(async () => servers(workbench)).toEqual(['filesystem']);
		await workbench.run('manageSecrets');
		await workbench.quickPickRow('Add Secret…').waitFor();
		expect(await workbench.quickPickRow('ACME_KEY').count()).toBe(0);
		await page.keyboard.press('Escape');
	});

	test('adds one whose program is missing: the summary says so', async ({ workbench }) => {
		await paste(workbench, 'claude mcp add lost -- no-such-program-anywhere --stdio');
		await workbench.quickPickRow('lost').first().waitFor();
		await workbench.page.keyboard.press('Enter');
		await workbench.approveSelected();
		await expect
			.poll(async () => (await workbench.notifications()).join())
			.toContain('Not running: lost (Failed: command not found)');
		await workbench.answerNotification('added lost.', 'Undo');
		await expect.poll(async () => servers(workbench)).toEqual(['filesystem']);
	});
});
