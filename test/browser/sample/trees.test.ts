import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

function configOf(workbench: Workbench): string {
	return readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8');
}

/** Label and description of every row, of a tool its state, without numbers of tokens. */
async function rows(workbench: Workbench): Promise<readonly string[]> {
	const all = await workbench.tree('Servers').rows();
	return all.map(({ label, description, spoken, expanded }) =>
		expanded === undefined
			? spoken.replace(', ', ' ').replace(/, about [\d.k]+ tokens/, '')
			: `${label} ${description.replace(/ · ≈[\d.k]+ tokens/, '')}`,
	);
}

async function press(workbench: Workbench, ...keys: readonly string[]): Promise<void> {
	for (const key of keys) await workbench.page.keyboard.press(key);
}

/** Puts the focus on a row as a person does who sees which one has it. */
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

/** Types into the box that the command has opened. */
async function typeFilter(workbench: Workbench, text: string): Promise<void> {
	const box = workbench.page.locator('.quick-input-widget', { hasText: 'Filter Tools' });
	await box.locator('input').first().fill(text);
}

async function remark(workbench: Workbench): Promise<string> {
	return (await workbench.statusBar()).find((text) => text.startsWith('Discovery:')) ?? '';
}

describe('a person works in the Servers view without a mouse', () => {
	test('filters as they type, and sees how many tools are left', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('memory', '9 tools');
		await workbench.runCommand('Discovery: Filter Tools…');
		await typeFilter(workbench, 'read');
		await eventually(() => rows(workbench)).toContain('read_text_file deferred');
		await workbench.screenshot('filter-typing');
		await typeFilter(workbench, 'read graph');
		await eventually(() => rows(workbench)).toEqual(['memory 1 of 9 tools', 'read_graph deferred']);
		await workbench.page.locator('.sidebar', { hasText: /1 of \d+ tools · filter: read graph\./ }).waitFor();
		await press(workbench, 'Enter');
		expect(await rows(workbench)).toEqual(['memory 1 of 9 tools', 'read_graph deferred']);
	});

	test('loads, pins and defers a tool by keys, and undoes each step by another', async ({ workbench }) => {
		const before = configOf(workbench);
		await goTo(workbench, 'read_graph');
		await press(workbench, 'Alt+L');
		await eventually(() => rows(workbench)).toContain('read_graph loaded');
		await press(workbench, 'Alt+P');
		await eventually(() => rows(workbench)).toContain('read_graph pinned');
		await workbench.screenshot('cycled');
		await press(workbench, 'Alt+D');
		await eventually(() => rows(workbench)).toContain('read_graph deferred');

		await press(workbench, 'Control+z');
		await eventually(() => rows(workbench)).toContain('read_graph pinned');
		await eventually(() => remark(workbench)).toContain('undone: defer memory:read_graph.');
		await press(workbench, 'Control+z');
		await eventually(() => rows(workbench)).toContain('read_graph loaded');
		await press(workbench, 'Control+z');
		await eventually(() => rows(workbench)).toContain('read_graph deferred');
		expect(configOf(workbench)).toBe(before);
	});

	test('reads what a tool does, takes and costs', async ({ workbench }) => {
		await goTo(workbench, 'read_graph');
		await press(workbench, 'Control+k', 'Control+i');
		const hover = workbench.page.locator('.workbench-hover');
		await hover.filter({ hasText: 'Parameters: none' }).waitFor();
		await hover.filter({ hasText: /≈\d+ tokens \(estimated\)/ }).waitFor();
		await workbench.screenshot('tooltip');
		await press(workbench, 'Escape');
	});

	test('filters by state, goes back to the filter before with Escape, and clears it', async ({
		workbench,
	}) => {
		await goTo(workbench, 'memory');
		await press(workbench, 'Shift+Alt+f');
		await typeFilter(workbench, '@pinned');
		await eventually(() => rows(workbench)).toEqual([
			'sequential-thinking 1 tool · 1 always',
			'sequentialthinking pinned',
		]);
		await workbench.screenshot('filter-state');
		await press(workbench, 'Escape');
		await eventually(() => rows(workbench)).toEqual(['memory 1 of 9 tools', 'read_graph deferred']);
		await workbench.runCommand('Discovery: Clear Filter');
		await eventually(async () => (await rows(workbench)).length).toBe(5);
		await workbench.page.locator('.sidebar', { hasText: 'filter:' }).waitFor({ state: 'hidden' });
	});

	test('filters with warnings above the servers, which stay folded', async ({ workbench }) => {
		const file = path.join(workbench.folder, 'casual_mcp_config.json');
		const before = configOf(workbench);
		writeFileSync(file, before.replace(/"tool_discovery": \{/, '$& "colour": 1, "shape": 2,'));
		await eventually(() => rows(workbench)).toContain('2 warnings ');
		await workbench.runCommand('Discovery: Filter Tools…');
		await typeFilter(workbench, 'read graph');
		await eventually(() => rows(workbench)).toEqual([
			'2 warnings ',
			'memory 1 of 9 tools',
			'read_graph deferred',
		]);
		await press(workbench, 'Enter');
		await workbench.screenshot('filter-warnings');
		await workbench.runCommand('Discovery: Clear Filter');
		writeFileSync(file, before);
		await eventually(() => rows(workbench)).not.toContain('2 warnings ');
	});

	test('sorts servers and their tools by name and by tokens', async ({ workbench }) => {
		await goTo(workbench, 'memory');
		await press(workbench, 'ArrowRight');
		await workbench.tree('Servers').waitForRow('read_graph');
		const tools = async () =>
			(await workbench.tree('Servers').rows()).filter(({ level }) => level === 2).map(({ label }) => label);
		const listed = await tools();
		const servers = async () =>
			(await workbench.tree('Servers').rows()).filter(({ level }) => level === 1).map(({ label }) => label);
		const configured = await servers();
		await workbench.runCommand('Discovery: Sort Tools…');
		await workbench.pick('Name');
		await eventually(tools).toEqual(listed.toSorted());
		expect(await servers()).toEqual(configured.toSorted());
		await workbench.page.locator('.pane-header', { hasText: 'by name' }).waitFor();
		await workbench.runCommand('Discovery: Sort Tools…');
		await workbench.quickPickRow('Name').filter({ hasText: 'current' }).waitFor();
		await workbench.screenshot('sort-choice');
		await workbench.pick('Tokens (Most First)');
		await eventually(async () => (await tools()).at(-1)).toBe('read_graph');
		await workbench.screenshot('sorted');
		await workbench.runCommand('Discovery: Sort Tools…');
		await workbench.pick('Configuration Order');
		await eventually(tools).toEqual(listed);
		expect(await servers()).toEqual(configured);
	});

	test('pins several tools at once, as one change of the file', async ({ workbench }) => {
		const before = configOf(workbench);
		await goTo(workbench, 'read_graph');
		await press(workbench, 'Enter', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Alt+p');
		await eventually(async () => (await rows(workbench)).filter((row) => row.endsWith(' pinned'))).toEqual([
			'read_graph pinned',
			'search_nodes pinned',
			'open_nodes pinned',
		]);
		await workbench.screenshot('several');
		await press(workbench, 'Control+z');
		await eventually(() => remark(workbench)).toContain('undone: pin 3 tools.');
		expect(configOf(workbench)).toBe(before);
	});

	test('loads and unloads with a key each', async ({ workbench }) => {
		await goTo(workbench, 'read_graph');
		await press(workbench, 'Alt+l');
		await eventually(() => rows(workbench)).toContain('read_graph loaded');
		await press(workbench, 'Delete');
		await eventually(() => rows(workbench)).toContain('read_graph deferred');
		await press(workbench, 'Delete');
		await eventually(() => remark(workbench)).toContain('does not apply to the selection');
		await press(workbench, 'Control+z');
		await eventually(() => rows(workbench)).toContain('read_graph loaded');
		await press(workbench, 'Control+z');
		await eventually(() => rows(workbench)).toContain('read_graph deferred');
	});

	test('finds by the letters of a name, as in any tree', async ({ workbench }) => {
		await goTo(workbench, 'read_graph');
		await press(workbench, 'Control+Alt+f');
		const find = workbench.page.locator('.sidebar .monaco-tree-type-filter input').first();
		await find.waitFor();
		await workbench.screenshot('tree-find');
		await press(workbench, 'Escape');
	});

	test('restarts a server with F5', async ({ workbench }) => {
		await goTo(workbench, 'memory');
		await press(workbench, 'F5');
		await eventually(async () => (await rows(workbench)).join('\n')).toMatch(/^memory .*Starting…/m);
		await eventually(async () => (await rows(workbench)).join('\n')).toMatch(/^memory 9 tools$/m);
	});
});
