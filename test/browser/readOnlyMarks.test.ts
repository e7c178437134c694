import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { EXAMPLE_WORKSPACE } from '../../scripts/projectPaths.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

const test = workbenchTest(async () => {
	const workbench = await Workbench.open({ approveServers: false });
	await workbench.approveServers('Approve');
	return workbench;
});

describe('a person who approves servers, but not their word', () => {
	test('is asked before a tool that says that it only reads, and believes it from then on', async ({
		workbench,
	}) => {
		writeFileSync(path.join(workbench.folder, 'hello.txt'), 'Hello');
		await workbench.chat.send('read the file hello.txt');
		const { text: question } = await workbench.chat.confirmation();
		expect(question).toContain('filesystem says that this only reads');
		await workbench.screenshot('approval-doubted');
		await workbench.page.getByText('Believe it from now on').click();
		await workbench.chat.allow();
		await workbench.chat.waitForIdle();
		await workbench.chat.send('read the file hello.txt');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('Hello');
	});

	test('withdraws an approval: the server is gone until it is given again', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.runCommand('Discovery: Withdraw Approval of Server');
		await workbench.page.locator('.quick-input-widget').getByText('memory', { exact: true }).click();
		await workbench.tree('Servers').waitForRow('memory', 'approval');
		const config = readFileSync(path.join(EXAMPLE_WORKSPACE, 'casual_mcp_config.json'), 'utf8');
		expect(readFileSync(path.join(workbench.folder, 'casual_mcp_config.json'), 'utf8')).toBe(config);
	});
});
