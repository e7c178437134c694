import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { titleOf } from '../../localizedPackage.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

const readConfig = ({ configFile }: Workbench) => readFileSync(configFile, 'utf8');

/** The label and description of every row, or of a tool its state, without numbers of tokens. */
async function rows(workbench: Workbench): Promise<readonly string[]> {
	const all = await workbench.tree('Servers').rows();
	return all.map(({ label, description, spoken, expanded }) =>
		expanded === undefined
			? spoken.replace(', ', ' ').replace(/, about [\d.k]+ tokens/, '')
			: `${label} ${description.replace(/ · ≈[\d.k]+ tokens/, '')}`,
	);
}

async function loadedRows(workbench: Workbench): Promise<readonly string[]> {
	const all = await workbench.tree('Loaded Tools').rows();
	return all.map(({ label, description }) => `${label} ${description.replace(/≈\d+/, '≈N')}`);
}

async function press({ page }: Workbench, ...keys: readonly string[]): Promise<void> {
	for (const key of keys) await page.keyboard.press(key);
}

/** Moves the focus down from the first row to the one with this label. */
async function goTo(workbench: Workbench, label: string): Promise<void> {
	await workbench.runCommand('Discovery: Focus on Servers View');
	await press(workbench, 'Home');
	const focused = workbench.page.locator(
		'.sidebar [role="tree"][aria-label="Servers"] .monaco-list-row.focused',
	);
	for (let tries = 0; tries < 60; tries++) {
		const name = focused.locator('.label-name');
		if ((await name.count()) === 1 && (await name.innerText()) === label) return;
		await press(workbench, 'ArrowDown');
	}
	throw new Error(`no row ${label} could be reached`);
}

describe('a person sees what is loaded, and why', () => {
	test('what is always loaded, and then the tool that a message needed, with its words', async ({
		workbench,
	}) => {
		await workbench.tree('Servers').waitForRow('git', '28 tools');
		await expect
			.poll(() => loadedRows(workbench))
			.toEqual(['sequential-thinking:sequentialthinking ≈N · pinned', 'everything:echo ≈N · not deferred']);
		await expect.poll(() => workbench.toolsStatus()).toMatch(/^2 of \d+ tools loaded · −\d\d%$/);
		await workbench.chat.send('@discovery read the file docs/architecture.md');
		await workbench.chat.waitForIdle();
		await expect
			.poll(async () => (await loadedRows(workbench))[0])
			.toMatch(/^filesystem:read_\w+ ≈N · (found|preloaded): “read .*”$/);
		await expect.poll(() => workbench.toolsStatus()).toMatch(/^3 of \d+ tools loaded · −\d\d%$/);
	});

	test('unloads a tool with a click, and takes that back', async ({ workbench }) => {
		const tree = workbench.tree('Loaded Tools');
		const before = await tree.rows();
		const statusBefore = await workbench.toolsStatus();
		const [first] = before;
		if (!first) throw new Error('the chat has loaded nothing');
		await tree.inlineAction(first.label, titleOf('unloadTool'));
		await expect.poll(async () => (await tree.rows()).map(({ label }) => label)).not.toContain(first.label);
		await expect.poll(() => workbench.toolsStatus()).not.toBe(statusBefore);
		await tree.titleAction(titleOf('undo'));
		await tree.waitForRow(first.label, '“read');
		await expect.poll(() => workbench.toolsStatus()).toBe(statusBefore);
		expect(await tree.rows()).toHaveLength(before.length);
	});

	test('chooses a toolset: tools outside of it are dimmed, and nothing is loaded', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await tree.expand('memory');
		await workbench.run('resetSession');
		await workbench.run('selectToolset');
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
		// The editor asks for the colour a moment later.
		await expect.poll(async () => (await colour('read_graph')) === (await colour('filesystem'))).toBe(false);
		await expect
			.poll(() => workbench.tree('Loaded Tools').welcomeText())
			.toContain('No tools are loaded in this chat');
		const text = readConfig(workbench);
		writeFileSync(workbench.configFile, text.replace('"reading": {', '"looking": {'));
		await workbench.page.locator('.sidebar', { hasText: 'is no longer in the configuration' }).waitFor();
		writeFileSync(workbench.configFile, text);
		await workbench.run('selectToolset');
		await workbench.pick('All Tools');
		await tree.waitForRow('read_graph', 'deferred');
		await expect.poll(async () => (await loadedRows(workbench)).length).toBe(2);
	});
});

