import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { titleOf } from '../../localizedPackage.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

/** The text of the results that are open as Markdown previews. */
async function shownResults({ page }: Workbench): Promise<string> {
	const frames = await page.locator('iframe.webview.ready').all();
	const texts = frames.map((frame) => {
		const body = frame.contentFrame().frameLocator('iframe').locator('body');
		return body.innerText({ timeout: 1000 }).catch(() => '');
	});
	return (await Promise.all(texts)).join('\n');
}

/** The question that is open, of a tool's form or of a server. */
function question({ page }: Workbench) {
	const widget = page.locator('.quick-input-widget');
	return {
		title: () => widget.locator('.quick-input-title').innerText(),
		input: widget.locator('input.input').first(),
		message: () => widget.locator('.quick-input-message').innerText(),
		text: () => widget.innerText(),
		button: (name: string) => widget.getByRole('button', { name }),
	};
}

/** Opens the list of all tools, types the name of one, and presses Enter once it is the active row. */
async function chooseTool(workbench: Workbench, id: string): Promise<void> {
	await workbench.run('runTool');
	await workbench.quickPickRow('sequentialthinking').waitFor();
	await workbench.page.keyboard.type(id);
	const focused = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
	await focused.getByText(id.split(':').at(-1) ?? id, { exact: true }).waitFor();
	await workbench.page.keyboard.press('Enter');
}

describe('a person searches the tools by hand', () => {
	test('types a word with a slip, loads the tool with its button, and unloads it with the keyboard', async ({
		workbench,
	}) => {
		const { page } = workbench;
		const tree = workbench.tree('Servers');
		await tree.waitForRow('git', '28 tools');
		await tree.expand('git');
		await workbench.run('searchTools');
		const row = workbench.quickPickRow('git_branch');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await page.keyboard.type('brnach');
		await row.getByRole('button', { name: titleOf('loadTool'), exact: true }).click();
		await row.getByRole('button', { name: titleOf('unloadTool'), exact: true }).waitFor();
		await tree.waitForRow('branch', 'loaded');
		// Into the list, and to the first button of its row.
		await page.keyboard.press('Tab');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await row.getByRole('button', { name: titleOf('loadTool'), exact: true }).waitFor();
		await tree.waitForRow('branch', 'deferred');
		await page.keyboard.press('Escape');
		await row.waitFor({ state: 'hidden' });
	});

	test('loads the tool that is typed with Enter, even before the list shows it', async ({ workbench }) => {
		await workbench.run('searchTools');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		const input = workbench.page.locator('.quick-input-widget input').first();
		await input.fill('git_branch');
		await input.press('Enter');
		await workbench.quickPickRow('git_branch').waitFor({ state: 'hidden' });
		await workbench.tree('Servers').waitForRow('branch', 'loaded');
	});

	test('finds nothing, and is led to the chat with these words', async ({ workbench }) => {
		await workbench.run('searchTools');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('xylophone');
		await workbench.quickPickRow('No tool matches “xylophone”').waitFor();
		await workbench.page.keyboard.press('Enter');
		const input = workbench.page.locator('.interactive-input-editor', { hasText: '@discovery' });
		await expect.poll(() => input.innerText()).toContain('xylophone');
	});
});

describe('a person runs a tool by hand', () => {
	test('is asked for its parameters, goes back, is asked before it changes something, and runs it again', async ({
		workbench,
	}) => {
		await chooseTool(workbench, 'filesystem:write_file');
		const { title, input, button } = question(workbench);
		await expect.poll(title).toBe('Run filesystem:write_file (1/2)');
		await input.fill('notes/other.txt');
		await input.press('Enter');
		await expect.poll(title).toBe('Run filesystem:write_file (2/2)');
		await input.fill('hello');
		await button('Back').click();
		await expect.poll(title).toBe('Run filesystem:write_file (1/2)');
		expect(await input.inputValue()).toBe('notes/other.txt');
		await input.fill('notes/by-hand.txt');
		await input.press('Enter');
		await expect.poll(title).toBe('Run filesystem:write_file (2/2)');
		expect(await input.inputValue()).toBe('hello');
		await input.press('Enter');
		await workbench.answerDialog('Run “write_file” from filesystem?', 'Run');
		await expect.poll(() => shownResults(workbench)).toContain('Successfully wrote');
		expect(readFileSync(path.join(workbench.folder, 'notes/by-hand.txt'), 'utf8')).toBe('hello');
		await workbench.page
			.getByRole('button', { name: titleOf('runTool') })
			.first()
			.click();
		await expect.poll(title).toBe('Run filesystem:write_file (1/2)');
		expect(await input.inputValue()).toBe('notes/by-hand.txt');
		await input.press('Escape');
		await input.waitFor({ state: 'hidden' });
	});

	test('sees a picture beside the result', async ({ workbench }) => {
		// A result that is still loading would take the focus, which closes the list.
		await workbench.runCommand('View: Close All Editors');
		await workbench.run('searchTools');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('tiny image');
		const row = workbench.quickPickRow('get-tiny-image');
		await row.getByRole('button', { name: titleOf('runTool'), exact: true }).click();
		await workbench.page.locator('.tab', { hasText: 'get-tiny-image-1.png' }).waitFor();
		await workbench.page.locator('.tab', { hasText: 'get-tiny-image.md' }).waitFor();
		await workbench.page.locator('iframe.webview.ready').first().waitFor();
	});

	test('writes what fits into no line in an editor, which says what is wrong with it', async ({
		workbench,
	}) => {
		await workbench.runCommand('View: Close All Editors');
		await chooseTool(workbench, 'memory:create_entities');
		const { title, input } = question(workbench);
		await expect.poll(title).toBe('Run memory:create_entities');
		expect(await input.inputValue()).toBe('[{"name":"","entityType":"","observations":[""]}]');
		await workbench.page.getByRole('button', { name: 'Open in Editor' }).click();
		await workbench.page.locator('.tab', { hasText: 'entities (save to continue).json' }).waitFor();
		const { keyboard } = workbench.page;
		await keyboard.press('ControlOrMeta+A');
		await keyboard.type('7');
		await keyboard.press('ControlOrMeta+S');
		await expect.poll(async () => (await workbench.notifications()).join()).toContain('Enter a JSON list');
		await keyboard.press('ControlOrMeta+Z');
		await keyboard.press('ControlOrMeta+S');
		await workbench.answerDialog('Run “create_entities” from memory?', 'Run');
		const lines = workbench.page.locator('.editor-group-container.active .view-lines').first();
		await expect.poll(() => lines.innerText()).toContain('"observations"');
	});
});

