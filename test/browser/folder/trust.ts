import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { CLICK_LIMIT_MS } from '../workbench.ts';
import { proof, test, write } from './folderTest.ts';

describe('a person opens a cloned repository that names servers', () => {
	test('does not trust it yet: nothing starts', async ({ workbench }) => {
		const { chat } = workbench;
		await workbench.openSidebar('Discovery');
		await expect.poll(() => workbench.tree('Servers').welcomeText()).toContain('not trusted');
		await chat.send('create a file');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('until you trust this workspace');
		expect(existsSync(path.join(workbench.folder, 'started'))).toBe(false);
	});

	test('trusts it, and nothing is started before the commands were seen', async ({ workbench }) => {
		await workbench.page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
		await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
		const editor = workbench.page.locator('.monaco-modal-editor-block');
		await expect
			.poll(async () => {
				// VS Code may close or draw the editor again while the button is being clicked.
				const close = editor.locator('.codicon-close').first();
				if (await close.isVisible()) await close.click({ timeout: CLICK_LIMIT_MS }).catch(() => {});
				return editor.isVisible();
			})
			.toBe(false);
		const tree = workbench.tree('Servers');
		await tree.waitForRow('proof', 'approval');
		await workbench.runCommand('Notifications: Clear All Notifications');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForText('MCP servers start only after you approve them');
		expect(existsSync(path.join(workbench.folder, 'started'))).toBe(false);
	});

	test('reviews one of them from its row, and only that one starts', async ({ workbench }) => {
		const tree = workbench.page.locator('.sidebar [role="tree"][aria-label="Servers"]');
		await tree.getByText('proof', { exact: true }).click();
		const row = (name: string) => workbench.reviewed(name);
		expect(await row('proof').innerText()).toMatch(/touch started\s+New/);
		// The server that was chosen is checked, no other is, and the keyboard is where it is approved.
		expect(await row('proof').getByRole('checkbox').isChecked()).toBe(true);
		expect(await row('other').getByRole('checkbox').isChecked()).toBe(false);
		const approve = workbench.review.getByRole('button', { name: 'Approve', exact: true });
		await expect.poll(() => approve.evaluate((button) => button === document.activeElement)).toBe(true);
		await workbench.approveSelected();
		await expect.poll(async () => existsSync(path.join(workbench.folder, 'started'))).toBe(true);
		expect(existsSync(path.join(workbench.folder, 'other'))).toBe(false);
		await row('proof').waitFor({ state: 'hidden' });
		// The message that waits goes on once the user is done with the review.
		expect(await workbench.chat.isBusy()).toBe(true);
		await workbench.runCommand('View: Close Editor');
		await workbench.chat.waitForIdle();
	});

	test('pulls a change of the command, and sees it beside what was approved', async ({ workbench }) => {
		write(workbench.folder, { proof: proof('changed'), other: proof('other'), third: proof('third') });
		await workbench.answerNotification('approval', 'Review…');
		const row = (name: string) => workbench.reviewed(name);
		await expect.poll(() => row('proof').innerText()).toContain('− touch started');
		expect(await row('proof').innerText()).toContain('+ touch changed');
		expect(await workbench.review.getByRole('status').innerText()).toBe(
			'3 servers need approval: 1 new, 1 changed',
		);
		// The one that the review before has shown is not new any more.
		expect(await row('other').innerText()).not.toContain('New');
		expect(await row('third').innerText()).toContain('New');
		expect(existsSync(path.join(workbench.folder, 'changed'))).toBe(false);
	});

	test('approves only what was shown, where the file changes under the page', async ({ workbench }) => {
		const { review } = workbench;
		const all = review.locator('.file').getByRole('checkbox');
		await all.check();
		write(workbench.folder, { proof: proof('again'), other: proof('other'), third: proof('third') });
		await expect.poll(() => workbench.reviewed('proof').innerText()).toContain('+ touch again');
		expect(await workbench.reviewed('proof').getByRole('checkbox').isChecked()).toBe(false);
		expect(await workbench.reviewed('other').getByRole('checkbox').isChecked()).toBe(true);
		await expect
			.poll(async () => {
				// The page ignores clicks for a moment after it has changed.
				await all.check({ timeout: CLICK_LIMIT_MS }).catch(() => {});
				return all.isChecked();
			})
			.toBe(true);
		await workbench.approveSelected();
		const started = (name: string) => existsSync(path.join(workbench.folder, name));
		await expect.poll(async () => ['again', 'other', 'third'].map(started)).toEqual([true, true, true]);
		expect(started('changed')).toBe(false);
		// Nothing waits any more: the page is gone.
		await workbench.review.locator('body').waitFor({ state: 'hidden' });
	});

	test('has servers of their own, too: the page names each file over what stands in it', async ({
		workbench,
	}) => {
		write(workbench.folder, { proof: proof('again'), other: proof('later') });
		const own = { mine: proof('mine'), notes: proof('notes'), denied: proof('denied') };
		write(path.dirname(workbench.userFile), own);
		await workbench.tree('Servers').waitForRow('mine', 'approval');
		await workbench.tree('Servers').waitForRow('denied', 'not allowed by your settings');
		await workbench.run('reviewServers');
		const { review } = workbench;
		await workbench.reviewed('mine').waitFor();
		await expect
			.poll(() => review.getByRole('rowheader').allInnerTexts())
			.toEqual([
				`${path.basename(workbench.folder)} casual_mcp_config.json`,
				'other',
				`User Configuration ${workbench.userFile} · Approval applies to all workspaces`,
				'mine',
				'notes',
			]);
		await review.getByText('Not started: denied.').waitFor();
	});

	test('finds one by its command, puts it off, and disables another; neither is started', async ({
		workbench,
	}) => {
		const { review } = workbench;
		const button = (name: string) => review.getByRole('button', { name, exact: true });
		const rows = () => review.locator('tbody tr:not(.file)').getByRole('rowheader').allInnerTexts();
		await workbench.reviewed('other').getByRole('checkbox').check();
		await review.getByRole('searchbox').fill('touch MINE');
		await expect.poll(rows).toEqual(['mine']);
		// What is not shown is not decided on.
		expect(await button('Approve').isDisabled()).toBe(true);
		await workbench.reviewed('mine').getByRole('checkbox').check();
		await button('Not Now').click();
		await review.getByRole('searchbox').fill('');
		await expect.poll(rows).toEqual(['other', 'notes']);
		await expect
			.poll(async () => {
				await button('Disable')
					.click({ timeout: CLICK_LIMIT_MS })
					.catch(() => {});
				return rows();
			})
			.toEqual(['notes']);
		const tree = workbench.tree('Servers');
		await tree.waitForRow('other', 'disabled');
		await tree.waitForRow('mine', 'approval');
		const started = ['later', 'mine', 'notes'].filter((name) =>
			existsSync(path.join(workbench.folder, name)),
		);
		expect(started).toEqual([]);
		rmSync(workbench.userFile);
		rmSync(workbench.configFile);
		await expect.poll(() => tree.welcomeText()).toContain('No MCP servers are configured');
		await workbench.runCommand('View: Close All Editors');
		await workbench.runCommand('Notifications: Clear All Notifications');
	});
});
