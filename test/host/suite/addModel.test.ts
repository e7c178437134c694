import * as assert from 'node:assert/strict';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { KeyedEndpoint } from '../../keyedEndpoint.ts';
import { answer } from './dialogs.ts';
import { caughtInputs } from './quickInputs.ts';
import { configUri, eventually, textOf, write } from './workspace.ts';

const key = 'sk-of-this-person';

describe('given an endpoint on this machine that wants a key', () => {
	const endpoint = new KeyedEndpoint();
	let original: string;
	const inputs = caughtInputs();

	before(async () => {
		await endpoint.start();
		endpoint.wantsKey = true;
		endpoint.models = [{ id: 'team/qwen3' }, { id: 'text-embedding-3' }];
		original = await textOf(configUri());
	});
	after(async () => {
		await write(configUri(), original);
		endpoint.stop();
	});

	async function picker(label: string): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
		return eventually(label, async () => {
			const input = (await inputs.question('1/1')) as vscode.QuickPick<vscode.QuickPickItem>;
			return input.items?.some((item) => item.label === label) ? input : undefined;
		});
	}

	/** Pastes the address, and enters the key that the endpoint asks for. */
	async function enterKey(): Promise<void> {
		const providers = await picker('OpenRouter');
		providers.value = `curl ${endpoint.origin}/v1/chat/completions`;
		await picker('OpenAI-Compatible Endpoint');
		await inputs.choose('1/1', 'OpenAI-Compatible Endpoint');
		const box = await eventually('the question for the key', async () => {
			const input = await inputs.question('1/1');
			return 'password' in input ? input : undefined;
		});
		assert.equal(box.password, true);
		await inputs.type('1/1', key);
	}

	test('when the user chooses a model, then it is tested, written with its client, and undone with its key', async () => {
		// The user reads the file before pressing the button.
		const { promise: button, resolve: press } = Promise.withResolvers<string>();
		const messages = answer('showInformationMessage', button);
		const done = vscode.commands.executeCommand(commands.addModel);
		await enterKey();
		await picker('team/qwen3');
		await inputs.choose('1/1', 'team/qwen3');
		const text = await eventually('the entry', async () => {
			const now = await textOf(configUri());
			return now === original ? undefined : now;
		});
		press('Undo');
		await done;
		assert.equal(endpoint.authorizations.at(-1), `Bearer ${key}`);
		assert.match(String(messages[0]?.[0]), /^Discovery: team\/qwen3 answered in [\d.]+ m?s\. Added qwen3\./);
		assert.match(text, /"qwen3": \{\s*"client": "local",\s*"model": "team\/qwen3"\s*\}/);
		assert.ok(text.includes(`${endpoint.origin}/v1`) && !text.includes(key));
		await eventually('the undo', async () => (await textOf(configUri())) === original || undefined);
	});
});
