import * as assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../src/discovery/catalog/policy.ts';
import type { PickItem } from '../../../src/vscode/search/toolPicker.ts';
import { ToolPicker } from '../../../src/vscode/search/toolPicker.ts';
import { commands } from '../../../src/vscode/ui/ids.ts';
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
	const shows = (what: string, expected: readonly string[]) =>
		eventually(what, () => (labels().join() === expected.join() ? true : undefined));

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

	it('when it opens, then it says what it searches and shows it', async () => {
		assert.equal(pick.placeholder, 'Search 3 tools of 1 server. Enter loads the tool.');
		await shows('all tools', ['filesystem', 'write_file', 'create_directory', 'list_directory']);
	});

	it('when something is typed with a slip, then the tool is found, first and active', async () => {
		pick.value = 'craete dir';
		await eventually(
			'the tool to be active',
			() => pick.activeItems[0]?.label === 'create_directory' || undefined,
		);
		assert.equal(labels()[0], 'create_directory');
	});

	it('when nothing matches, then it leads to the chat, and to teaching', async () => {
		pick.value = 'xylophone';
		await shows('that nothing matches', ['No tool matches “xylophone”', 'Teach Search…']);
	});

	it('when a tool is loaded meanwhile, then its line stays and says so', async () => {
		await shows('all tools', ['filesystem', 'write_file', 'create_directory', 'list_directory']);
		const { discovery } = sessions.currentOrNext();
		discovery.load(discovery.surface.tools.filter(({ name }) => name === 'list_directory'));
		await eventually('the new state', () => pick.items[3]?.description?.includes('· loaded ·') || undefined);
		assert.equal(labels()[3], 'list_directory');
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

describe('given the extension knows tools', () => {
	it('when they are to be searched, then the quick pick opens', async () => {
		await serversListed();
		await vscode.commands.executeCommand(commands.searchTools);
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
	});
});
