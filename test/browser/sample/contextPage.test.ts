import path from 'node:path';
import { describe, expect } from 'vitest';
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';
import { type Bar, ContextPage } from '../contextPage.ts';
import { namelessElements, tabStops, tabTo } from '../keyboard.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

const complaints: string[] = [];

/** Themes by the class that the window has with them. */
const themes = {
	vs: 'Light 2026',
	'vs-dark': 'Dark 2026',
	'hc-black': 'Dark High Contrast',
	'hc-light': 'Light High Contrast',
};
/** Of WCAG 2, level AA, for text of usual size. */
const leastContrast = 4.5;
/** The page has two columns, or one, beside the sidebar and the chat; the height holds most of it. */
const wide = { width: 1500, height: 1900 };
const narrow = { width: 1000, height: 1900 };

/** How many tools the status bar counts as loaded. */
async function loadedCount(workbench: Workbench): Promise<number> {
	return Number.parseInt(await workbench.toolsStatus(), 10);
}

/** A bar by the heading of its row, once it is drawn. */
async function eventuallyBar(page: ContextPage, title: string, heading: string): Promise<Bar> {
	const look = async () => (await page.bars(title)).find(({ cells }) => cells[0] === heading);
	await expect.poll(async () => (await look())?.parts.length ?? 0).toBeGreaterThan(0);
	const found = await look();
	if (!found) throw new Error(`there is no bar of ${heading}`);
	return found;
}

