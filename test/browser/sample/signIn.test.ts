import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { titleOf } from '../../localizedPackage.ts';
import { startBehind, startIssuer } from '../../servers/signIn/signInGround.ts';
import type { Workbench } from '../workbench.ts';
import { test } from '../workbenchTest.ts';

describe('a person adds a server that wants to know who they are', () => {
	test('signs in from its row, calls it, signs out, and is asked again where a call waits', async ({
		workbench,
	}) => {
		const issuer = await startIssuer();
		const server = await startBehind(issuer);
		workbench.addToConfiguration({ servers: { guarded: { url: server.url, defer_loading: true } } });
		await workbench.approveServers();
		const tree = workbench.tree('Servers');
		await tree.waitForRow('guarded', 'signed out');

		await tree.inlineAction('guarded', titleOf('signIn'));
		const dialog = workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'Sign in to guarded' });
		await dialog.waitFor();
		const question = await dialog.innerText();
		for (const told of [new URL(issuer.origin).host, 'tools:read', `${issuer.origin}/auth`])
			expect(question).toContain(told);
		await signIn(workbench, async (page) => {
			await page.locator('input[name=login]').fill('ada');
			await page.locator('input[name=password]').fill('any');
			await page.getByRole('button', { name: 'Sign-in' }).click();
		});
		await tree.waitForRow('guarded', '2 tools');
		expect(issuer.tokenRequests).toEqual(['authorization_code']);

		await tree.contextMenu('guarded', titleOf('signOut'));
		await tree.waitForRow('guarded', 'signed out');
		expect(issuer.revocations).toHaveLength(1);

		await workbench.chat.send('guarded:read');
		await workbench.chat.allow();
		await workbench.chat.waitForText('asks you to sign in');
		await workbench.chat.pressInAnswer(titleOf('signIn'));
		// The browser still knows who it is.
		await signIn(workbench);
		await workbench.chat.waitForIdle();
		expect(server.calls).toEqual([{ tool: 'read', account: 'ada' }]);
		expect(await workbench.chat.responseText()).toContain('read for ada');
		const kept = [...server.seenTokens];
		expect(kept.length).toBeGreaterThan(1);
		for (const token of kept) expect(workbench.filesWith(token)).toEqual([]);
	});
});

/** Says yes to the question, and to what the issuer asks in the browser. `identify`: tells it who they are. */
async function signIn(workbench: Workbench, identify?: (page: Page) => Promise<void>): Promise<void> {
	const dialog = workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'Sign in to guarded' });
	await dialog.waitFor();
	const opens = /URL: (\S+)/.exec(await dialog.innerText())?.[1] ?? '';
	const context = workbench.page.context();
	const opened = context.waitForEvent('page');
	const asked = context.waitForEvent('request', {
		predicate: (request) => request.url().includes('client_id='),
	});
	await workbench.answerDialog('Sign in to guarded', 'Open Browser');
	const page: Page = await opened;
	// A browser's VS Code leads addresses of this machine through its own server, below a path that the issuer does not know.
	const address = new URL(opens);
	address.search = new URL((await asked).url()).search;
	await page.goto(address.href);
	await identify?.(page);
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByText('go back to VS Code').waitFor();
	await page.close();
}
