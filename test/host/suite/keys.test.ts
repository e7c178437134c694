import * as assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { KeyedEndpoint } from '../../keyedEndpoint.ts';
import { answer, pick, restoreDialogs } from './dialogs.ts';
import { configUri, eventually, fileUri, textOf, withEntries, write } from './workspace.ts';

const environmentKey = 'sk-of-the-environment';

describe('given an endpoint on this machine, and an environment key meant for another endpoint', () => {
	const endpoint = new KeyedEndpoint();
	let original: string;

	before(async () => {
		await endpoint.start();
		original = await textOf(configUri());
		await write(fileUri('.env'), `OPENAI_API_KEY=${environmentKey}\n`);
		const clients = { lmstudio: { provider: 'openai', base_url: `${endpoint.origin}/v1` } };
		const models = { keyed: { client: 'lmstudio', model: 'qwen3' } };
		await write(configUri(), withEntries(original, { clients, models }));
	});
	afterEach(() => {
		restoreDialogs();
		endpoint.wantsKey = false;
	});
	after(async () => {
		await write(configUri(), original);
		await vscode.workspace.fs.delete(fileUri('.env'));
		endpoint.stop();
	});

	async function ask(): Promise<string> {
		const model = await eventually('the model', async () => {
			const [found] = await vscode.lm.selectChatModels({ vendor: ids.vendor, id: 'keyed' });
			return found;
		});
		const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('hello')]);
		return (await Array.fromAsync(response.text)).join('');
	}

	const lmstudio = () => ({ file: configUri().toString(), name: 'lmstudio' });
	const lastKey = () => endpoint.authorizations.at(-1);

	test('when the endpoint needs no key, then none is sent and the user is not asked', async () => {
		assert.equal(await ask(), 'Hello.');
		assert.equal(lastKey(), undefined);
	});

	test('when the user sets a key for the endpoint, then it is sent until it is removed', async () => {
		const boxes = answer('showInputBox', ' sk-entered ');
		const told = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.manageSecrets, lmstudio());
		assert.ok(JSON.stringify(boxes).includes(endpoint.origin));
		assert.match(JSON.stringify(boxes), /"password":true/);
		// Nothing had failed without it, so that nothing is offered.
		assert.deepEqual(told, [
			[`Discovery: stored the key of “lmstudio”. It is sent to ${endpoint.origin}/v1. Models: keyed.`],
		]);
		assert.equal(await ask(), 'Hello.');
		assert.equal(lastKey(), 'Bearer sk-entered');
		pick('Remove Stored Key');
		await vscode.commands.executeCommand(commands.manageSecrets, lmstudio());
		await ask();
		assert.equal(lastKey(), undefined);
	});

	test('when the endpoint needs a key and the user agrees, then the key is sent, now and later', async () => {
		endpoint.wantsKey = true;
		const questions = answer('showWarningMessage', 'Send');
		assert.equal(await ask(), 'Hello.');
		assert.equal(lastKey(), `Bearer ${environmentKey}`);
		assert.equal(await ask(), 'Hello.');
		assert.equal(questions.length, 1);
		const [question, options] = questions[0] ?? [];
		assert.equal(question, `Send the secret in OPENAI_API_KEY to ${endpoint.origin}/v1?`);
		assert.match(
			JSON.stringify(options),
			/"modal":true.*“lmstudio” in casual_mcp_config\.json.*OPENAI_API_KEY is in \.env/,
		);
		assert.ok(!JSON.stringify(questions).includes(environmentKey));
	});

	test('when the user revokes this and declines, then no key is sent, and the error says what to do', async () => {
		pick('Stop Sending OPENAI_API_KEY');
		await vscode.commands.executeCommand(commands.manageSecrets, lmstudio());
		endpoint.wantsKey = true;
		const questions = answer('showWarningMessage', undefined);
		for (const _ of ['at first', 'and again']) {
			await assert.rejects(ask(), (error) => {
				assert.ok(error instanceof vscode.LanguageModelError);
				assert.equal(error.code, vscode.LanguageModelError.NoPermissions.name);
				assert.match(error.message, /Set API Key/);
				return true;
			});
			assert.equal(lastKey(), undefined);
		}
		assert.equal(questions.length, 1);
	});
});
