import * as assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../src/discovery/catalog/policy.ts';
import type { PickItem } from '../../../src/vscode/search/toolPicker.ts';
import { ToolPicker } from '../../../src/vscode/search/toolPicker.ts';
import { modelsOf, statusOf } from '../../unit/vscode/fixtures.ts';
import { answer, restoreDialogs } from './dialogs.ts';
import { activated, ask, eventually, newChat, serversListed } from './workspace.ts';

const filesystem = {
	name: 'filesystem',
	tools: [
		{ name: 'write_file', description: 'Writes a file' },
		{ name: 'create_directory', description: 'Creates a folder' },
		{ name: 'list_directory', description: 'Lists what a folder holds' },
	].map((tool) => ({ ...tool, server: 'filesystem', inputSchema: { type: 'object' } })),
};

/** A sessions that knows some of the tools that the extension's own knows. */
function hubWithFiles(): ChatSessions {
	const sessions = new ChatSessions();
	const servers = new Map([['filesystem', { ...defaultServerPolicy, deferLoading: true }]]);
	sessions.setPolicy({ ...defaultPolicy, enabled: true, servers }, new Map());
	sessions.setCatalog([filesystem]);
	return sessions;
}

function pickerOf(sessions: ChatSessions): ToolPicker {
	return new ToolPicker({ sessions, serverModels: modelsOf(sessions, () => [statusOf('filesystem')]) });
}

describe('given the quick pick of tools', () => {
	let sessions: ChatSessions;
	let pick: vscode.QuickPick<PickItem>;
	let errors: unknown[][];
	const labels = () => pick.items.map(({ label }) => label);

	before(serversListed);
	beforeEach(() => {
		sessions = hubWithFiles();
		errors = answer('showErrorMessage', undefined);
		pick = pickerOf(sessions).open();
	});
	afterEach(() => {
		pick.hide();
		restoreDialogs();
		assert.deepEqual(errors, []);
	});

	it('when the query has a typo, then the right tool is first and active', async () => {
		pick.value = 'craete dir';
		await eventually(
			'the tool to be active',
			() => pick.activeItems[0]?.label === 'create_directory' || undefined,
		);
		assert.equal(labels()[0], 'create_directory');
	});

	it('when Enter is pressed, then the tool is loaded and the pick closes', async () => {
		await newChat();
		assert.deepEqual(activated(await ask('/context')), []);
		// What has lost the focus to the chat is closed.
		pick = pickerOf(sessions).open();
		pick.value = 'write';
		await eventually('the tool to be active', () => pick.activeItems[0]?.label === 'write_file' || undefined);
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
		await eventually('the tool to be loaded', async () => {
			const loaded = activated(await ask('/context'));
			return loaded.join() === 'filesystem__write_file' || undefined;
		});
		await newChat();
	});
});
