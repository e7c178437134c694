import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { Workbench } from './workbench.ts';
import { test } from './workbenchTest.ts';

function configOf(workbench: Workbench): string {
	return readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8');
}

describe('a person works in the Servers view', () => {
	test('pins a tool with a click, and the file says so with its comments kept', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('memory', '9 tools');
		await tree.expand('memory');
		await tree.inlineAction('read_graph', 'Pin Tool');
		await tree.waitForRow('read_graph', 'pinned');
		expect(configOf(workbench)).toMatch(/"pinned": \[\s*"read_graph"\s*\]/);
		expect(configOf(workbench)).toContain('// A knowledge graph that is kept from one chat to the next');
		await eventually(() => workbench.badge('Discovery')).toBe('3');

		await tree.inlineAction('read_graph', 'Defer Tool');
		await tree.waitForRow('read_graph', 'deferred');
		await eventually(() => workbench.badge('Discovery')).toBe('2');
	});

	test('stops a server and starts it again', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		const git = async () => (await tree.rows()).find((row) => row.label === 'git')?.description;
		await tree.inlineAction('git', 'Stop Server');
		await eventually(git).toMatch(/^stopped · 28 tools/);
		await tree.inlineAction('git', 'Start Server');
		await eventually(git).toMatch(/^28 tools/);
		await tree.contextMenu('git', 'Restart Server');
		await eventually(git).toMatch(/^28 tools/);
	});

	test("opens a server's log", async ({ workbench }) => {
		await workbench.tree('Servers').contextMenu('everything', 'Show Server Log');
		await workbench.page.locator('#workbench\\.parts\\.panel', { hasText: 'everything' }).waitFor();
		await workbench.screenshot('log');
	});

	test('loads a tool for the chat, sees it, and unloads it', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await tree.contextMenu('read_graph', 'Load Tool for This Chat');
		await tree.waitForRow('read_graph', 'loaded');
		// The chat that is begun afterwards has it.
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('memory:read_graph');
		await tree.contextMenu('read_graph', 'Unload Tool');
		await tree.waitForRow('read_graph', 'deferred');
	});

	test('rebuilds the index from the palette', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Rebuild Index');
		await eventually(async () => (await workbench.statusBar()).join('\n')).toContain('index rebuilt');
	});
});
