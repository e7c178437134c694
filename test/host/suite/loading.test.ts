import * as assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ids.ts';
import { answer, pick, restoreDialogs } from './dialogs.ts';
import { activated, ask, configUri, eventually, newChat, serversListed, textOf, write } from './workspace.ts';

describe('given a chat that may keep one tool loaded', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		await write(configUri(), original.replace('"max_active_schemas": 24', '"max_active_schemas": 1'));
		await eventually('the cap', async () => {
			await newChat();
			const loaded = activated(await ask('/load filesystem:read_text_file git:git_log'));
			return loaded.length === 1 || undefined;
		});
	});
	afterEach(restoreDialogs);
	after(async () => {
		await write(configUri(), original);
		await newChat();
	});

	it('when a person loads others one after the other, then each makes room for the next', async () => {
		const errors = answer('showErrorMessage', undefined);
		for (const [id, wireName] of [
			['git:git_status', 'git__git_status'],
			['git:git_diff', 'git__git_diff'],
		] as const) {
			pick(id);
			await vscode.commands.executeCommand(commands.loadTool);
			assert.deepEqual(activated(await ask('/context')), [wireName]);
		}
		assert.deepEqual(errors, []);
	});
});
