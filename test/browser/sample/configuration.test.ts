import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { VIEWPORT } from '../../../scripts/chromium.ts';
import { slowRegistry } from '../../servers/slowRegistry.ts';
import { ContextPage } from '../contextPage.ts';
import { Steps } from '../steps.ts';
import { TreeView } from '../treeView.ts';
import { titleOf, type Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

/** Puts the cursor behind some words of the open file. */
async function goTo({ page }: Workbench, text: string, words: string): Promise<void> {
	const before = text.slice(0, text.indexOf(words) + words.length).split('\n');
	await page.keyboard.press('Control+G');
	// The editor counts a tab as the columns that it takes.
	const column = (before.at(-1) ?? '').replaceAll('\t', '    ').length + 1;
	await page.locator('.quick-input-widget input').first().fill(`:${before.length}:${column}`);
	await page.keyboard.press('Enter');
	await page.locator('.statusbar-item', { hasText: `Ln ${before.length}, Col ${column}` }).waitFor();
}

describe('a person works in the configuration file', () => {
	test('stops and starts a server from the line over it', async ({ workbench }) => {
		const { page } = workbench;
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('memory', '9 tools');
		await workbench.openConfiguration();
		const memory = page.locator('.codelens-decoration', { hasText: '9 tools' });
		const line = () => memory.innerText();
		await expect.poll(line).toMatch(/Running · 9 tools · ≈\d+ tokens/);
		/** Presses a button of the line until that has worked: the line is drawn again whenever something changes. */
		const press = (name: string, result: RegExp) =>
			expect
				.poll(async () => {
					const button = memory.getByText(name, { exact: true });
					if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => {});
					return line();
				})
				.toMatch(result);
		await press('Stop', /Idle/);
		await press('Start', /Running/);
	});

	test('fixes a misspelt key with the light bulb, and undoes that', async ({ workbench }) => {
		const { page, configFile } = workbench;
		const good = readFileSync(configFile, 'utf8');
		const faulty = good.replace('"defer_loading": true', '"defer_laoding": true');
		writeFileSync(configFile, faulty);
		await page.locator('.monaco-editor .squiggly-warning').waitFor();
		await goTo(workbench, faulty, '"defer_lao');
		await page.locator('[class*="codicon-gutter-lightbulb"], .lightBulbWidget').first().waitFor();
		await page.keyboard.press('Control+.');
		await page.locator('.action-widget').getByText('Rename to "defer_loading"', { exact: true }).click();
		await page.locator('.monaco-editor .squiggly-warning').waitFor({ state: 'detached' });
		await page.keyboard.press('Control+S');
		const dirty = page.locator('.tab.active.dirty');
		await dirty.waitFor({ state: 'detached' });
		expect(readFileSync(configFile, 'utf8')).toBe(good);
		await page.keyboard.press('Control+Z');
		await page.locator('.monaco-editor .squiggly-warning').waitFor();
		await page.keyboard.press('Control+Shift+Z');
		await page.locator('.monaco-editor .squiggly-warning').waitFor({ state: 'detached' });
		// The text is the saved one again. VS Code would save it all the same if told to, and might write over the next test's file.
		await dirty.waitFor({ state: 'detached' });
	});

	test('leaves it to the extension whether to defer: page and status bar say that it does, and why', async ({
		workbench,
	}) => {
		workbench.addToConfiguration({ tool_discovery: { enabled: 'auto' } });
		await workbench.run('showContext');
		const page = new ContextPage(workbench.page);
		await expect.poll(() => page.state.innerText()).toMatch(/auto: on, because it saves \d+%/);
		const saved = /saves (\d+)%/.exec(await page.state.innerText())?.[1];
		await expect.poll(async () => (await workbench.statusBar()).join()).toContain(`−${saved}% tokens`);
		expect(await page.body.innerText()).toContain(`${100 - Number(saved)}% of that`);
		await workbench.runCommand('View: Close All Editors');
	});
});

describe('a person approves a server that npx must install first', () => {
	test('sees in its row that it installs, cancels that, and starts it again', async ({ workbench }) => {
		const folder = mkdtempSync(path.join(tmpdir(), 'slow-registry-'));
		// Longer than it takes until the row says that it installs.
		const registry = await slowRegistry(folder, 12_000);
		onTestFinished(async () => {
			await registry[Symbol.asyncDispose]();
			rmSync(folder, { recursive: true, force: true });
		});
		const { command, args, env } = registry.npx();
		// npm then writes a line for each answer of the registry.
		const plain = { command, args, env: { ...env, npm_config_loglevel: 'http' } };
		workbench.addToConfiguration({ servers: { plain } });
		await workbench.approveServers();
		const tree = workbench.tree('Servers');
		await tree.waitForRow('plain', 'Installing, ');
		await tree.waitForRow('plain', 'fetch GET 200');
		await tree.inlineAction('plain', titleOf('stopServer'));
		await tree.waitForRow('plain', 'Idle');
		registry.delayMs = 0;
		await tree.inlineAction('plain', titleOf('startServer'));
		await tree.waitForRow('plain', '1 tool');
	});
});

describe('a person opens the folder in a second tab', () => {
	test('whose tools are accepted as in the first; revoking an approval in one ends the server in both', async ({
		workbench,
	}) => {
		const first = workbench.tree('Servers');
		await first.waitForRow('memory', '9 tools');
		const page = await workbench.page.context().newPage();
		onTestFinished(() => page.close());
		page.setDefaultTimeout(90_000);
		await page.setViewportSize(VIEWPORT);
		await page.goto(workbench.page.url());
		const tab = page.locator('.activitybar [role="tab"]:has(> [aria-label^="Discovery"])').first();
		// The window opens with the view of the first, or else with the Explorer.
		if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
		const second = new TreeView(page, new Steps((name) => workbench.screenshot(name)), 'Servers');
		await second.waitForRow('memory', '9 tools');
		expect((await second.rows()).map(({ description }) => description).join()).not.toContain('accepted');
		expect(await page.locator('.notifications-toasts .notification-list-item').allInnerTexts()).toEqual([]);
		await workbench.revokeApproval('memory');
		await first.waitForRow('memory', 'approval');
		await second.waitForRow('memory', 'approval');
		await first.inlineAction('memory', titleOf('reviewServers'));
		await workbench.approveReviewed();
		await second.waitForRow('memory', '9 tools');
	});
});
