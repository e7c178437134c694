import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { EXAMPLE_WORKSPACE } from '../../scripts/projectPaths.ts';
import { ChatPanel } from './chatPanel.ts';
import { eventually } from './eventually.ts';
import { Steps } from './steps.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const test = workbenchTest(() =>
	Workbench.open({ approveServers: false, settings: { 'mcpDiscovery.welcome': true } }),
);

describe('a person opens the example for the first time', () => {
	test('and sees the chat, the view and the first step, with one question', async ({ workbench }) => {
		const { page, chat } = workbench;
		await chat.waitForText('MCP servers start only after you approve them.');
		const suggestions = [
			'create a file called hello.txt with the text Hello',
			'read notes/shopping.md',
			'what changed in this git repository?',
		];
		await eventually(() => chat.followups()).toEqual(suggestions);
		await workbench.tree('Servers').waitForRow('git', 'approval');
		await eventually(() => workbench.badge('Discovery')).toBe('5');
		const step = page.locator('.gettingStartedContainer .getting-started-step.expanded');
		await step.getByText('Approve your servers, and see their tools').waitFor();
		expect(await workbench.notifications()).toEqual([]);
		await workbench.screenshot('first-minute');
		await page.setViewportSize({ width: 1100, height: 700 });
		await workbench.screenshot('first-minute-small');
	});

	test('clicks a suggestion, and stops it while it waits for the approval', async ({ workbench }) => {
		const { chat } = workbench;
		await chat.pressFollowup('what changed in this git repository?');
		await chat.waitForText('Waiting for your approval');
		await workbench.screenshot('first-minute-waiting');
		await chat.stop();
		await chat.waitForIdle();
		await eventually(() => chat.followups()).toContain('read notes/shopping.md');
	});

	test('clicks another, approves the servers, and gets its answer without asking again', async ({
		workbench,
	}) => {
		const { chat } = workbench;
		await chat.pressFollowup('read notes/shopping.md');
		await chat.waitForText('Waiting for your approval');
		await chat.pressInAnswer('Review Servers…');
		await workbench.approveReviewed();
		await workbench.tree('Servers').waitForRow('git', '28 tools');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('Darjeeling');
		await eventually(() => chat.followups()).toEqual(['What is loaded now?']);
		await workbench.screenshot('first-minute-answer');
	});

	test('asks for the greeting again, which no longer asks for anything', async ({ workbench }) => {
		const { chat } = workbench;
		await chat.send('@discovery');
		await chat.waitForText('pick a suggestion');
		await eventually(() => chat.followups()).toHaveLength(3);
	});

	test('opens another window, which greets nobody', async ({ workbench }) => {
		// A browser that has never been here: what is kept in it cannot tell.
		const context = await workbench.page.context().browser()?.newContext();
		const page = await context?.newPage();
		if (!page) throw new Error('the browser is gone');
		await page.goto(workbench.page.url());
		const chat = new ChatPanel(page, new Steps((name) => workbench.screenshot(name)));
		await chat.send('/context');
		await chat.waitForIdle();
		expect(await page.locator('.interactive-request').count()).toBe(1);
		expect(await page.locator('.gettingStartedContainer').count()).toBe(0);
	});
});

describe('a person approves a server, but not its word', () => {
	test('withdraws an approval: the server is gone until it is given again', async ({ workbench }) => {
		const { folder } = workbench;
		const tree = workbench.tree('Servers');
		await workbench.openSidebar('Discovery');
		await workbench.revokeApproval('filesystem');
		await tree.waitForRow('filesystem', 'approval');
		const config = readFileSync(path.join(EXAMPLE_WORKSPACE, 'casual_mcp_config.json'), 'utf8');
		expect(readFileSync(path.join(folder, 'casual_mcp_config.json'), 'utf8')).toBe(config);
		await tree.inlineAction('filesystem', 'Review Servers…');
		await workbench.approveReviewed({ allowsReadOnly: false });
		await tree.waitForRow('filesystem', '14 tools');
	});

	test('is asked before a tool that says that it only reads, and believes it from then on', async ({
		workbench,
	}) => {
		writeFileSync(path.join(workbench.folder, 'hello.txt'), 'Hello');
		await workbench.chat.send('read the file hello.txt');
		const { text: question } = await workbench.chat.confirmation();
		expect(question).toContain('Marked read-only by filesystem');
		await workbench.screenshot('approval-doubted');
		await workbench.chat.choose('Allow Read-Only Tools of filesystem Without Asking');
		await workbench.chat.waitForIdle();
		await workbench.chat.send('read the file hello.txt');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('Hello');
	});
});