describe('a person wants to see what a chat has loaded, why, and at what price', () => {
	test('opens the page before there is a chat, and is told what to do', async ({ workbench }) => {
		workbench.page.on('console', (message) => {
			if (/content security policy/i.test(message.text())) complaints.push(message.text());
		});
		workbench.page.on('pageerror', ({ message }) => complaints.push(message));
		await workbench.page.setViewportSize(wide);
		await workbench.tree('Servers').waitForRow('git', '28 tools');
		await workbench.run('showContext');
		const page = new ContextPage(workbench);
		await page.button('Ask @discovery').waitFor();
		await expect.poll(() => page.state.innerText()).toMatch(/^2 of \d+ tools loaded · −\d\d%$/);
		const git = await eventuallyBar(page, 'Tokens by server', 'git');
		expect(git.parts).toHaveLength(1);
		expect(git.parts[0]?.width).toBeGreaterThan(50);
		expect(git.cells).toEqual(['git', '', '0', expect.stringMatching(/^\d,\d{3}$/)]);
	});

	test('sees searches, loads and calls as the chat goes on', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		await workbench.chat.send('@discovery read the file docs/architecture.md');
		await workbench.chat.waitForIdle();
		await expect.poll(() => page.state.innerText()).toMatch(/^3 of \d+ tools loaded/);
		expect(await page.loadedTools()).toContain('filesystem:read_text_file');
		expect(await page.section('Loaded tools').innerText()).toContain('preloaded: “read');
		const events = (await page.events()).join('\n');
		expect(events).toMatch(
			/Loaded filesystem:.*Sent \d+ tools? to the model.*Searched “read.*Called filesystem:/s,
		);
		const filesystem = await eventuallyBar(page, 'Tokens by server', 'filesystem');
		expect(filesystem.parts).toHaveLength(2);
	});

	test('reads what was said as it was said, whatever it is', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		const markup = '<b class="markup">hello</b>';
		await workbench.chat.send(`@discovery ${markup}`);
		await workbench.chat.waitForIdle();
		await expect.poll(() => page.section('Timeline').locator('blockquote').last().innerText()).toBe(markup);
		expect(await page.body.locator('.markup').count()).toBe(0);
	});

	test('unloads a tool with the keyboard, goes on from there, and takes it back', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		const [tool] = await page.loadedTools();
		const loaded = await loadedCount(workbench);
		await page.button('Export JSON').focus();
		await tabTo(workbench, 'button', `Unload ${tool}`);
		await workbench.page.keyboard.press('Enter');
		await expect.poll(() => page.loadedTools()).not.toContain(tool);
		await expect.poll(() => loadedCount(workbench)).toBe(loaded - 1);
		const focused = page.section('Loaded tools').locator('h2:focus');
		await expect.poll(() => focused.count()).toBe(1);
		await tabTo(workbench, 'button', `Undo: unload ${tool}`);
		await workbench.page.keyboard.press('Enter');
		await expect.poll(() => page.loadedTools()).toContain(tool);
		await expect.poll(() => loadedCount(workbench)).toBe(loaded);
	});

	test('keeps the place and what is unfolded while the chat goes on', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		const always = page.section('Loaded tools').getByText('Always loaded');
		await always.click();
		await always.focus();
		await workbench.page.setViewportSize({ ...wide, height: 700 });
		const scroll = () => page.body.evaluate(() => scrollY);
		const loaded = await loadedCount(workbench);
		// The page gets its new height a moment after the window. Before, it is not long enough to be scrolled that far.
		await expect
			.poll(async () => {
				await page.body.evaluate(() => scrollTo(0, 150));
				return scroll();
			})
			.toBe(150);
		await workbench.chat.send('/load git:git_log');
		await workbench.chat.waitForIdle();
		await expect.poll(() => page.state.innerText()).toMatch(new RegExp(`^${loaded + 1} of `));
		expect(await scroll()).toBe(150);
		await page.alwaysLoaded.waitFor();
		await workbench.page.setViewportSize(wide);
	});

	test('comes back to it from the status bar', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		await workbench.openConfiguration();
		await page.body.waitFor({ state: 'hidden' });
		await workbench.page.locator('.statusbar-item', { hasText: ' tools loaded' }).click();
		await eventuallyBar(page, 'Tokens by server', 'git');
	});

	test('reaches all of it with Tab, sees where the focus is, and hears a name for everything', async ({
		workbench,
	}) => {
		await workbench.page.keyboard.press('Escape');
		expect(await namelessElements(workbench)).toEqual([]);
		expect(await tabStops(workbench)).toEqual({ missed: [], hidden: [] });
	});

	test('can read it in a light, a dark and in high-contrast themes', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		const colors = new Map<string, string>();
		for (const [className, theme] of Object.entries(themes)) {
			await workbench.runCommand('Preferences: Color Theme');
			await workbench.answerInput(theme);
			await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
			const isDark = className === 'vs-dark' || className === 'hc-black';
			await expect
				.poll(() =>
					page.body.evaluate((body) => body.className.replace(/vscode-high-contrast\b(?=.*light)/, '')),
				)
				.toMatch(isDark ? /vscode-(dark|high-contrast)\b/ : /light/);
			for (const text of [
				page.section('Loaded tools').getByRole('rowheader').first(),
				page.section('Loaded tools').locator('thead th').first(),
				page.section('Timeline').locator('.words').first(),
				page.section('Timeline').locator('time').first(),
				page.section('Tokens by server').locator('.note'),
				page.button('Export JSON'),
				page.section('Tokens by server').getByRole('rowheader').first(),
				page.state,
			]) {
				expect(await page.contrast(text), `${theme}: ${await text.innerText()}`).toBeGreaterThan(
					leastContrast,
				);
			}
			const drawn = (await page.bars('Tokens by server')).flatMap(({ parts }) => parts);
			expect(drawn.every(({ width }) => width >= 2)).toBe(true);
			colors.set(theme, [...new Set(drawn.map(({ color }) => color))].join(' '));
		}
		expect(new Set(colors.values()).size).toBe(colors.size);
	});

	test('can read it in a narrow window without scrolling sideways', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		const widthOf = () => page.body.evaluate((body) => body.clientWidth);
		const before = await widthOf();
		await workbench.page.setViewportSize(narrow);
		await expect.poll(widthOf).toBeLessThan(before);
		await expect.poll(() => page.body.evaluate((body) => body.scrollWidth - body.clientWidth)).toBe(0);
		await workbench.page.setViewportSize(wide);
	});

	test('can read its tables in the smallest editor, without scrolling any of them sideways', async ({
		workbench,
	}) => {
		const html = await new ContextPage(workbench).body.evaluate(({ ownerDocument }) => {
			const copy = ownerDocument.documentElement.cloneNode(true) as HTMLElement;
			for (const one of copy.querySelectorAll('head, script')) one.remove();
			return copy.outerHTML;
		});
		// In a page of its own: what so small a window does to the editor's layout would stay.
		await using page = await workbench.page.context().newPage();
		await page.setViewportSize({ width: 214, height: 900 });
		await page.setContent(`<!DOCTYPE html>${html}`);
		await page.addStyleTag({ path: path.join(PROJECT_ROOT, 'dist/contextPage.css') });
		const tables = page.locator('.table:visible');
		expect(await tables.count()).toBeGreaterThan(2);
		const tooWide = await tables.evaluateAll((all) =>
			all
				.filter((one) => one.scrollWidth > one.clientWidth)
				.map((one) => `${one.querySelector('caption')?.textContent} by ${one.scrollWidth - one.clientWidth}`),
		);
		expect(tooWide).toEqual([]);
		const brokenWords = await page.locator('thead .number:visible').evaluateAll((titles) =>
			titles
				.filter((title) => {
					const range = title.ownerDocument.createRange();
					range.selectNodeContents(title);
					const lines = new Set([...range.getClientRects()].map(({ top }) => top));
					return lines.size > 1;
				})
				.map(({ textContent }) => textContent),
		);
		expect(brokenWords).toEqual([]);
	});

	test('can read it in the colours of a system that takes all others away', async ({ workbench }) => {
		const page = new ContextPage(workbench);
		await workbench.page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
		const colors = async () =>
			(await page.bars('Tokens by server')).flatMap(({ parts }) => parts.map(({ color }) => color));
		await expect.poll(colors).toContain('rgb(255, 255, 255)');
		await workbench.page.emulateMedia({ forcedColors: null, colorScheme: null });
	});

	test('and nothing of it is against the policy of the page', () => {
		expect(complaints).toEqual([]);
	});
});
