import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { publishedServer } from '../servers/launches.ts';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const memory = { command: 'node', args: [publishedServer('memory')] };
const configuration = { servers: { blocked: memory, notes: memory } };

const test = workbenchTest(async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'discovery-access-'));
	try {
		writeFileSync(path.join(folder, 'casual_mcp_config.json'), JSON.stringify(configuration));
		const settings = { 'chat.mcp.deniedServers': [{ serverName: 'blocked' }] };
		return await Workbench.open({ workspace: folder, settings });
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});

describe('a person whose settings do not let a server start', () => {
	test('sees that in the review, the row and the chat, and approves the other one', async ({ workbench }) => {
		const tree = workbench.tree('Servers');
		await workbench.openSidebar('Discovery');
		await tree.waitForRow('blocked', 'not allowed by your settings');
		await tree.waitForRow('notes', 'needs approval');

		// The message waits until the other server is approved.
		await workbench.chat.send('/tools');
		await eventually(() => workbench.chat.responseText()).toContain('Not started: blocked.');
		await workbench.screenshot('policy-chat');

		await tree.inlineAction('notes', 'Review Servers…');
		const words = workbench.review.getByText('Not started: blocked.');
		await words.waitFor();
		expect(await workbench.review.locator('.file').getByRole('checkbox').count()).toBe(1);
		expect(await workbench.reviewed('blocked').count()).toBe(0);
		await workbench.screenshot('policy-review');
		await workbench.review.getByRole('button', { name: 'Approve', exact: true }).click();
		await eventually(
			async () => (await tree.rows()).find(({ label }) => label === 'notes')?.description,
		).toContain('9 tools');
		await workbench.chat.waitForIdle();
		await tree.waitForRow('blocked', 'not allowed by your settings');
	});
});
