import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

function fileOf({ folder }: Workbench): string {
	return path.join(folder, 'casual_mcp_config.json');
}

/** The lines over the entries of the file, as far as they are on the screen. */
function lensLines({ page }: Workbench): Promise<readonly string[]> {
	return page.locator('.monaco-editor .codelens-decoration').allInnerTexts();
}

async function goTo({ page }: Workbench, text: string, written: string): Promise<void> {
	const before = text.slice(0, text.indexOf(written) + written.length).split('\n');
	await page.keyboard.press('Control+G');
	// The editor counts a tab as the columns that it takes.
	const column = (before.at(-1) ?? '').replaceAll('\t', '    ').length + 1;
	await page.locator('.quick-input-widget input').first().fill(`:${before.length}:${column}`);
	await page.keyboard.press('Enter');
	await page.locator('.statusbar-item', { hasText: `Ln ${before.length}, Col ${column}` }).waitFor();
}

describe('a person works in the configuration file', () => {
	test('sees over each server how it stands, and stops and starts it there', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('memory', '9 tools');
		await workbench.openConfiguration();
		const lines = async () => (await lensLines(workbench)).join('\n');
		await eventually(lines).toMatch(/(Running|Idle) · 9 tools · ≈\d+ tokens/);
		const memory = workbench.page.locator('.codelens-decoration', { hasText: '9 tools' });
		await workbench.screenshot('config-lenses');
		const line = () => memory.innerText();
		const press = (title: string) => memory.getByText(title, { exact: true }).click();
		if (!(await line()).includes('Running')) await press('Start');
		await eventually(line).toMatch(/Running/);
		await press('Stop');
		await eventually(line).toMatch(/Idle/);
		await press('Start');
		await eventually(line).toMatch(/Running/);
	});

	test('mends a slip with the bulb, and undoes that', async ({ workbench }) => {
		const { page } = workbench;
		const good = readFileSync(fileOf(workbench), 'utf8');
		const faulty = good.replace('"defer_loading": true', '"defer_laoding": true');
		writeFileSync(fileOf(workbench), faulty);
		await page.locator('.monaco-editor .squiggly-warning').waitFor();
		await goTo(workbench, faulty, '"defer_lao');
		await page.locator('[class*="codicon-gutter-lightbulb"], .lightBulbWidget').first().waitFor();
		await page.keyboard.press('Control+.');
		const fix = page.locator('.action-widget').getByText('Rename to "defer_loading"', { exact: true });
		await fix.waitFor();
		await workbench.screenshot('config-fix');
		await fix.click();
		await page.locator('.monaco-editor .squiggly-warning').waitFor({ state: 'detached' });
		await page.keyboard.press('Control+S');
		await eventually(async () => readFileSync(fileOf(workbench), 'utf8')).toBe(good);
		await page.keyboard.press('Control+Z');
		await page.locator('.monaco-editor .squiggly-warning').waitFor();
		await page.keyboard.press('Control+Shift+Z');
		await page.keyboard.press('Control+S');
		await eventually(async () => readFileSync(fileOf(workbench), 'utf8')).toBe(good);
	});

	test("is offered a server's tools where they are listed", async ({ workbench }) => {
		const { page } = workbench;
		const text = readFileSync(fileOf(workbench), 'utf8');
		await goTo(workbench, text, '"git_log"');
		await page.keyboard.type(', "git_br');
		const offered = page.locator('.suggest-widget').getByText('git_branch', { exact: true });
		await offered.first().waitFor();
		await workbench.screenshot('config-completion');
		await offered.first().click();
		await page.keyboard.press('Control+S');
		await eventually(async () => readFileSync(fileOf(workbench), 'utf8')).toContain(
			'"git_log", "git_branch", ',
		);
	});
});
