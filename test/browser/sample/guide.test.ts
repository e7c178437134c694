import { describe } from 'vitest';
import { test } from '../workbenchTest.ts';

describe('a person who wants to read more', () => {
	test('opens the guide, and gets from its index to a page', async ({ workbench }) => {
		await workbench.runCommand('Discovery: Open User Guide');
		const preview = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
		await preview.getByRole('heading', { name: "Discovery: the user's guide" }).waitFor();
		await workbench.screenshot('guide-index');
		await preview.getByRole('link', { name: 'Troubleshooting' }).click();
		await preview.getByRole('heading', { name: 'Troubleshooting' }).waitFor();
		await workbench.screenshot('guide-page');
	});
});
