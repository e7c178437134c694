import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { test } from '../workbenchTest.ts';

const load = 'Load Tool for the Last Used Chat';
const unload = 'Unload Tool from the Last Used Chat';

describe('a person searches the tools by hand', () => {
	test('types a word with a slip, sees the tool, loads it with its button, and may go on', async ({
		workbench,
	}) => {
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('git', '28 tools');
		await tree.expand('git');
		await workbench.runCommand('Discovery: Search Tools…');
		const row = workbench.quickPickRow('git_branch');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('brnach');
		await row.getByRole('button', { name: load, exact: true }).click();
		await row.getByRole('button', { name: unload, exact: true }).waitFor();
		await tree.waitForRow('git_branch', 'loaded');
		await workbench.screenshot('search-slip');
	});

	test('unloads it without a mouse', async ({ workbench }) => {
		const { keyboard } = workbench.page;
		// Into the list, and to the first button of its row.
		await keyboard.press('Tab');
		await keyboard.press('Tab');
		await keyboard.press('Enter');
		const row = workbench.quickPickRow('git_branch');
		await row.getByRole('button', { name: load, exact: true }).waitFor();
		await workbench.tree('Servers').waitForRow('git_branch', 'deferred');
		await keyboard.press('Escape');
		await row.waitFor({ state: 'hidden' });
	});

	test('loads a tool with Enter, which closes the list', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Search Tools…');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('comit');
		const row = workbench.quickPickRow('git_commit');
		await row.waitFor();
		await workbench.page.keyboard.press('Enter');
		await row.waitFor({ state: 'hidden' });
		await workbench.tree('Servers').waitForRow('git_commit', 'loaded');
	});

	test('types other words than the tool has, and sees what is similar', async ({ workbench }) => {
		await workbench.tree('Servers').titleAction('Search Tools…');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('remove facts');
		await workbench.quickPickRow('delete_observations').waitFor();
		await workbench.screenshot('search-similar');
		await workbench.page.keyboard.press('Escape');
	});

	test('finds nothing, and is led to the chat with these words', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Search Tools…');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('xylophone');
		await workbench.quickPickRow('No tool matches “xylophone”').waitFor();
		await workbench.screenshot('search-nothing');
		await workbench.page.keyboard.press('Enter');
		const input = workbench.page.locator('.interactive-input-editor', { hasText: '@discovery' });
		await eventually(() => input.innerText()).toContain('xylophone');
		expect(await workbench.notifications()).toEqual([]);
	});
});
