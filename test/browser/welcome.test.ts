import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';

describe('a person opens a folder without a good configuration', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'discovery-welcome-'));
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	test('there is none: the greeting and the view offer to create one, and it works', async () => {
		await using workbench = await Workbench.open({
			workspace: folder,
			settings: { 'mcpDiscovery.welcome': true },
		});
		await workbench.chat.waitForText('no casual_mcp_config.json yet');
		const tree = workbench.tree('Servers');
		await eventually(() => tree.welcomeText()).toContain('No MCP servers are configured');
		await workbench.page.getByText('Connect your MCP servers', { exact: true }).waitFor();
		await workbench.screenshot('welcome-none');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('no casual_mcp_config.json yet');
		expect(await workbench.chat.followups()).toEqual([]);
		await workbench.chat.pressInAnswer('Create Configuration');
		await tree.waitForRow('files');
		expect(existsSync(path.join(workbench.folder, 'casual_mcp_config.json'))).toBe(true);
		await workbench.screenshot('welcome-created');
	});

	test('it is cut off: the view and the chat lead to it', async () => {
		writeFileSync(path.join(folder, 'casual_mcp_config.json'), '{ "servers": { "a": ');
		await using workbench = await Workbench.open({ workspace: folder });
		await workbench.openSidebar('Discovery');
		await eventually(() => workbench.tree('Servers').welcomeText()).toContain('cannot be read');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('cannot be read');
		await workbench.chat.pressInAnswer('Open Configuration');
		await workbench.page.locator('.tab', { hasText: 'casual_mcp_config.json' }).waitFor();
		await workbench.screenshot('welcome-broken');
	});

	test('it is not trusted: nothing starts until it is, and nobody is greeted', async () => {
		writeFileSync(
			path.join(folder, 'casual_mcp_config.json'),
			JSON.stringify({ servers: { proof: { command: 'touch', args: ['started'] } } }),
		);
		await using workbench = await Workbench.open({
			workspace: folder,
			workspaceTrust: true,
			settings: { 'security.workspace.trust.startupPrompt': 'never', 'mcpDiscovery.welcome': true },
		});
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
		await workbench.chat.waitForText('No MCP server is started before you have seen');
		await workbench.screenshot('welcome-trusted');
		await workbench.chat.pressInAnswer('Review Servers…');
		await workbench.approveReviewed('Approve');
		await eventually(async () => existsSync(path.join(workbench.folder, 'started'))).toBe(true);
	});
});
