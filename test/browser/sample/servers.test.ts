import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

function configOf(workbench: Workbench): string {
	return readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8');
}

describe('a person works in the Servers view', () => {
	test('pins a tool with a click, and the file says so with its comments kept', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('memory', '9 tools');
		await tree.expand('memory');
		await tree.inlineAction('read_graph', 'Pin');
		await tree.waitForRow('read_graph', 'pinned');
		expect(configOf(workbench)).toMatch(/"pinned": \[\s*"read_graph"\s*\]/);
		expect(configOf(workbench)).toContain('// A knowledge graph');
		await tree.waitForRow('memory', '1 always');

		await tree.inlineAction('read_graph', 'Defer');
		await tree.waitForRow('read_graph', 'deferred');
	});

	test('stops a server and starts it again', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		const git = async () => (await tree.rows()).find((row) => row.label === 'git')?.description;
		await tree.waitForRow('git', '28 tools');
		await tree.inlineAction('git', 'Stop Server');
		await eventually(git).toMatch(/^Idle · 28 tools/);
		await tree.inlineAction('git', 'Start Server');
		await eventually(git).toMatch(/^28 tools.*tokens$/);
		await tree.contextMenu('git', 'Restart Server');
		await eventually(git).toMatch(/^28 tools.*tokens$/);
	});

	test('disables a tool for this workspace and a server in the file, sees both dimmed, and enables them', async ({
		workbench,
	}) => {
		const tree = workbench.tree('Servers');
		const choose = async (place: string) => {
			const row = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: place });
			await row.click();
		};
		const before = configOf(workbench);
		await tree.contextMenu('read_graph', 'Disable…');
		await choose('In This Workspace Only');
		await tree.waitForRow('read_graph', 'disabled');
		await tree.waitForRow('memory', '8 tools');
		expect(configOf(workbench)).toBe(before);
		await tree.contextMenu('git', 'Disable…');
		await workbench.screenshot('disable');
		await choose('In casual_mcp_config.json');
		await tree.waitForRow('git', 'disabled');
		expect(configOf(workbench)).toContain('"disabled": true');
		await workbench.screenshot('disabled');
		await workbench.chat.send('/load git:git_log memory:read_graph');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).not.toContain('Loaded');

		await tree.inlineAction('git', 'Enable');
		await choose('In casual_mcp_config.json');
		await tree.waitForRow('git', '28 tools');
		expect(configOf(workbench)).not.toContain('"disabled": true');
		// Its tools are known from before, so that nothing needs it to run.
		await tree.inlineAction('git', 'Start Server');
		await eventually(
			async () => (await tree.rows()).find(({ label }) => label === 'git')?.description,
		).toMatch(/^28 tools.*tokens$/);
		// The file does not disable it: there is nothing to ask.
		await tree.inlineAction('read_graph', 'Enable');
		await tree.waitForRow('read_graph', 'deferred');
	});

	test("opens a server's log", async ({ workbench }) => {
		await workbench.tree('Servers').contextMenu('everything', 'Show Server Log');
		await workbench.page.locator('#workbench\\.parts\\.panel', { hasText: 'everything' }).waitFor();
		await workbench.screenshot('log');
	});

	test('loads a tool for the chat, sees it, and unloads it', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await tree.contextMenu('read_graph', 'Load Tool for the Last Used Chat');
		await tree.waitForRow('read_graph', 'loaded');
		// The chat that is begun afterwards has it.
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('memory:read_graph');
		await tree.contextMenu('read_graph', 'Unload Tool from the Last Used Chat');
		await tree.waitForRow('read_graph', 'deferred');
	});

	test('chooses a toolset: the view names it, and tools outside of it do not count', async ({
		workbench,
	}) => {
		const tree = workbench.tree('Servers');
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.pick('reading');
		await tree.waitForRow('read_graph', 'not in toolset');
		await workbench.page.locator('.sidebar', { hasText: /Toolset.*: reading\./ }).waitFor();
		const colour = (label: string) =>
			workbench.page
				.locator('.sidebar [role="tree"][aria-label="Servers"]')
				.getByRole('treeitem')
				.locator('.label-name')
				.getByText(label, { exact: true })
				.evaluate((element) => getComputedStyle(element).color);
		// It is written in the colour of what is not in use, which the editor asks for a moment later.
		await eventually(async () => (await colour('read_graph')) === (await colour('filesystem'))).toBe(false);
		await workbench.screenshot('toolset');
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.pick('All Tools');
		await tree.waitForRow('read_graph', 'deferred');
	});

	test('takes the toolset of the chat out of the file, and reads below the next answer what that means', async ({
		workbench,
	}) => {
		const text = configOf(workbench);
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('git', '28 tools');
		await workbench.chat.send('/toolset reading');
		await workbench.chat.waitForIdle();
		writeFileSync(
			path.join(workbench.folder, 'casual_mcp_config.json'),
			text.replace('"reading": {', '"looking": {'),
		);
		await workbench.page
			.locator('.sidebar', { hasText: 'The toolset is no longer in the configuration' })
			.waitFor();
		await workbench.chat.send('read notes/shopping.md');
		await workbench.chat.waitForIdle();
		const answer = await workbench.chat.responseText();
		expect(answer).toContain('honey');
		expect(answer).toContain('The toolset reading is not in the configuration for now');
		await workbench.screenshot('toolset-missing');
		writeFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), text);
		await workbench.page
			.locator('.sidebar', { hasText: 'The toolset is no longer in the configuration' })
			.waitFor({ state: 'hidden' });
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.pick('All Tools');
		await workbench.page.locator('.sidebar', { hasText: 'Toolset: reading' }).waitFor({ state: 'hidden' });
	});

	test('is offered in the palette only what there is to do', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await workbench.runCommand('Discovery: Start Server');
		await eventually(async () => (await workbench.notifications()).join()).toContain(
			'nothing that “Start Server” applies to',
		);
		await tree.inlineAction('git', 'Stop Server');
		await tree.waitForRow('git', 'idle');
		await workbench.runCommand('Discovery: Start Server');
		await workbench.quickPickRow('git').waitFor();
		await workbench.screenshot('palette-start');
		expect(await workbench.quickPickRow('memory').count()).toBe(0);
		await workbench.pick('git');
		await eventually(async () => (await tree.rows()).find((row) => row.label === 'git')?.description).toMatch(
			/tokens$/,
		);
	});

	test('presses an action again and again while rows are redrawn, and no list of all tools opens', async ({
		workbench,
	}) => {
		const servers = workbench.page.getByRole('tree', { name: 'Servers', exact: true });
		const row = servers.getByRole('treeitem').filter({ hasText: 'open_nodes' });
		const picker = workbench.page.locator('.quick-input-widget');
		await picker.waitFor({ state: 'hidden' });
		for (let press = 0; press < 8; press++) {
			await row.hover();
			await row
				.getByRole('button', { name: /^(Pin|Defer)\b/ })
				.first()
				.click();
			// As long as a picker takes to open, and no longer: the next press is to meet the redrawing.
			await workbench.page.waitForTimeout(60 + 20 * press);
			expect(await picker.isVisible()).toBe(false);
		}
	});

	test('opens the configuration from the menu of the view, whatever row has the focus', async ({
		workbench,
	}) => {
		const { page } = workbench;
		await page.locator('.sidebar .label-name').getByText('open_nodes', { exact: true }).click();
		await workbench.tree('Servers').titleMenu('Open Configuration');
		await workbench.pick(path.basename(workbench.folder));
		await page.locator('.tab.active', { hasText: 'casual_mcp_config.json' }).waitFor();
		await workbench.runCommand('View: Close All Editors');
	});

	test('goes from the view to the chat', async ({ workbench }) => {
		await workbench.tree('Servers').titleAction('Ask @discovery');
		await workbench.page.locator('.interactive-input-editor', { hasText: '@discovery' }).waitFor();
		await workbench.screenshot('ask');
	});

	test('sees the faults of a broken file while the last good one is in force', async ({ workbench }) => {
		const good = configOf(workbench);
		const file = path.join(workbench.folder, 'casual_mcp_config.json');
		writeFileSync(file, good.slice(0, good.lastIndexOf('}')));
		await workbench.page.locator('.sidebar', { hasText: 'using the last valid version' }).waitFor();
		const first = async () => (await workbench.tree('Servers').rows())[0];
		await eventually(async () => (await first())?.label).toContain('The file ends too early');
		expect((await first())?.description).toMatch(/^line \d+$/);
		await workbench.tree('Servers').waitForRow('memory', '9 tools');
		await workbench.screenshot('faults');
		writeFileSync(file, good);
		await eventually(async () => (await first())?.description).toContain('tools');
	});

	test('rebuilds the index from the palette', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Rebuild Index');
		await eventually(async () => (await workbench.statusBar()).join('\n')).toContain('index rebuilt');
	});
});
