import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished } from 'vitest';
import { CLICK_LIMIT_MS, type Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

/** Puts the cursor behind some words of the open file, again if the file was just being opened. */
async function goTo({ page }: Workbench, text: string, words: string): Promise<void> {
	const before = text.slice(0, text.indexOf(words) + words.length).split('\n');
	// The editor counts a tab as the columns that it takes.
	const column = (before.at(-1) ?? '').replaceAll('\t', '    ').length + 1;
	const place = page.locator('.statusbar-item', { hasText: `Ln ${before.length}, Col ${column}` });
	const go = async () => {
		await page.locator('.editor-group-container.active .view-lines').first().click({ timeout: 5_000 });
		await page.keyboard.press('Control+G');
		await page
			.locator('.quick-input-widget input')
			.first()
			.fill(`:${before.length}:${column}`, { timeout: 5_000 });
		await page.keyboard.press('Enter');
		await place.waitFor({ timeout: 5_000 });
	};
	await expect
		.poll(() =>
			go().then(
				() => true,
				() => false,
			),
		)
		.toBe(true);
}

describe('a person works in the configuration file', () => {
	test('fixes a misspelt key with the light bulb, and undoes that', async ({ workbench }) => {
		const { page, configFile } = workbench;
		const good = readFileSync(configFile, 'utf8');
		onTestFinished(() => writeFileSync(configFile, good));
		await workbench.openConfiguration();
		// The editor may still show the place where another test has left it.
		await goTo(workbench, good, '"memory"');
		// What can be done to a server stands in a line over it.
		await page.locator('.codelens-decoration', { hasText: '9 tools' }).waitFor();
		const faulty = good.replace('"defer_loading": true', '"defer_laoding": true');
		writeFileSync(configFile, faulty);
		await page.locator('.monaco-editor .squiggly-warning').waitFor();
		await goTo(workbench, faulty, '"defer_lao');
		const rename = page.locator('.action-widget').getByText('Rename to "defer_loading"', { exact: true });
		// The light bulb may come before the fix does, and an open menu does not change.
		await expect
			.poll(async () => {
				await page.keyboard.press('Escape');
				await page.locator('[class*="codicon-gutter-lightbulb"], .lightBulbWidget').first().waitFor();
				await page.keyboard.press('Control+.');
				return rename.click({ timeout: CLICK_LIMIT_MS }).then(
					() => true,
					() => false,
				);
			})
			.toBe(true);
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
});