describe('a person works in the Servers view with a mouse', () => {
	test('pins a tool with a click, and the file says so with its comments kept', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await tree.inlineAction('read_graph', titleOf('pinServer'));
		await tree.waitForRow('read_graph', 'pinned');
		expect(readConfig(workbench)).toMatch(/"pinned": \[\s*"read_graph"\s*\]/);
		expect(readConfig(workbench)).toContain('// A knowledge graph');
		await tree.waitForRow('memory', '1 of 9 loaded');
		await tree.inlineAction('read_graph', titleOf('deferServer'));
		await tree.waitForRow('read_graph', 'deferred');
	});

	test('stops a server, finds only that one to start in the palette, and reads its log', async ({
		workbench,
	}) => {
		const tree = workbench.tree('Servers');
		const git = async () => (await tree.rows()).find((row) => row.label === 'git')?.description;
		await workbench.run('startServer');
		await expect
			.poll(async () => (await workbench.notifications()).join())
			.toContain('no server can be started.');
		await tree.inlineAction('git', titleOf('stopServer'));
		await expect.poll(git).toMatch(/^≈[\d.]+k · 28 tools$/);
		await workbench.run('startServer');
		await workbench.quickPickRow('git').waitFor();
		expect(await workbench.quickPickRow('memory').count()).toBe(0);
		await workbench.pick('git');
		await expect.poll(git).toMatch(/^≈[\d.]+k · 28 tools$/);
		await tree.contextMenu('everything', titleOf('showServerLog'));
		await workbench.page.locator('#workbench\\.parts\\.panel', { hasText: 'everything' }).waitFor();
		await workbench.page.keyboard.press('Control+J');
	});

	test('presses an action again and again while rows are redrawn, and no list of all tools opens', async ({
		workbench,
	}) => {
		const servers = workbench.page.getByRole('tree', { name: 'Servers', exact: true });
		const row = servers.getByRole('treeitem').filter({ hasText: 'open_nodes' });
		const picker = workbench.page.locator('.quick-input-widget');
		const before = readConfig(workbench);
		for (let press = 0; press < 8; press++) {
			await row.hover();
			await row
				.getByRole('button', { name: /^(Pin|Defer)\b/ })
				.first()
				.click();
			// The time that a picker takes to open. Not longer: the next press must fall into the redrawing.
			await workbench.page.waitForTimeout(60 + 20 * press);
			expect(await picker.isVisible()).toBe(false);
		}
		// On a slow machine the last presses are written later, and would be written over what this and the next test write.
		for (let text = ''; text !== readConfig(workbench); ) {
			text = readConfig(workbench);
			await workbench.page.waitForTimeout(3000);
		}
		writeFileSync(workbench.configFile, before);
		await workbench.tree('Servers').waitForRow('open_nodes', 'deferred');
	});

	test('dismisses a warning, and brings it back', async ({ workbench }) => {
		const good = readConfig(workbench);
		writeFileSync(
			workbench.configFile,
			good.replace('"tool_discovery": {', '"tool_discovery": { "shown": 3,'),
		);
		const tree = workbench.tree('Servers');
		await tree.waitForRow('shown', 'unknown key');
		await tree.inlineAction('shown', titleOf('dismiss'));
		await expect.poll(async () => (await tree.rows())[0]?.description).toContain('tools');
		await workbench.run('undo');
		await tree.waitForRow('shown', 'unknown key');
		writeFileSync(workbench.configFile, good);
		await expect.poll(async () => (await tree.rows())[0]?.description).toContain('tools');
	});
});

describe('a person works in the Servers view without a mouse', () => {
	test('pins several tools at once, as one change of the file', async ({ workbench }) => {
		await workbench.tree('Servers').titleAction('Collapse All');
		await expect.poll(async () => (await rows(workbench)).length).toBe(5);
		const before = readConfig(workbench);
		await goTo(workbench, 'memory');
		await press(workbench, 'ArrowRight');
		await goTo(workbench, 'read_graph');
		await press(workbench, 'Enter', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Alt+p');
		await expect
			.poll(async () => (await rows(workbench)).filter((row) => row.endsWith(' pinned')))
			.toEqual(['read_graph pinned', 'search_nodes pinned', 'open_nodes pinned']);
		await press(workbench, 'Control+z');
		await expect.poll(() => workbench.statusItem('Discovery:')).toContain('undone: pin 3 tools.');
		expect(readConfig(workbench)).toBe(before);
	});

	test('reads about a tool with Enter, and a key that changes the tool opens no page', async ({
		workbench,
	}) => {
		const { page, webview } = workbench;
		await goTo(workbench, 'open_nodes');
		await press(workbench, 'Alt+p');
		await workbench.tree('Servers').waitForRow('open_nodes', 'pinned');
		expect(await page.locator('.tab', { hasText: 'open_nodes' }).count()).toBe(0);
		await press(workbench, 'Enter');
		await webview.getByRole('heading', { name: 'memory:open_nodes' }).waitFor();
		await webview
			.getByText('Asks you before each call.')
			.or(webview.getByText('Runs without asking'))
			.waitFor();
		// The rows keep the focus, and the page follows what is done there.
		await press(workbench, 'Alt+d');
		await webview.getByText('Deferred: ').waitFor();
	});
});
