import { renameSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLocalizedPackage } from '../localizedPackage.ts';
import { Workbench } from './workbench.ts';

const { contributes } = readLocalizedPackage();
const [{ title, steps }] = contributes.walkthroughs;
/** The first step is for who has no configuration; the example has one. */
const [connecting, ...others] = steps;

/** Pictures stand beside the steps only where there is room. */
const wide = { width: 2000, height: 950 };

describe.each(['Light', 'Dark'])('a person who wants to know what this is, in a %s theme', (theme) => {
	let workbench: Workbench;
	beforeAll(async () => {
		workbench = await Workbench.open({ settings: { 'workbench.colorTheme': `Default ${theme} Modern` } });
		await workbench.page.setViewportSize(wide);
	});
	afterAll(() => workbench[Symbol.asyncDispose]());

	const steppingPage = () => workbench.page.locator('.gettingStartedContainer');

	/** Opens a step, and waits for its picture. */
	async function see(step: (typeof steps)[number]): Promise<void> {
		await steppingPage().getByText(step.title, { exact: true }).first().click();
		const frames = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
		const picture = frames.locator('svg', { has: workbench.page.locator('title') });
		await picture.filter({ hasText: step.media.altText }).waitFor();
		await workbench.screenshot(`walkthrough-${theme}-${step.id}`);
	}

	test('gets started, and sees every step with its picture', async () => {
		await workbench.runCommand('Discovery: Get Started');
		await steppingPage().getByText(title, { exact: true }).first().waitFor();
		expect(await steppingPage().getByText(connecting.title, { exact: true }).count()).toBe(0);
		for (const step of others) await see(step);
	});

	test('presses the button of a step, and is where it leads', async () => {
		const page = steppingPage();
		await page.getByText('Approve your servers, and see their tools', { exact: true }).first().click();
		await page.getByRole('button', { name: 'Show Servers' }).click();
		await workbench.tree('Servers').waitForRow('git');
		expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
	});

	test('has no configuration any more, and sees how to get one', async () => {
		const file = path.join(workbench.folder, 'casual_mcp_config.json');
		renameSync(file, `${file}.away`);
		await see(connecting);
	});
});
