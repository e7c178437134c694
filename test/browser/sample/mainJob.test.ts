import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { titleOf } from '../../localizedPackage.ts';
import { ContextPage } from '../contextPage.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

/** How many tools the chat has loaded, as the status bar says. */
async function loadedIn(workbench: Workbench): Promise<string | undefined> {
	return /^(\d+) of /.exec(await workbench.toolsStatus())?.[1];
}

describe('a person on a fresh machine opens the example workspace', () => {
	test('asks for a file, is asked before it is written, and finds it', async ({ workbench }) => {
		const { chat, folder } = workbench;
		const tree = workbench.tree('Servers');
		await tree.waitForRow('filesystem', /14 (tools|loaded)/);
		await tree.waitForRow('git', '28 tools');
		await tree.waitForRow('sequential-thinking', 'loaded');

		await chat.send('@discovery create a file called hello.txt with the text Hello');
		const question = await chat.confirmation();
		expect(question.text).toContain('Run “write file” from filesystem?');
		expect(question.text).toContain('hello.txt');
		expect(question.buttons).toEqual(['Allow Once', 'Skip']);
		expect(existsSync(path.join(folder, 'hello.txt'))).toBe(false);
		await chat.allow();
		await chat.waitForIdle();
		expect(readFileSync(path.join(folder, 'hello.txt'), 'utf8')).toBe('Hello');
		expect(await chat.responseText()).toContain('Successfully wrote to hello.txt');

		await tree.expand('filesystem');
		await tree.waitForRow('write_file', 'loaded');
		await tree.waitForRow('move_file', 'deferred');
		// The tool that the message needed, and the two that are always loaded.
		await expect.poll(() => loadedIn(workbench)).toBe('3');
	});

	test('opens the call from the answer, and runs it again', async ({ workbench }) => {
		const { page, chat } = workbench;
		const answer = page.locator('.interactive-response').last();
		expect(await chat.followups()).toContain('What is loaded now?');
		// The first link of this name is folded away with the steps.
		await answer.locator('a', { hasText: 'filesystem:write_file' }).last().click();
		await page.locator('.tab.active', { hasText: 'write_file' }).waitFor();
		await workbench.webview.getByText('"content": "Hello"').waitFor();
		const again = titleOf('runTool');
		await page.locator('.editor-actions').getByRole('button', { name: again }).click();
		await expect.poll(() => page.locator('.quick-input-widget input').first().inputValue()).toBe('hello.txt');
		await page.keyboard.press('Escape');
		await workbench.runCommand('View: Close All Editors');
	});

	test('stops while it is being asked, and nothing is written', async ({ workbench }) => {
		const { chat, folder } = workbench;
		await chat.send('create a file called stopped.txt with the text No');
		await chat.confirmation();
		await chat.stop();
		await chat.waitForIdle();
		expect(existsSync(path.join(folder, 'stopped.txt'))).toBe(false);
		await expect.poll(() => chat.followups()).toContain('You stopped this answer. Continue?');
		await chat.waitForText('You stopped this answer before it was complete.');
	});

	test('removes a server from the file while its call waits, and is told that', async ({ workbench }) => {
		const { chat, configFile } = workbench;
		const text = readFileSync(configFile, 'utf8');
		await chat.send('create a file called removed.txt with the text No');
		await chat.confirmation();
		writeFileSync(configFile, text.replace('"filesystem": {', '"renamed": {'));
		await workbench.tree('Servers').waitForRow('renamed', 'approval');
		await chat.allow();
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain(
			"The server 'filesystem' was removed from the configuration while this call waited for permission",
		);
		writeFileSync(configFile, text);
		await workbench.tree('Servers').waitForRow('filesystem', /14 (tools|loaded)/);
		expect(existsSync(path.join(workbench.folder, 'removed.txt'))).toBe(false);
		// The question about the renamed server lies over the chat's input.
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	test('reloads the window in the middle of a call: the chat has what it loaded, and goes on', async ({
		workbench,
	}) => {
		const { chat, page } = workbench;
		await workbench.run('showContext');
		const context = new ContextPage(workbench);
		const before = await loadedIn(workbench);
		await expect.poll(() => context.state.innerText()).toContain(await workbench.toolsStatus());
		await workbench.openConfiguration();
		await page.locator('.tab.active', { hasText: 'casual_mcp_config.json' }).waitFor();
		await chat.send('everything:trigger-long-running-operation with duration=300 and steps=2');
		await chat.waitForText('Call of');
		await expect.poll(() => loadedIn(workbench)).not.toBe(before);
		const loaded = await loadedIn(workbench);
		await workbench.waitForStoredChat('Call of `everything:trigger');
		await workbench.reload();
		// Until the editor shows the chat again, a message would start a new one.
		await chat.waitForText('Call of');
		await page.getByText('interrupted when the window closed').first().waitFor();
		// First, because a notification does not stay.
		await workbench.answerNotification('interrupted when the window closed', 'Continue');
		await chat.waitForText('during: everything:trigger-long-running-operation');
		await chat.waitForText('Call of');
		await chat.stop();
		await chat.waitForIdle();

		await workbench.openSidebar('Discovery');
		await expect.poll(() => loadedIn(workbench)).toBe(loaded);
		// It was named, not found: the interrupted answer is not lost with its window.
		const named = 'everything:trigger-long-running-operation';
		await workbench.tree('Loaded Tools').waitForRow(named, 'named by you');
		const tree = workbench.tree('Servers');
		await tree.waitForRow('filesystem', 'idle');
		const name = page.locator('.sidebar', {
			hasText: 'Last used chat: “create a file called hello.txt with the text Hello”',
		});
		await name.waitFor();
		// The configuration is in front: the status bar leads to the page that is open behind it.
		await page.locator('.statusbar-item', { hasText: ' tools loaded' }).click();
		await expect.poll(() => context.state.innerText()).toContain(await workbench.toolsStatus());
		await expect.poll(async () => (await context.events()).length).toBeGreaterThan(0);
		expect(await page.locator('.tabs-container .tab', { hasText: 'Context' }).count()).toBe(1);

		await chat.send('read the file hello.txt');
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('Hello');
		// Only the servers that the calls needed were started.
		await tree.waitForRow('filesystem', /14 (tools|loaded)/);
		await tree.waitForRow('git', 'idle');
		await chat.send('/context');
		await chat.waitForIdle();
		expect(await chat.responseText()).toMatch(/MCP active: \d+\/24 \(.*filesystem:write_file/s);
	});
});
