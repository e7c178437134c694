import * as assert from 'node:assert/strict';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { ids } from '../../../src/vscode/ui/ids.ts';
import { chatCompletions } from '../../providers/strict/chatCompletions.ts';
import type { ChatBody, WireMessage } from '../../providers/strict/chatRules.ts';
import { StrictEndpoint } from '../../providers/strict/strictEndpoint.ts';
import {
	ask,
	configUri,
	eventually,
	newChat,
	serversListed,
	textOf,
	withEntries,
	write,
} from './workspace.ts';

const { LanguageModelChatMessage: Message } = vscode;

describe('given a model that thinks and needs its thoughts sent back', () => {
	const echo = { name: 'everything__echo', input: { message: 'Rome' } };
	let endpoint: StrictEndpoint<ChatBody, WireMessage>;
	let original: string;

	before(async () => {
		await serversListed();
		endpoint = await StrictEndpoint.start(chatCompletions('deepseek'), [
			{ thought: 'An echo, then.', calls: [echo] },
			{ thought: 'It says Rome.', text: 'Rome.' },
			{
				thought: 'Find it first.',
				calls: [{ name: 'search_tools', input: { tool_names: ['everything:echo'] } }],
			},
			{ thought: 'Call it.', calls: [echo] },
			{ thought: 'Done.', text: 'It echoes.' },
			{ thought: 'Easy.', text: 'Yes.' },
		]);
		original = await textOf(configUri());
		const clients = { thinking: { provider: 'openai', base_url: endpoint.endpoint.baseUrl } };
		const models = { thinker: { client: 'thinking', model: 'deepseek-v4' } };
		await write(configUri(), withEntries(original, { clients, models }));
	});

	after(async () => {
		await write(configUri(), original);
		await endpoint[Symbol.asyncDispose]();
	});

	async function thinker(): Promise<vscode.LanguageModelChat> {
		return eventually('the model that thinks', async () => {
			const models = await vscode.lm.selectChatModels({ vendor: ids.vendor });
			return models.find(({ name }) => name === 'thinker');
		});
	}

	test('when another extension sends the result of a call, then the model gets its thoughts back', async () => {
		const model = await thinker();
		const tools = [{ name: echo.name, description: 'Echoes', inputSchema: { type: 'object' } }];
		const question = Message.User('Echo Rome.');
		const first = await Array.fromAsync((await model.sendRequest([question], { tools })).stream);
		const call = first.find((part) => part instanceof vscode.LanguageModelToolCallPart);
		assert.ok(call);
		const result = new vscode.LanguageModelToolResultPart(call.callId, [
			new vscode.LanguageModelTextPart('Rome'),
		]);
		const conversation = [question, Message.Assistant([call]), Message.User([result])];
		const response = await model.sendRequest(conversation, { tools });
		assert.equal((await Array.fromAsync(response.text)).join(''), 'Rome.');
		assert.deepEqual(endpoint.refused, []);
		assert.equal(endpoint.requests.at(-1)?.body.messages[1]?.reasoning_content, 'An echo, then.');
	});

	test('when the chat uses the model for several turns, then thoughts are sent back and can be read', async () => {
		await newChat();
		const { id } = await thinker();
		await ask('echo Rome', id);
		await ask('is that all?', id);
		assert.deepEqual(endpoint.refused, []);
		const thoughts = endpoint.requests
			.at(-1)
			?.body.messages.flatMap((message) => message.reasoning_content ?? []);
		assert.deepEqual(thoughts, ['Find it first.', 'Call it.', 'Done.']);

		await vscode.commands.executeCommand(ids.showThinking, 'Find it first.');
		const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === ids.thinkingScheme);
		assert.equal(shown?.getText().trim(), 'Find it first.');
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
	});
});
