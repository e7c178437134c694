import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { EXAMPLE_WORKSPACE } from '../../../scripts/projectPaths.ts';
import { titleOf } from '../../localizedPackage.ts';
import { namelessElements, tabStops, tabTo } from '../keyboard.ts';
import { firstTest as test } from '../workbenchTest.ts';

describe('a person opens the sample for the first time', () => {
	test('and sees what needs approval, with one question that leads to the review', async ({ workbench }) => {
		await workbench.tree('Servers').waitForRow('git', 'approval');
		await expect.poll(() => workbench.badge('Discovery')).toBe('5');
		await workbench.answerNotification('need your approval', 'Review…');
		await workbench.review.getByRole('table').waitFor();
		expect(await workbench.notifications()).toEqual([]);
		await workbench.runCommand('View: Close Editor');
	});

	test('sends a request, and stops it while it waits for the approval', async ({ workbench }) => {
		const { chat } = workbench;
		await chat.send('what changed in this git repository?');
		await chat.waitForText('Waiting for your approval');
		await chat.stop();
		await chat.waitForIdle();
	});

	test('reviews the servers with the keyboard: Tab reaches everything, and everything has a name', async ({
		workbench,
	}) => {
		const { review, page, chat } = workbench;
		await chat.send('read notes/shopping.md');
		await chat.waitForText('Waiting for your approval');
		await workbench.run('reviewServers');
		await review.getByRole('table').waitFor();
		expect(await namelessElements(workbench)).toEqual([]);
		expect(await tabStops(workbench)).toEqual({ missed: [], hidden: [] });
		const rows = () => review.locator('tr[data-key]').count();
		const all = await rows();
		await tabTo(workbench, 'searchbox', 'Filter servers', 'Shift+Tab');
		await page.keyboard.type('thinking/dist');
		await expect.poll(rows).toBe(1);
		await tabTo(workbench, 'checkbox', 'sequential-thinking');
		await page.keyboard.press('Space');
		await tabTo(workbench, 'button', 'Approve', 'Shift+Tab');
		await page.keyboard.press('Enter');
		await workbench.tree('Servers').waitForRow('sequential-thinking', 'loaded');
		await tabTo(workbench, 'searchbox', 'Filter servers', 'Shift+Tab');
		await page.keyboard.press('ControlOrMeta+A');
		await page.keyboard.press('Delete');
		await expect.poll(rows).toBe(all - 1);
	});

	test('approves the others, and the message that waited is answered', async ({ workbench }) => {
		const { chat } = workbench;
		await workbench.approveReviewed();
		await workbench.tree('Servers').waitForRow('git', '28 tools');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('Darjeeling');
		await expect
			.poll(() => chat.followups())
			.toEqual(['What is loaded now?', 'create a file called hello.txt with the text Hello']);
	});

	test('is greeted while the only server needs approval, and gets suggestions once others can be used', async ({
		workbench,
	}) => {
		const { chat, configFile } = workbench;
		const config = readFileSync(configFile, 'utf8');
		writeFileSync(configFile, JSON.stringify({ servers: { unseen: { command: 'node' } } }));
		await workbench.tree('Servers').waitForRow('unseen', 'approval');
		await chat.send('@discovery');
		await chat.waitForText('MCP servers start only after you approve them.');
		await chat.waitForIdle();
		expect(await chat.followups()).toEqual([]);
		writeFileSync(configFile, config);
		await expect
			.poll(() => chat.followups())
			.toEqual([
				'create a file called hello.txt with the text Hello',
				'read notes/shopping.md',
				'what changed in this git repository?',
			]);
		await chat.send('@discovery');
		await chat.waitForText('pick a suggestion');
		await expect.poll(() => chat.followups()).toHaveLength(3);
		await chat.pressInAnswer('User guide');
		await workbench.webview.getByRole('heading', { name: 'Discovery user guide' }).waitFor();
		await workbench.webview.getByRole('link', { name: 'Troubleshooting' }).click();
		await workbench.webview.getByRole('heading', { name: 'Troubleshooting' }).waitFor();
		await workbench.runCommand('View: Close All Editors');
		await workbench.tree('Servers').waitForRow('git', '28 tools');
	});
});

describe('a person approves a server, but does not trust its read-only annotations', () => {
	test('revokes an approval: the server is gone until it is approved again', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await workbench.revokeApproval('filesystem');
		await tree.waitForRow('filesystem', 'approval');
		const config = readFileSync(path.join(EXAMPLE_WORKSPACE, 'casual_mcp_config.json'), 'utf8');
		expect(readFileSync(workbench.configFile, 'utf8')).toBe(config);
		await tree.inlineAction('filesystem', titleOf('reviewServers'));
		await workbench.approveReviewed({ allowsReadOnly: false });
		await tree.waitForRow('filesystem', /14 (tools|loaded)/);
	});

	test('is asked before a read-only tool runs, and trusts its annotation from then on', async ({
		workbench,
	}) => {
		const { chat } = workbench;
		writeFileSync(path.join(workbench.folder, 'hello.txt'), 'Hello');
		await chat.send('read the file hello.txt');
		const { text: question } = await chat.confirmation();
		expect(question).toContain('Marked read-only by filesystem');
		await chat.choose('Allow Read-Only Tools of filesystem Without Asking');
		await chat.waitForIdle();
		await chat.send('read the file hello.txt');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('Hello');
	});
});
