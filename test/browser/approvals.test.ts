import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

/** A server that proves by a file that it was started. */
const proof = (file: string) => ({ command: 'touch', args: [file] });

const repository = mkdtempSync(path.join(tmpdir(), 'discovery-approvals-'));
write(repository, { proof: proof('started'), other: proof('other') });
afterAll(() => rmSync(repository, { recursive: true, force: true }));

const settings = { 'security.workspace.trust.startupPrompt': 'never' };
const test = workbenchTest(() => Workbench.open({ workspace: repository, workspaceTrust: true, settings }));

describe('a person opens a cloned repository that names servers', () => {
	test('trusts it, and nothing is started before the commands were seen', async ({ workbench }) => {
		await workbench.openSidebar('Discovery');
		await workbench.page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
		await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
		await workbench.page.locator('.monaco-modal-editor-block .codicon-close').first().click();
		const tree = workbench.tree('Servers');
		await tree.waitForRow('proof', 'approval');
		await workbench.runCommand('Notifications: Clear All Notifications');
		await workbench.chat.send('create a file');
		await workbench.chat.waitForIdle();
		expect(await workbench.chat.responseText()).toContain('approved what it runs');
		await workbench.screenshot('approval-waiting');
		expect(existsSync(path.join(workbench.folder, 'started'))).toBe(false);
	});

	test('reviews one of them from its row, and only that one starts', async ({ workbench }) => {
		await workbench.tree('Servers').inlineAction('proof', 'Review Servers…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		expect(await dialog.innerText()).toContain('runs: touch started');
		await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
		await eventually(async () => existsSync(path.join(workbench.folder, 'started'))).toBe(true);
		expect(existsSync(path.join(workbench.folder, 'other'))).toBe(false);
	});

	test('pulls a change of the command, and sees it beside what was approved', async ({ workbench }) => {
		write(workbench.folder, { proof: proof('changed'), other: proof('other') });
		const text = await workbench.approveServers('Choose…');
		expect(text).toContain('− runs: touch started');
		expect(text).toContain('+ runs: touch changed');
		const picker = workbench.page.locator('.quick-input-widget');
		await picker.getByText('proof', { exact: true }).waitFor();
		await workbench.page.keyboard.press('Escape');
		expect(existsSync(path.join(workbench.folder, 'changed'))).toBe(false);
	});
});

function write(folder: string, servers: unknown): void {
	writeFileSync(path.join(folder, 'casual_mcp_config.json'), JSON.stringify({ servers }));
}
