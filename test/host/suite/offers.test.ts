import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { caughtInputs } from './quickInputs.ts';
import { eventually, serversListed } from './workspace.ts';

describe('resources of servers', () => {
	const inputs = caughtInputs();

	before(serversListed);

	after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	function browse(): Thenable<unknown> {
		return vscode.commands.executeCommand(commands.browseResources, {
			kind: 'server',
			status: { name: 'everything' },
		});
	}

	function shown(): Promise<vscode.TextDocument> {
		return eventually('the resource', () => {
			const document = vscode.window.activeTextEditor?.document;
			return document?.uri.scheme === ids.resourceScheme ? document : undefined;
		});
	}

	test('a chosen resource opens in an editor', async () => {
		const browsing = browse();
		const pick = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		const row = pick.items.find(({ detail = '' }) => detail.startsWith('demo://resource/static/'));
		assert.ok(row);
		await inputs.choose('1/1', row.label);
		await browsing;
		assert.notEqual((await shown()).getText().trim(), '');
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
	});

	test('a resource opens with its own name and language, and command links in it do not work', async () => {
		const browsing = browse();
		const pick = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		const row = pick.items.find(({ detail = '' }) => detail.includes('architecture.md'));
		assert.ok(row);
		await inputs.choose('1/1', row.label);
		await browsing;
		const { fileName, languageId } = await shown();
		assert.deepEqual([path.basename(fileName), languageId], ['architecture.md', 'mcp-markdown']);
		// In the editor's own language for Markdown, a link to a command runs it.
		for (const [language, expected] of [
			['markdown', 1],
			['mcp-markdown', 0],
		] as const) {
			const content = '[a](command:workbench.action.reloadWindow)';
			const document = await vscode.workspace.openTextDocument({ language, content });
			await eventually(`links in ${language}`, async () => {
				const links = await vscode.commands.executeCommand<unknown[]>(
					'vscode.executeLinkProvider',
					document.uri,
				);
				return links.length === expected || undefined;
			});
		}
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
	});

	test('the value of a template parameter is required, and the resulting address is read', async () => {
		const browsing = browse();
		const pick = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		const row = pick.items.find(({ detail = '' }) => detail.startsWith('demo://resource/dynamic/text/'));
		assert.ok(row);
		await inputs.choose('1/1', row.label);
		const value = await eventually('the question', async () => {
			const input = await inputs.question('1/1');
			return input === pick ? undefined : (input as vscode.QuickPick<vscode.QuickPickItem>);
		});
		// The list may hold what the server proposes, and nothing that leaves a gap in the address.
		assert.deepEqual(
			value.items.filter(({ label }) => !/^\d+$/.test(label)),
			[],
		);
		value.value = '7';
		await eventually('the value', () => value.items.some(({ label }) => label === '7'));
		await inputs.choose('1/1', '7');
		await browsing;
		assert.match((await shown()).getText(), /Resource 7/);
	});
});
