import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { eventually } from './eventually.ts';
import { Workbench } from './workbench.ts';
import { workbenchTest } from './workbenchTest.ts';

/** A server that proves by a file that it was started. */
const proof = (file: string) => ({ command: 'touch', args: [file] });

/** A button of the review rests so long after what it is for has changed, in milliseconds; see `page/main.ts`. */
const readingMs = 700;

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
		await workbench.chat.waitForText('MCP servers start only after you approve them');
		await workbench.screenshot('approval-waiting');
		expect(existsSync(path.join(workbench.folder, 'started'))).toBe(false);
	});

	test('reviews one of them from its row, and only that one starts', async ({ workbench }) => {
		await workbench.tree('Servers').inlineAction('proof', 'Review Servers…');
		const card = workbench.review.getByRole('region', { name: 'proof' });
		expect(await card.innerText()).toMatch(/new\s+runs: touch started/);
		// The keyboard is at the server that was chosen.
		const approve = card.getByRole('button', { name: 'Approve proof', exact: true });
		await eventually(() => approve.evaluate((button) => button === document.activeElement)).toBe(true);
		await workbench.page.keyboard.press('Enter');
		await eventually(async () => existsSync(path.join(workbench.folder, 'started'))).toBe(true);
		expect(existsSync(path.join(workbench.folder, 'other'))).toBe(false);
		// It stays where it was: no other button comes to lie under the pointer.
		await eventually(() => card.innerText()).toContain('approved');
		expect(await card.getByRole('button').count()).toBe(0);
		await workbench.screenshot('approval-one');
		// The message that waits goes on once the user is done with the review.
		expect(await workbench.chat.isBusy()).toBe(true);
		await workbench.runCommand('View: Close Editor');
		await workbench.chat.waitForIdle();
	});

	test('pulls a change of the command, and sees it beside what was approved', async ({ workbench }) => {
		write(workbench.folder, { proof: proof('changed'), other: proof('other'), third: proof('third') });
		await workbench.answerNotification('when you have approved', 'Review…');
		const card = (name: string) => workbench.review.getByRole('region', { name });
		await eventually(() => card('proof').innerText()).toContain('− runs: touch started');
		expect(await card('proof').innerText()).toContain('+ runs: touch changed');
		expect(await workbench.review.getByRole('status').innerText()).toBe(
			'3 servers need approval: 1 new, 1 changed',
		);
		// The one that the review before has shown is not new any more.
		expect(await card('other').innerText()).not.toContain('new');
		expect(await card('third').innerText()).toContain('new');
		await workbench.screenshot('approval-changed');
		expect(existsSync(path.join(workbench.folder, 'changed'))).toBe(false);
	});

	test('approves only what was shown, where the file changes under the page', async ({ workbench }) => {
		write(workbench.folder, { proof: proof('again'), other: proof('other'), third: proof('third') });
		const card = workbench.review.getByRole('region', { name: 'proof' });
		await eventually(() => card.innerText()).toContain('+ runs: touch again');
		await workbench.page.waitForTimeout(readingMs);
		await workbench.review.getByText('Approve All', { exact: true }).click();
		const started = (name: string) => existsSync(path.join(workbench.folder, name));
		await eventually(async () => ['again', 'other', 'third'].map(started)).toEqual([true, true, true]);
		expect(started('changed')).toBe(false);
		// Nothing waits any more: the page is gone.
		await workbench.review.locator('body').waitFor({ state: 'hidden' });
	});

	test('has servers of their own, too: the page names each file over what stands in it', async ({
		workbench,
	}) => {
		write(workbench.folder, { proof: proof('again'), other: proof('later') });
		write(path.dirname(workbench.userFile), { mine: proof('mine'), notes: proof('notes') });
		await workbench.tree('Servers').waitForRow('mine', 'approval');
		await workbench.runCommand('Discovery: Review Servers…');
		const { review } = workbench;
		await review.getByRole('region', { name: 'mine' }).waitFor();
		const group = (name: string) => review.getByRole('region', { name, exact: true });
		await eventually(() =>
			group(path.basename(workbench.folder)).getByRole('heading').allInnerTexts(),
		).toEqual([`${path.basename(workbench.folder)} casual_mcp_config.json`, 'other']);
		expect(await group('User Configuration').getByRole('heading').allInnerTexts()).toEqual([
			`User Configuration ${workbench.userFile}`,
			'mine',
			'notes',
		]);
		await workbench.screenshot('approval-files');
	});
});

function write(folder: string, servers: unknown): void {
	writeFileSync(path.join(folder, 'casual_mcp_config.json'), JSON.stringify({ servers }));
}
