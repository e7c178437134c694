import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

/** The text of the active editor, as far as it is in view. */
async function editorText(workbench: Workbench): Promise<string> {
	const lines = workbench.page.locator('.editor-group-container.active .view-lines').first();
	return (await lines.innerText()).replaceAll('\u00a0', ' ');
}

/** What the results in Markdown say that are open, drawn as they are to be read. */
async function drawnText(workbench: Workbench): Promise<string> {
	const frames = await workbench.page.locator('iframe.webview.ready').all();
	const texts = frames.map((frame) => {
		const body = frame.contentFrame().frameLocator('iframe').locator('body');
		return body.innerText({ timeout: 1000 }).catch(() => '');
	});
	return (await Promise.all(texts)).join('\n');
}

function question(workbench: Workbench) {
	const widget = workbench.page.locator('.quick-input-widget');
	return {
		title: () => widget.locator('.quick-input-title').innerText(),
		input: widget.locator('input.input').first(),
		message: () => widget.locator('.quick-input-message').innerText(),
		back: widget.getByRole('button', { name: 'Back' }),
	};
}

/** Opens the list of all tools, and chooses one by typing its name. */
async function chooseTool(workbench: Workbench, id: string): Promise<void> {
	await workbench.runCommand('Discovery: Run Tool…');
	await workbench.quickPickRow('sequentialthinking').waitFor();
	await workbench.page.keyboard.type(id);
	// Until it is the one that Enter takes, the list still moves.
	const focused = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
	await focused.getByText(id.split(':').at(-1) ?? id, { exact: true }).waitFor();
	await workbench.page.keyboard.press('Enter');
}

describe('a person runs a tool by hand', () => {
	test('chooses it, is asked for its parameters, goes back, and sees the result', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		await chooseTool(workbench, 'everything:get-sum');
		const { title, input, message, back } = question(workbench);
		await eventually(title).toBe('Run everything:get-sum (1/2)');
		await input.fill('one');
		await eventually(message).toContain('Enter a number, such as 12 or 0.5.');
		await workbench.screenshot('run-fault');
		await input.fill('19');
		await input.press('Enter');
		await eventually(title).toBe('Run everything:get-sum (2/2)');
		await input.fill('2');
		await back.click();
		await eventually(title).toBe('Run everything:get-sum (1/2)');
		expect(await input.inputValue()).toBe('19');
		await input.fill('40');
		await input.press('Enter');
		await eventually(title).toBe('Run everything:get-sum (2/2)');
		expect(await input.inputValue()).toBe('2');
		await workbench.screenshot('run-parameter');
		await input.press('Enter');
		await eventually(() => drawnText(workbench)).toContain('The sum of 40 and 2 is 42.');
		await workbench.screenshot('run-result');
	});

	test('types the words of a tool in any order, and finds it', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Run Tool…');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('file write');
		await workbench.quickPickRow('write_file').waitFor();
		await workbench.screenshot('run-any-order');
		await workbench.page.keyboard.press('Escape');
	});

	test('runs it again from the result, with what was given before', async ({ workbench }) => {
		await workbench.page.getByRole('button', { name: 'Run Tool Again…' }).first().click();
		const { title, input } = question(workbench);
		await eventually(title).toBe('Run everything:get-sum (1/2)');
		expect(await input.inputValue()).toBe('40');
		await input.press('Escape');
		await input.waitFor({ state: 'hidden' });
	});

	test('picks from a list, and sees JSON', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await tree.expand('everything');
		await tree.contextMenu('get-structured-content', 'Run Tool…');
		await workbench.quickPickRow('Chicago').waitFor();
		await workbench.screenshot('run-choice');
		await workbench.pick('Chicago');
		await eventually(() => editorText(workbench)).toContain('"conditions"');
		await workbench.screenshot('run-json');
	});

	test('sees a picture beside the result', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Search Tools…');
		await workbench.quickPickRow('sequentialthinking').waitFor();
		await workbench.page.keyboard.type('tiny image');
		const row = workbench.quickPickRow('get-tiny-image');
		await row.getByRole('button', { name: 'Run Tool…', exact: true }).click();
		await workbench.page.locator('.tab', { hasText: 'get-tiny-image-1.png' }).waitFor();
		await workbench.page.locator('.tab', { hasText: 'get-tiny-image.md' }).waitFor();
		await workbench.page.locator('iframe.webview.ready').first().waitFor();
		await workbench.screenshot('run-image');
	});

	test('is asked before something changes, and may leave optional parameters out', async ({ workbench }) => {
		await chooseTool(workbench, 'filesystem:write_file');
		const { title, input } = question(workbench);
		await eventually(title).toContain('(1/2)');
		await input.fill('notes/by-hand.txt');
		await input.press('Enter');
		await eventually(title).toContain('(2/2)');
		await input.fill('hello');
		await input.press('Enter');
		await workbench.page.locator('.monaco-dialog-box').waitFor();
		await workbench.screenshot('run-confirm');
		await workbench.answerDialog('Run write_file (filesystem)?', 'Run');
		await eventually(() => drawnText(workbench)).toContain('Successfully wrote');
		expect(readFileSync(path.join(workbench.folder, 'notes/by-hand.txt'), 'utf8')).toBe('hello');
		expect(await workbench.notifications()).toEqual([]);
	});

	test('ticks the optional parameters that are to be filled in', async ({ workbench }) => {
		await chooseTool(workbench, 'everything:get-resource-reference');
		await workbench.quickPickRow('resourceId').waitFor();
		await workbench.screenshot('run-optional');
		await workbench.pick('resourceId');
		const { title, input } = question(workbench);
		await input.press('Enter');
		await eventually(title).toContain('(2/2)');
		await workbench.screenshot('run-optional-value');
		await input.fill('4');
		await input.press('Enter');
		await eventually(() => drawnText(workbench)).toContain('Resource 4:');
		await workbench.screenshot('run-resource');
	});
});

describe('a person gives a tool what fits into no line', () => {
	test('in an editor, which is told what does not fit', async ({ workbench }) => {
		await chooseTool(workbench, 'memory:create_entities');
		const { title, input } = question(workbench);
		await eventually(title).toBe('Run memory:create_entities');
		expect(await input.inputValue()).toBe('[{"name":"","entityType":"","observations":[""]}]');
		await workbench.page.getByRole('button', { name: 'Open in Editor' }).click();
		await workbench.page.locator('.tab', { hasText: 'entities (save to continue).json' }).waitFor();
		const { keyboard } = workbench.page;
		await keyboard.press('ControlOrMeta+A');
		await keyboard.type('7');
		await keyboard.press('ControlOrMeta+S');
		await eventually(async () => (await workbench.notifications()).join()).toContain('Enter a JSON list');
		await workbench.screenshot('run-editor-fault');
		await keyboard.press('ControlOrMeta+Z');
		await keyboard.press('ControlOrMeta+S');
		await workbench.answerDialog('Run create_entities (memory)?', 'Run');
		await eventually(() => editorText(workbench)).toContain('"observations"');
		await workbench.screenshot('run-editor');
	});
});

describe('a person makes a toolset', () => {
	test('of what is loaded, and sees it among the others', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.pick('Save Loaded Tools as Toolset…');
		await workbench.answerInput('daily');
		await workbench.answerNotification('the toolset “daily” is saved', 'Select for the Last Used Chat');
		const config = readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8');
		expect(config).toContain('"daily"');
		expect(config).toContain('// A toolset limits a chat');
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.quickPickRow('daily').waitFor();
		await workbench.screenshot('toolsets');
		await workbench.pick('All Tools');
	});
});
