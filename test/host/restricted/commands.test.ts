import * as assert from 'node:assert/strict';
import { afterEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { answer, pick, restoreDialogs } from '../suite/dialogs.ts';
import { configUri, textOf } from '../suite/workspace.ts';

/** Some of those that act on servers, on the configuration, and on chats. */
const needingTrust = [
	commands.addServer,
	commands.startServer,
	commands.showServerLog,
	commands.enableDiscovery,
	commands.selectToolset,
	commands.undo,
];

describe('given an untrusted workspace', () => {
	afterEach(restoreDialogs);

	for (const command of needingTrust) {
		test(`when ${command} is run by a keybinding, then a warning says why, and nothing is asked or written`, async () => {
			const original = await textOf(configUri());
			const warnings = answer('showWarningMessage', undefined);
			const others = [
				answer('showInformationMessage', 'Secret Storage'),
				answer('showErrorMessage', undefined),
				answer('showQuickPick', undefined),
			];
			await vscode.commands.executeCommand(command);
			assert.equal(warnings.length, 1);
			assert.match(String(warnings[0]?.[0]), /this workspace is not trusted/);
			assert.equal(warnings[0]?.[1], 'Manage Workspace Trust');
			assert.deepEqual(others.flat(), []);
			assert.equal(await textOf(configUri()), original);
		});
	}

	test('when the configuration is opened, then the editor shows it', async () => {
		const warnings = answer('showWarningMessage', undefined);
		// The first is that of the folder; behind it stands the user's, which is not there yet.
		pick('');
		await vscode.commands.executeCommand(commands.openConfig);
		assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), configUri().toString());
		assert.deepEqual(warnings, []);
	});
});
