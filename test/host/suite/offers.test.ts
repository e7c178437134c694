import * as assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { QuickInputs } from './quickInputs.ts';
import { eventually, serversListed } from './workspace.ts';

describe('what servers have beside tools', () => {
	let inputs: QuickInputs;

	before(serversListed);

	beforeEach(() => {
		inputs = new QuickInputs();
	});

	afterEach(() => inputs.restore());

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

	it('a resource that is chosen opens to be read', async () => {
		const browsing = browse();
		const pick = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		const row = pick.items.find(({ detail = '' }) => detail.startsWith('demo://resource/static/'));
		assert.ok(row);
		await inputs.choose('1/1', row.label);
		await browsing;
		assert.notEqual((await shown()).getText().trim(), '');
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
	});

	it('the value of a pattern is asked for, and its address is read', async () => {
		const browsing = browse();
		const pick = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
		const row = pick.items.find(({ detail = '' }) => detail.startsWith('demo://resource/dynamic/text/'));
		assert.ok(row);
		await inputs.choose('1/1', row.label);
		const value = await eventually('the question', async () => {
			const input = await inputs.question('1/1');
			return input === pick ? undefined : (input as vscode.QuickPick<vscode.QuickPickItem>);
		});
		value.value = '7';
		await eventually('the value', () => value.items.some(({ label }) => label === '7'));
		await inputs.choose('1/1', '7');
		await browsing;
		assert.match((await shown()).getText(), /Resource 7/);
	});
});
