import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { VSIX } from '../../scripts/projectPaths.ts';
import { ContextPage } from './contextPage.ts';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

// An editor and a browser of its own: after others' windows were closed and their storage was cleared, VS Code may keep its own in
// memory only, where a reload finds nothing.
const test = workbenchTest(() => Workbench.open({ vsix: VSIX }));

/** How many tools the status bar says that the chat has loaded. */
async function loadedIn(workbench: Workbench): Promise<string | undefined> {
	return /(\d+)\/24 tools/.exec((await workbench.statusBar()).join())?.[1];
}

describe('a person on a fresh machine opens the example workspace', () => {
	test('sees the servers and their tools in the sidebar', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('filesystem', '14 tools');
		await tree.waitForRow('git', '28 tools');
		await tree.waitForRow('sequential-thinking', '1 always');
	});

	test('asks for a file, is asked before it is written, and finds it', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.chat.send('@discovery create a file called hello.txt with the text Hello');
		const question = await workbench.chat.confirmation();
		expect(question.text).toContain('Run write file (filesystem)?');
		expect(question.text).toContain('hello.txt');
		expect(question.buttons).toEqual(['Allow Once', 'Skip']);
		expect(existsSync(path.join(workbench.folder, 'hello.txt'))).toBe(false);
		await workbench.screenshot('confirmation');

		await workbench.chat.allow();
		await workbench.chat.waitForIdle();
		expect(readFileSync(path.join(workbench.folder, 'hello.txt'), 'utf8')).toBe('Hello');
		expect(await workbench.chat.responseText()).toContain('Successfully wrote to hello.txt');

		const tree = workbench.tree('Servers');
		await tree.expand('filesystem');
		await tree.waitForRow('write_file', 'loaded');
		await tree.waitForRow('move_file', 'deferred');
		// It was loaded for the words of the message; the two that are always loaded are not counted.
		await eventually(() => loadedIn(workbench)).toBe('1');
		await workbench.screenshot('chat');
	});

	test('opens the file that was written from the answer', async ({ workbench }) => {
		const answer = workbench.page.locator('.interactive-response').last();
		await answer.locator('.chat-inline-anchor-widget', { hasText: 'hello.txt' }).click();
		await workbench.page.locator('.tab.active', { hasText: 'hello.txt' }).waitFor();
		await workbench.screenshot('changed-file');
		await workbench.runCommand('View: Close All Editors');
	});

	test('opens the call from the answer, and begins it again with the same arguments', async ({
		workbench,
	}) => {
		const { page, chat } = workbench;
		expect(await chat.followups()).toEqual(['What is loaded now?']);
		await page
			.locator('.interactive-response')
			.last()
			.locator('a', { hasText: 'filesystem:write_file' })
			// The one before is folded away with the steps.
			.last()
			.click();
		await page.locator('.tab.active', { hasText: 'write_file' }).waitFor();
		const shown = page.frameLocator('iframe.webview.ready').frameLocator('iframe').locator('body');
		await shown.getByText('"content": "Hello"').waitFor();
		await workbench.screenshot('call');
		await page.locator('.editor-actions').getByRole('button', { name: 'Run Tool Again…' }).click();
		const input = page.locator('.quick-input-widget input').first();
		await eventually(() => input.inputValue()).toBe('hello.txt');
		await workbench.screenshot('call-again');
		await page.keyboard.press('Escape');
		await workbench.runCommand('View: Close All Editors');
	});

	test('declines a call, and nothing is written', async ({ workbench }) => {
		await workbench.chat.send('create a file called no.txt with the text No');
		await workbench.chat.confirmation();
		await workbench.chat.skip();
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('You declined');
		expect(existsSync(path.join(workbench.folder, 'no.txt'))).toBe(false);
	});

	test('stops while it is being asked, and nothing is written', async ({ workbench }) => {
		await workbench.chat.send('create a file called stopped.txt with the text No');
		await workbench.chat.confirmation();
		await workbench.chat.stop();
		await workbench.chat.waitForIdle();
		expect(existsSync(path.join(workbench.folder, 'stopped.txt'))).toBe(false);
		await eventually(() => workbench.chat.followups()).toContain('You stopped this answer. Continue?');
		await workbench.chat.waitForText('You stopped this answer before it was complete.');
		await workbench.screenshot('stopped');
	});

	test('removes a server from the file while its call waits, and is told that', async ({ workbench }) => {
		const file = path.join(workbench.folder, 'casual_mcp_config.json');
		const text = readFileSync(file, 'utf8');
		await workbench.chat.send('create a file called removed.txt with the text No');
		await workbench.chat.confirmation();
		writeFileSync(file, text.replace('"filesystem": {', '"renamed": {'));
		await workbench.tree('Servers').waitForRow('renamed', 'approval');
		await workbench.chat.allow();
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain(
			"The server 'filesystem' was removed from the configuration while this call waited for permission",
		);
		await workbench.screenshot('removed');
		writeFileSync(file, text);
		await workbench.tree('Servers').waitForRow('filesystem', '14 tools');
		expect(existsSync(path.join(workbench.folder, 'removed.txt'))).toBe(false);
		// The question about the renamed server lies over the chat's input.
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	test('is asked by name for what is missing, and gives it', async ({ workbench }) => {
		await workbench.chat.send('create a file called later.txt');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('content');
		await workbench.chat.send('content="At last"');
		await workbench.chat.allow();
		await workbench.chat.waitForIdle();
		expect(readFileSync(path.join(workbench.folder, 'later.txt'), 'utf8')).toBe('At last');
	});

	test('reads a file without being asked', async ({ workbench }) => {
		await workbench.chat.send('read the file later.txt');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('At last');
	});

	test('reloads the window, and the chat still has what it loaded', async ({ workbench }) => {
		const before = await loadedIn(workbench);
		await workbench.runCommand('Discovery: Show Context');
		const context = new ContextPage(workbench.page);
		await eventually(() => context.state.innerText()).toContain(`${before} of at most 24 tools loaded`);
		const tabs = workbench.page.locator('.tabs-container .tab');
		await workbench.openConfiguration();
		await tabs.and(workbench.page.locator('.active', { hasText: 'casual_mcp_config.json' })).waitFor();
		// No other answer has called a tool that reads: the last one is stored.
		await workbench.waitForStoredChat('"called":["filesystem__read_');
		await workbench.reload();
		await workbench.openSidebar('Discovery');
		await eventually(() => loadedIn(workbench)).toBe(before);
		const tree = workbench.tree('Servers');
		await tree.waitForRow('filesystem', 'idle');
		// The view says which chat it is about.
		const name = workbench.page.locator('.sidebar', {
			hasText: 'Last used chat: “create a file called hello.txt with the text Hello”',
		});
		await name.waitFor();
		// Another editor is in front: the status bar leads to the page that is there.
		await workbench.page.locator('.statusbar-item', { hasText: '/24 tools' }).click();
		await eventually(() => context.state.innerText()).toContain(`${before} of at most 24 tools loaded`);
		await eventually(async () => (await context.bars('Tokens by request')).length).toBeGreaterThan(0);
		expect(await tabs.filter({ hasText: 'Context' }).count()).toBe(1);
		await workbench.screenshot('idle');
		// The editor shows the chat again in its own time; until then, a message would begin a new one.
		await workbench.chat.waitForText('At last');
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		const active = /MCP active: (\d+)\/24 \(.*filesystem:write_file/s.exec(
			await workbench.chat.responseText(),
		);
		expect(active?.[1]).toBe(before);
		await name.waitFor();
	});

	test('calls a tool of a server that is known from disk only, and it starts', async ({ workbench }) => {
		await workbench.chat.send('read the file hello.txt');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('Hello');
		await workbench.openSidebar('Discovery');
		const rows = await workbench.tree('Servers').rows();
		expect(rows.find((row) => row.label === 'filesystem')?.description).not.toContain('Idle');
		expect(rows.find((row) => row.label === 'git')?.description).toContain('Idle');
	});

	test('reloads the window in the middle of a call, is told that it was interrupted, and goes on', async ({
		workbench,
	}) => {
		const { chat } = workbench;
		await chat.send('everything:trigger-long-running-operation duration=300 steps=2');
		await chat.waitForText('Call of');
		await workbench.waitForStoredChat('Call of `everything:trigger');
		await workbench.reload();
		await chat.waitForText('Call of');
		await workbench.page.getByText('interrupted when the window closed').first().waitFor();
		await workbench.screenshot('interrupted');
		await workbench.answerNotification('interrupted when the window closed', 'Continue');
		await chat.waitForText('The last answer was interrupted');
		await chat.waitForText('Call of');
		await workbench.screenshot('interrupted-continued');
		await chat.stop();
		await chat.waitForIdle();
	});
});
