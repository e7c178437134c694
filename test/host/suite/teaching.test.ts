import * as assert from 'node:assert/strict';
import { type ChatCompletionRequest, createServer, type ServerInstance } from '@copilotkit/aimock';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { askedTools, coined, describedTools } from '../../describedTools.ts';
import { answer, answerEach, pick, pickAll, restoreDialogs } from './dialogs.ts';
import { configUri, configureModel, invokeTool, newChat, serversListed, textOf, write } from './workspace.ts';

/** A model of the configuration, at an endpoint on this machine, that describes all tools that it is asked about. */
let endpoint: ServerInstance;
const requests: ChatCompletionRequest[] = [];
let original: string;

/** Teaches the search as a user does who agrees. Returns the texts of all notifications. */
async function teach(): Promise<string[]> {
	requests.length = 0;
	pick('teacher');
	const shown = answerEach('showInformationMessage', ['Teach']);
	const failures = answer('showErrorMessage', undefined);
	await vscode.commands.executeCommand(commands.teachSearch);
	return [...shown, ...failures].map((args) => JSON.stringify(args));
}

/** Forgets all that was learned; how many tools that were. */
async function forget(reply?: string): Promise<string> {
	const asked = pickAll();
	answer('showErrorMessage', undefined);
	await vscode.commands.executeCommand(commands.forget);
	if (reply === 'Undo') await vscode.commands.executeCommand(commands.undo);
	return JSON.stringify(asked[0] ?? '');
}

/** Which tools a search finds for these words: what any chat of the editor is told. */
async function found(words: string): Promise<string> {
	return JSON.stringify(JSON.parse(await invokeTool(ids.searchTools, { query: words })).matches);
}

describe('given a model that can describe tools', () => {
	before(async () => {
		const response = (request: ChatCompletionRequest) => {
			requests.push(request);
			return describedTools(askedTools(request));
		};
		endpoint = await createServer([{ match: { predicate: () => true }, response }], { logLevel: 'silent' });
		await serversListed();
		original = await textOf(configUri());
		await configureModel(original, `${endpoint.url}/v1`, 'teacher');
	});
	after(async () => {
		restoreDialogs();
		await forget();
		await write(configUri(), original);
		await newChat();
		endpoint.server.closeAllConnections();
		endpoint.server.close();
	});

	test('when the user agrees, then each tool is described once and found by the model’s words', async () => {
		const told = await teach();
		const tools = requests.flatMap(askedTools);
		assert.equal(new Set(tools).size, tools.length);
		assert.ok(tools.includes('git_blame') && tools.length > 50, `${tools.length} tools`);
		assert.match(told.at(-1) ?? '', new RegExp(`${tools.length} tools described\\.`));
		const text = await found(coined('git_blame'));
		assert.match(text, /git:git_blame/);
	});

	test('when teaching is undone, then search is as before; forgetting can be undone, too', async () => {
		await vscode.commands.executeCommand(commands.undo);
		assert.doesNotMatch(await found(coined('git_blame')), /git:git_blame/);
		await teach();
		assert.match(await forget('Undo'), /Descriptions by Language Models.*\d+ tools/);
		assert.match(await found(coined('git_blame')), /git:git_blame/);
		await forget();
		assert.doesNotMatch(await found(coined('git_blame')), /git:git_blame/);
	});

	test('when the command is run on something that is not a server, then nothing is asked or taught', async () => {
		const asked = [answer('showQuickPick', undefined), answer('showInformationMessage', undefined)];
		await vscode.commands.executeCommand(commands.teachSearch, { kind: 'faulty', name: 'nobody' });
		assert.deepEqual(asked, [[], []]);
	});
});
