import { renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { readLocalizedPackage } from '../../localizedPackage.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

const { contributes } = readLocalizedPackage();
const [{ title, steps }] = contributes.walkthroughs;
/** The first step is for who has no configuration; the example has one. */
const [connecting, ...others] = steps;

/** Pictures stand beside the steps only where there is room. */
const wide = { width: 2000, height: 950 };
/** Themes by the class that the window has with them. */
const themes = {
	vs: 'Light Modern',
	'vs-dark': 'Dark Modern',
	'hc-black': 'Dark High Contrast',
	'hc-light': 'Light High Contrast',
};

function steppingPage({ page }: Workbench) {
	return page.locator('.gettingStartedContainer');
}

/** Opens a step, and waits for its picture. */
async function see(workbench: Workbench, step: (typeof steps)[number], name: string): Promise<void> {
	await steppingPage(workbench).getByText(step.title, { exact: true }).first().click();
	const frames = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
	const picture = frames.locator('svg', { has: workbench.page.locator('title') });
	await picture.filter({ hasText: step.media.altText }).waitFor();
	await workbench.screenshot(`walkthrough-${name}-${step.id}`);
}

describe('a person who wants to know what this is', () => {
	test('gets started, and sees every step with its picture, in light, dark and high contrast', async ({
		workbench,
	}) => {
		await workbench.page.setViewportSize(wide);
		await workbench.runCommand('Discovery: Get Started');
		await steppingPage(workbench).getByText(title, { exact: true }).first().waitFor();
		expect(await steppingPage(workbench).getByText(connecting.title, { exact: true }).count()).toBe(0);
		for (const [className, theme] of Object.entries(themes)) {
			await workbench.runCommand('Preferences: Color Theme');
			await workbench.answerInput(theme);
			await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
			for (const step of others) await see(workbench, step, theme);
		}
	});

	test('presses the button of a step, and is where it leads', async ({ workbench }) => {
		const page = steppingPage(workbench);
		await page.getByText('Approve your servers, and see their tools', { exact: true }).first().click();
		await page.getByRole('button', { name: 'Show Servers' }).click();
		await workbench.tree('Servers').waitForRow('git');
		expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
	});

	test('has no configuration any more, and sees how to get one', async ({ workbench }) => {
		const file = path.join(workbench.folder, 'casual_mcp_config.json');
		renameSync(file, `${file}.away`);
		await see(workbench, connecting, 'isOfEditor');
	});
});
