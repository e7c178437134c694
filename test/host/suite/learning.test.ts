import * as assert from 'node:assert/strict';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids, settings } from '../../../src/vscode/ui/ids.ts';
import { answer, pickAll, restoreDialogs } from './dialogs.ts';
import { ask, eventually, invokeTool, logOf, newChat, serversListed } from './workspace.ts';

const readFile = { server: 'filesystem', name: 'read_text_file' };

/** Forgets all that is kept of the past. */
async function forgetAll(): Promise<void> {
	answer('showErrorMessage', undefined);
	pickAll();
	await vscode.commands.executeCommand(commands.forget);
}

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

	test('then the next search ranks it higher, until the history is cleared', async () => {
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
