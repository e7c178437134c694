import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { test } from '../workbenchTest.ts';

describe('a person uses what a server has beside tools', () => {
	test('browses its resources, and reads one', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.tree('Servers').waitForRow('everything', 'tools');
		await workbench.tree('Servers').contextMenu('everything', 'Browse Resources…');
		await workbench.quickPickRow('architecture.md').waitFor();
		await workbench.screenshot('resources');
		await workbench.pick('architecture.md');
		await workbench.page.locator('.tab.active', { hasText: 'architecture.md' }).waitFor();
		await workbench.screenshot('resource');
	});

	test('fills in a prompt with the values that the server proposes', async ({ workbench }) => {
		await workbench.chat.send('/prompt everything:completable-prompt');
		await workbench.quickPickRow('Engineering').waitFor();
		await workbench.screenshot('prompt-argument');
		await workbench.pick('Sales');
		await workbench.quickPickRow('David').waitFor();
		await workbench.pick('David');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toMatch(
			/will be sent with your next message:.*David.*Sales/s,
		);
		await workbench.screenshot('prompt');
	});

	test('follows a link of a result', async ({ workbench }) => {
		await workbench.chat.send('everything:get-resource-links');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('get-resource-links');
		await workbench.chat.send('/context');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('read_resource');
		await workbench.screenshot('resource-links');
	});
});

describe('a person looks for what a server could have that is not approved', () => {
	test('is told that it could not be searched, with the button that mends it', async ({ workbench }) => {
		const file = path.join(workbench.folder, 'casual_mcp_config.json');
		const launcher = '"launcher": { "command": "node", "args": ["-e", ""] },';
		writeFileSync(file, readFileSync(file, 'utf8').replace('"servers": {', `"servers": { ${launcher}`));
		await workbench.tree('Servers').waitForRow('launcher', 'approval');
		await workbench.runCommand('Notifications: Clear All Notifications');
		await workbench.chat.send('/find launch a rocket to the moon');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toMatch(/launcher/);
		await workbench.screenshot('miss');
		await workbench.chat.pressInAnswer('Review Servers…');
		await eventually(() => workbench.review.locator('body').innerText()).toContain('launcher');
	});
});
