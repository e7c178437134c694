import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

const unload = 'Unload Tool from the Last Used Chat';

async function rows(workbench: Workbench): Promise<readonly string[]> {
	const all = await workbench.tree('Loaded Tools').rows();
	return all.map(({ label, description }) => `${label} ${description.replace(/≈\d+/, '≈N')}`);
}

async function status(workbench: Workbench): Promise<string | undefined> {
	return (await workbench.statusBar()).find((text) => text.includes('tools'));
}

/** Themes by the class that the window has with them. */
const otherThemes = { 'vs-dark': 'Dark 2026', 'hc-black': 'Dark High Contrast' };

describe('a person wants to know what is loaded, and why', () => {
	test('sees what is always loaded, and what deferring saves', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('git', '28 tools');
		await eventually(() => rows(workbench)).toEqual([
			'sequential-thinking:sequentialthinking pinned · ≈N tokens',
			'everything:echo always · ≈N tokens',
		]);
		await eventually(() => status(workbench)).toMatch(/^0\/24 tools · −\d\d% tokens$/);
	});

	test('has a file read, and sees which words loaded the tool', async ({ workbench }) => {
		await workbench.chat.send('@discovery read the file docs/architecture.md');
		await workbench.chat.waitForIdle();
		await eventually(async () => (await rows(workbench))[0]).toMatch(
			/^filesystem:read_\w+ (searched|prefetched): “read .*” · ≈N tokens$/,
		);
		await eventually(() => status(workbench)).toMatch(/^[1-5]\/24 tools · −\d\d% tokens$/);
		await workbench.page
			.locator('.pane-header', { hasText: /[1-5]\/24 tools · 2 always · ≈[\d.]+k tokens/ })
			.waitFor();
		await workbench.screenshot('loaded-tools');
	});

	test('unloads a tool with a click, and takes that back', async ({ workbench }) => {
		const tree = workbench.tree('Loaded Tools');
		const before = await tree.rows();
		const statusBefore = (await status(workbench)) ?? '';
		const [first] = before;
		if (!first) throw new Error('the chat has loaded something');
		await tree.inlineAction(first.label, unload);
		await eventually(async () => (await tree.rows()).map(({ label }) => label)).not.toContain(first.label);
		await eventually(() => status(workbench)).not.toBe(statusBefore);
		await workbench.screenshot('loaded-tools-undo');
		await tree.titleAction('Undo Last Change');
		await tree.waitForRow(first.label, 'read the file');
		await eventually(() => status(workbench)).toBe(statusBefore);
		expect(await tree.rows()).toHaveLength(before.length);
	});

	test('sees it in a dark and in a high-contrast theme', async ({ workbench }) => {
		for (const [className, theme] of Object.entries(otherThemes)) {
			await workbench.runCommand('Preferences: Color Theme');
			await workbench.answerInput(theme);
			await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
			await workbench.screenshot(`loaded-tools-${className}`);
		}
	});

	test('chooses a toolset of which nothing is loaded, and is told how that changes', async ({
		workbench,
	}) => {
		await workbench.runCommand('Discovery: Reset Last Used Chat');
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.pick('reading');
		const tree = workbench.tree('Loaded Tools');
		await eventually(() => tree.welcomeText()).toContain('No tools are loaded in this chat');
		await eventually(() => status(workbench)).toMatch(/^0\/24 tools/);
		await workbench.screenshot('loaded-tools-none');
		await workbench.runCommand('Discovery: Select Toolset…');
		await workbench.pick('All Tools');
		await eventually(async () => (await rows(workbench)).length).toBe(2);
	});
});
