import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { titleOf } from '../../localizedPackage.ts';
import { publishedServer } from '../../servers/launches.ts';
import { ContextPage } from '../contextPage.ts';
import { test } from './folderTest.ts';

describe('a person opens a folder without a good configuration', () => {
	test('there is none: the context page and the first step say so', async ({ workbench }) => {
		await workbench.run('showContext');
		const page = new ContextPage(workbench);
		await page.button(titleOf('addServer')).waitFor();
		await page.button(titleOf('openConfig')).waitFor();
		await workbench.page.getByRole('button', { name: 'Get started' }).click();
		await workbench.page.getByText('Connect your MCP servers', { exact: true }).waitFor();
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
		await workbench.chat.pressInAnswer(titleOf('openConfig'));
		await workbench.tree('Servers').waitForRow('files');
		expect(existsSync(workbench.configFile)).toBe(true);
	});

	test('it has many faults: they take few rows, in one line with those of the servers', async ({
		workbench,
	}) => {
		const files = { command: process.execPath, args: [publishedServer('filesystem'), '.'] };
		/** Each unknown key is a warning. */
		const oddKeys = Object.fromEntries(Array.from({ length: 19 }, (_, i) => [`odd_${i}`, i]));
		const servers = { files: { ...files, ...oddKeys }, memory: { command: 5, args: 'x' } };
		writeFileSync(workbench.configFile, JSON.stringify({ servers }));
		const tree = workbench.tree('Servers');
		const rows = async () =>
			(await tree.rows()).map(({ label, description }) => `${label} ${description.split(' ·')[0]}`);
		await expect.poll(rows).toEqual(['19 warnings ', 'memory 2 errors', 'files Needs approval']);
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
