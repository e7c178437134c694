import * as assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { eventually, fileUri } from './workspace.ts';

function pages(): readonly vscode.Tab[] {
	return vscode.window.tabGroups.all
		.flatMap(({ tabs }) => tabs)
		.filter(
			({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(ids.contextPage),
		);
}

async function closePages(): Promise<void> {
	await vscode.window.tabGroups.close(pages());
	await eventually('the page to close', () => pages().length === 0);
}

describe('given the context page is opened', () => {
	after(closePages);

	it('then it appears, and opening it again reveals the same page', async () => {
		await vscode.commands.executeCommand(commands.showContext);
		const [page] = await eventually('the page', () => (pages().length > 0 ? pages() : undefined));
		assert.equal(page?.label, 'Context');
		await vscode.window.showTextDocument(fileUri('README.md'));
		await eventually('the page to go behind', () => pages().every(({ isActive }) => !isActive));
		await vscode.commands.executeCommand(commands.showContext);
		await eventually('the page to come back', () => pages().some(({ isActive }) => isActive));
		assert.equal(pages().length, 1);
	});

	it('when it was closed, then it opens again', async () => {
		await closePages();
		await vscode.commands.executeCommand(commands.showContext);
		await eventually('the page', () => pages().length === 1);
	});
});
