import { renameSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { readLocalizedPackage } from '../../localizedPackage.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

const { contributes } = readLocalizedPackage();
const [{ title, steps }] = contributes.walkthroughs;
/** The first step shows only without a configuration; the sample has one. */
const [connecting, ...others] = steps;

/** Pictures stand beside the steps only where there is room. */
const wide = { width: 2000, height: 950 };
const walkthrough = ({ page }: Workbench) => page.locator('.gettingStartedContainer');

/** Opens a step, and waits for its picture. A walkthrough that is still opening a step by itself may show that step's picture. */
async function see(workbench: Workbench, step: (typeof steps)[number]): Promise<void> {
	const open = (one: (typeof steps)[number]) =>
		walkthrough(workbench).getByText(one.title, { exact: true }).first().click();
	const svg = workbench.webview.locator('svg', { has: workbench.page.locator('title') });
	const picture = svg.filter({ hasText: step.media.altText });
	await open(step);
	const isShown = await picture.waitFor({ timeout: 15_000 }).then(
		() => true,
		() => false,
	);
	if (isShown) return;
	await open(others.find((other: typeof step) => other !== step) ?? step);
	await open(step);
	await picture.waitFor();
}

describe('a person who wants to know what this is', () => {
	test('sees every step with its picture', async ({ workbench }) => {
		await workbench.page.setViewportSize(wide);
		await workbench.runCommand('Welcome: Open Walkthrough...');
		await workbench.quickPickRow(title).click();
		await walkthrough(workbench).getByText(title, { exact: true }).first().waitFor();
		expect(await walkthrough(workbench).getByText(connecting.title, { exact: true }).count()).toBe(0);
		for (const step of others) await see(workbench, step);
		// The servers were approved before the walkthrough opened.
		await walkthrough(workbench).locator('.codicon-getting-started-step-checked').first().waitFor();
	});

	test('presses the button of a step, and is where it leads', async ({ workbench }) => {
		const page = walkthrough(workbench);
		await page.getByText('Approve your servers and see their tools', { exact: true }).first().click();
		await page.getByRole('button', { name: 'Show Servers' }).click();
		await workbench.tree('Servers').waitForRow('git');
		expect(await workbench.page.locator('.monaco-dialog-box').count()).toBe(0);
	});

	test('has no configuration any more, and sees how to get one', async ({ workbench }) => {
		renameSync(workbench.configFile, `${workbench.configFile}.away`);
		await see(workbench, connecting);
	});
});
