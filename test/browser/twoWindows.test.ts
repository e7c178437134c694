import path from 'node:path';
import { describe, expect } from 'vitest';
import { TEST_RESULTS } from '../../scripts/projectPaths.ts';
import { configText, openFiles } from './openFiles.ts';
import { Steps } from './steps.ts';
import { TreeView } from './treeView.ts';
import { workbenchTest } from './workbenchTest.ts';

const test = workbenchTest(() => openFiles({ 'casual_mcp_config.json': configText({}) }));

describe('a person opens a folder in a second tab', () => {
	test('whose tools are as accepted as in the first; an approval that is withdrawn in one ends in both', async ({
		workbench,
	}) => {
		await workbench.openSidebar('Discovery');
		const first = workbench.tree('Servers');
		await first.waitForRow('files', '14 tools');

		const page = await workbench.page.context().newPage();
		await page.setViewportSize({ width: 1500, height: 950 });
		await page.goto(workbench.page.url());
		await page.locator('.activitybar [role="tab"]:has(> [aria-label^="Discovery"])').first().click();
		const screenshot = async () => {
			const file = path.join(TEST_RESULTS, 'second-window.png');
			await page.screenshot({ path: file });
			return file;
		};
		const second = new TreeView(page, new Steps(screenshot), 'Servers');
		await second.waitForRow('files', '14 tools');
		expect((await second.rows())[0]?.description).not.toContain('accepted');
		expect(await page.locator('.notifications-toasts .notification-list-item').allInnerTexts()).toEqual([]);
		await screenshot();

		await workbench.revokeApproval('files');
		await first.waitForRow('files', 'approval');
		await second.waitForRow('files', 'approval');
		await page.close();
	});
});
