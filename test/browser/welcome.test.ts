import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { ContextPage } from './contextPage.ts';
import { eventually } from './eventually.ts';
import { Workbench, type WorkbenchOptions } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

/** A window on a folder with nothing in it, or with a configuration of this text. */
async function openFolder(options: WorkbenchOptions, configuration?: string): Promise<Workbench> {
	const folder = mkdtempSync(path.join(tmpdir(), 'discovery-welcome-'));
	try {
		if (configuration) writeFileSync(path.join(folder, 'casual_mcp_config.json'), configuration);
		return await Workbench.open({ workspace: folder, ...options });
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const test = workbenchTest(() => openFolder({ settings: { 'mcpDiscovery.welcome': true } }));

/** Unknown keys, of each of which there is a warning. */
const oddKeys = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`odd_${i}`, i]));

/** Where the icons of the rows on the first level begin, in pixels from the left. */
async function iconPlaces(workbench: Workbench): Promise<readonly number[]> {
	const icons = workbench.page.locator(
		'.sidebar [role="tree"][aria-label="Servers"] [aria-level="1"] .custom-view-tree-node-item-icon',
	);
	return icons.evaluateAll((all) => all.map((icon) => Math.round(icon.getBoundingClientRect().x)));
}

describe('a person opens a folder without a good configuration', () => {
	test('there is none: the greeting, the view and the first step say so', async ({ workbench }) => {
		await workbench.chat.waitForText('no casual_mcp_config.json yet');
		const tree = workbench.tree('Servers');
		await eventually(() => tree.welcomeText()).toContain('No MCP servers are configured');
		await workbench.page.getByText('Connect your MCP servers', { exact: true }).waitFor();
		await workbench.screenshot('welcome-none');
	});

	test('there is none: the context page offers what the view offers', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Show Context');
		const page = new ContextPage(workbench.page);
		await page.button('Add Server…').waitFor();
		await page.button('Create Configuration').waitFor();
		await page.button('Import Servers…').waitFor();
		await workbench.screenshot('context-isOfEditor');
		await page.button('Get Started').focus();
		await workbench.page.keyboard.press('Enter');
		await workbench.page.locator('.gettingStartedContainer', { hasText: 'Discovery' }).waitFor();
	});

	test('it is cut off: the view and the chat lead to it', async ({ workbench }) => {
		writeFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), '{ "servers": { "a": ');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('cannot be read');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('cannot be read');
		await workbench.chat.pressInAnswer('Open Configuration');
		await workbench.page.locator('.tab', { hasText: 'casual_mcp_config.json' }).waitFor();
		await workbench.screenshot('welcome-broken');
		await workbench.runCommand('View: Close All Editors');
		rmSync(path.join(workbench.folder, 'casual_mcp_config.json'));
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain(
			'No MCP servers are configured',
		);
	});

	test('there is none: the answer offers to create one, and it works', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('no casual_mcp_config.json yet');
		expect(await workbench.chat.followups()).toEqual([]);
		await workbench.chat.pressInAnswer('Create Configuration');
		await tree.waitForRow('files');
		expect(existsSync(path.join(workbench.folder, 'casual_mcp_config.json'))).toBe(true);
		await workbench.screenshot('welcome-created');
	});
});

describe('a person approves one of two servers of it, and then writes many faults into the file', () => {
	const files = {
		command: process.execPath,
		args: [publishedServer('filesystem'), '.'],
		defer_loading: true,
	};
	const text = (servers: object) => JSON.stringify({ servers, tool_discovery: { enabled: true } });

	test('sees rows in one line as servers come to have tools, and the faults in few rows', async ({
		workbench,
	}) => {
		writeFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), text({ files, asleep: files }));
		const tree = workbench.tree('Servers');
		await tree.waitForRow('asleep', 'approval');
		await tree.inlineAction('files', 'Review Servers…');
		await workbench.reviewed('files').waitFor();
		await workbench.review.getByRole('button', { name: 'Approve', exact: true }).click();
		await tree.waitForRow('files', '14 tools');
		await eventually(async () => new Set(await iconPlaces(workbench)).size).toBe(1);

		const memory = { command: 5, args: 'x' };
		writeFileSync(
			path.join(workbench.folder, 'casual_mcp_config.json'),
			text({ files: { ...files, ...oddKeys }, asleep: files, memory }),
		);
		const rows = async () =>
			(await tree.rows()).map(({ label, description }) => `${label} ${description.split(' ·')[0]}`);
		await eventually(rows).toEqual([
			'19 warnings ',
			'memory Failed: 2 errors',
			'files 14 tools',
			'asleep Needs approval',
		]);
		expect(new Set(await iconPlaces(workbench)).size).toBe(1);
		await tree.expand('memory');
		expect((await tree.rows()).filter(({ level }) => level === 2)).toHaveLength(2);
		await workbench.screenshot('faults-many');
	});
});

describe('a person opens a folder that is not trusted', () => {
	base('and nothing starts until it is, and nobody is greeted', async () => {
		const proof = { command: 'touch', args: ['started'] };
		const settings = { 'security.workspace.trust.startupPrompt': 'never', 'mcpDiscovery.welcome': true };
		await using workbench = await openFolder(
			{ workspaceTrust: true, settings },
			JSON.stringify({ servers: { proof } }),
		);
		await workbench.openSidebar('Discovery');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('not trusted');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('not trusted');
		expect(await workbench.page.locator('.gettingStartedContainer, .interactive-request').count()).toBe(1);
		expect(existsSync(path.join(workbench.folder, 'started'))).toBe(false);
		await workbench.runCommand('Discovery: Import Servers…');
		await eventually(async () => (await workbench.notifications()).join()).toContain('is not trusted');
		await workbench.screenshot('welcome-untrusted');
		await workbench.runCommand('Workspaces: Manage Workspace Trust');
		await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
		await workbench.chat.waitForText('MCP servers start only after you approve them');
		await workbench.screenshot('welcome-trusted');
		await workbench.chat.pressInAnswer('Review Servers…');
		await workbench.approveReviewed({ allowsReadOnly: false });
		await eventually(async () => existsSync(path.join(workbench.folder, 'started'))).toBe(true);
	});
});
