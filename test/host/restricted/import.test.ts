import * as assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ids.ts';
import { answer, restoreDialogs } from '../suite/dialogs.ts';
import { configUri, textOf } from '../suite/workspace.ts';

describe('given a workspace that nobody has trusted', () => {
	afterEach(restoreDialogs);

	it('when servers are to be imported into it, then the reason is told, and nothing is asked or written', async () => {
		const original = await textOf(configUri());
		const warnings = answer('showWarningMessage', undefined);
		const questions = answer('showInformationMessage', 'Secret Storage');
		await vscode.commands.executeCommand(commands.importServers);
		assert.match(String(warnings[0]?.[0]), /not trusted, so no servers are imported/);
		assert.deepEqual(warnings[0]?.[1], 'Manage Workspace Trust');
		assert.deepEqual(questions, []);
		assert.equal(await textOf(configUri()), original);
	});
});