describe('a server asks a person something', () => {
	test('who fills in a form, field by field', async ({ workbench }) => {
		await chooseTool(workbench, 'everything:trigger-elicitation-request');
		await workbench.answerDialog('Run “trigger-elicitation-request” from everything?', 'Run');
		const { title, input, message, text, button } = question(workbench);
		const answered = () => workbench.quickPickRow('Send').waitFor();
		const chooseField = async (name: string) => {
			await workbench.page.keyboard.type(name);
			await workbench.quickPickRow(name).first().click();
		};
		await expect.poll(title).toBe('everything asks you (Tool "trigger-elicitation-request")');
		await expect.poll(text).toContain('Please provide inputs for the following fields:');
		await workbench.page.keyboard.press('Enter');
		await expect.poll(message).toContain('Your full, legal name');
		await input.fill('Ada');
		await input.press('Enter');
		await answered();

		await chooseField('String with email format');
		// What is typed before the field's own input is there goes to the list.
		await expect.poll(message).toContain('Your email address');
		await input.fill('ada');
		await expect.poll(message).toContain('Must be an email address');
		await input.fill('ada@example.com');
		await input.press('Enter');
		await answered();

		await chooseField('Untitled Multiple Select Enum');
		for (const instrument of ['Piano', 'Violin', 'Drums']) await workbench.pick(instrument);
		await button('OK').click();
		await expect.poll(text).toContain('May have at most 3 items.');
		await workbench.pick('Guitar');
		await button('OK').click();
		await answered();
		await workbench.pick('Send');
		await expect.poll(() => shownResults(workbench)).toContain('"action": "accept"');
		const answer = await shownResults(workbench);
		for (const sent of ['"Ada"', '"ada@example.com"', '"Drums"']) expect(answer).toContain(sent);
		expect(answer).not.toContain('"Guitar"');
	});

	test('who declines while the chat waits for the answer', async ({ workbench }) => {
		const { chat } = workbench;
		const { title, text, message, button } = question(workbench);
		await chat.send('trigger an elicitation request');
		await chat.confirmation();
		await chat.allow();
		await expect.poll(title).toContain('everything asks you');
		await expect.poll(() => chat.responseText()).toContain('everything asks you something');
		await expect.poll(text).toContain('Please provide inputs for the following fields:');
		await workbench.page.keyboard.press('Enter');
		await expect.poll(message).toContain('Your full, legal name');
		await button('Decline').click();
		await chat.waitForIdle();
		expect(await chat.responseText()).toContain('You declined a question from everything.');
	});

	test('who reads the whole address before it is opened', async ({ workbench }) => {
		const { title, input } = question(workbench);
		const url = `http://xn--exmple-4nf.com/pay?to=${'x'.repeat(200)}`;
		await chooseTool(workbench, 'everything:trigger-url-elicitation');
		await expect.poll(title).toContain('(1/2)');
		await input.fill(url);
		await input.press('Enter');
		await expect.poll(title).toContain('(2/2)');
		await input.press('Enter');
		await workbench.answerDialog('Run “trigger-url-elicitation” from everything?', 'Run');
		await expect.poll(title).toBe('everything asks you (Tool "trigger-url-elicitation")');
		await workbench.pick('Show URL…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await expect.poll(() => dialog.innerText()).toContain('Host: xn--exmple-4nf.com');
		expect(await dialog.innerText()).toContain('x'.repeat(200));
		await workbench.answerDialog('Open xn--exmple-4nf.com in the browser?', 'Decline');
	});
});

describe('a person uses what a server has beside tools', () => {
	test('fills in a prompt with the values that the server proposes', async ({ workbench }) => {
		await workbench.chat.send('/prompt everything:completable-prompt');
		await workbench.quickPickRow('Engineering').waitFor();
		await workbench.pick('Sales');
		await workbench.quickPickRow('David').waitFor();
		await workbench.pick('David');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toMatch(
			/will be sent with your next message:.*David.*Sales/s,
		);
	});

	test('is told which server could not be searched, with a button to approve it', async ({ workbench }) => {
		const { configFile } = workbench;
		const launcher = '"launcher": { "command": "node", "args": ["-e", ""] },';
		const text = readFileSync(configFile, 'utf8');
		writeFileSync(configFile, text.replace('"servers": {', `"servers": { ${launcher}`));
		await workbench.tree('Servers').waitForRow('launcher', 'approval');
		await workbench.runCommand('Notifications: Clear All Notifications');
		await workbench.runCommand('View: Close All Editors');
		await workbench.chat.send('/find launch a rocket to the moon');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toMatch(/launcher/);
		await workbench.chat.pressInAnswer(titleOf('reviewServers'));
		await expect.poll(() => workbench.review.locator('body').innerText()).toContain('launcher');
	});
});
