import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLocalizedPackage } from '../localizedPackage.ts';
import { Workbench } from './workbench.ts';

const { contributes } = readLocalizedPackage();
const [{ title, steps }] = contributes.walkthroughs;
/** The example has a configuration, so that it needs no step to make one. */
const steady = steps.filter(({ when }: { when?: string }) => when === undefined);

/** Pictures stand beside the steps only where there is room. */
const wide = { width: 2000, height: 950 };

describe.each(['Light', 'Dark'])('a person who wants to know what this is, in a %s theme', (theme) => {
	let workbench: Workbench;
	beforeAll(async () => {
		workbench = await Workbench.open({ settings: { 'workbench.colorTheme': `Default ${theme} Modern` } });
		await workbench.page.setViewportSize(wide);
	});
	afterAll(() => workbench[Symbol.asyncDispose]());

	test('gets started, and sees every step with its picture', async () => {
		await workbench.runCommand('Discovery: Get Started');
		const page = workbench.page.locator('.gettingStartedContainer');
		await page.getByText(title, { exact: true }).first().waitFor();
		expect(await page.getByText(steps[0].title, { exact: true }).count()).toBe(0);
		for (const step of steady) {
			await page.getByText(step.title, { exact: true }).first().click();
			const frames = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
			const picture = frames.locator('svg', { has: workbench.page.locator('title') });
			await picture.filter({ hasText: step.media.altText }).waitFor();
			await workbench.screenshot(`walkthrough-${theme}-${step.id}`);
		}
	});

	test('presses the button of a step, and is where it leads', async () => {
		const page = workbench.page.locator('.gettingStartedContainer');
		await page.getByText('Approve your servers, and see their tools', { exact: true }).first().click();
		await page.getByRole('button', { name: 'Show Servers' }).click();
		await workbench.tree('Servers').waitForRow('git');
		expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
	});
});
