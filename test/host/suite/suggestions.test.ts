import * as assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { loadConfig } from '../../../src/config/load.ts';
import { placement } from '../../../src/discovery/catalog/policy.ts';
import { commands, ids, settings } from '../../../src/vscode/ui/ids.ts';
import { answer, pickAll, restoreDialogs } from './dialogs.ts';
import {
	ask,
	configUri,
	eventually,
	invokeTool,
	logOf,
	newChat,
	openConfig,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

const readFile = { server: 'filesystem', name: 'read_text_file' };
const id = 'pin filesystem:read_text_file';
/** As many chats as speak for anything at all. */
const chats = 5;

function placed(text: string): string {
	const { config } = loadConfig(text, { workspaceFolder: '/', env: {} });
	assert.ok(config);
	return placement(readFile, config.policy);
}

/** Forgets all that is kept of the past. */
async function forgetAll(): Promise<void> {
	answer('showErrorMessage', undefined);
	pickAll();
	await vscode.commands.executeCommand(commands.forget);
}

describe('given several chats that have called the same deferred tool', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		await forgetAll();
		for (let chat = 0; chat < chats; chat++) {
			await newChat();
			const { called } = await ask('read the text file docs/architecture.md');
			assert.deepEqual(called, ['filesystem__read_text_file']);
		}
	});
	after(async () => {
		restoreDialogs();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await write(configUri(), original);
		await newChat();
	});

	it('when the user keeps them and accepts the suggestion to pin it, then the file is edited and can be undone', async () => {
		answer('showQuickPick', undefined);
		await vscode.commands.executeCommand(commands.forget);
		const { document } = await openConfig(original);
		// What the last chat has done is written down a moment later.
		await eventually('the tool to be pinned', async () => {
			await vscode.commands.executeCommand(ids.takeSuggestion, id);
			return placed(await textOf(configUri())) === 'pinned' ? true : undefined;
		});
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), original);
	});
});

/** How a search of another chat scores the tool. */
async function scoreFor(query: string): Promise<number> {
	const { matches } = JSON.parse(await invokeTool(ids.searchTools, { query })) as {
		readonly matches: readonly { readonly name: string; readonly score: number }[];
	};
	return matches.find(({ name }) => name === `${readFile.server}:${readFile.name}`)?.score ?? 0;
}

describe('given a chat that has searched for a tool and called it', () => {
	const configuration = () => vscode.workspace.getConfiguration(settings.section);
	const learns = (value: boolean | undefined) =>
		configuration().update(settings.learnFromUse, value, vscode.ConfigurationTarget.Global);
	/** What it searched for: in its second turn, since the first loads ahead what is clearly meant. */
	const searchAndCall = async (): Promise<string> => {
		await newChat();
		await ask('show the status of git');
		const answer = await ask('read the text file docs/architecture.md');
		assert.deepEqual(answer.called, ['filesystem__read_text_file']);
		const searches = logOf(answer).timeline.flatMap((entry) =>
			entry.kind === 'search' ? [entry.words] : [],
		);
		return searches.at(-1) ?? assert.fail('it did not search');
	};
	before(serversListed);
	after(async () => {
		restoreDialogs();
		await learns(undefined);
		await newChat();
	});

	it('then the next search ranks it higher, until the history is cleared', async () => {
		await learns(false);
		const words = await searchAndCall();
		const plain = await scoreFor(words);
		await learns(undefined);
		assert.equal(await scoreFor(words), plain);

		await searchAndCall();
		await eventually('search to learn', async () => (await scoreFor(words)) > plain || undefined);
		await forgetAll();
		assert.equal(await scoreFor(words), plain);
	});
});
