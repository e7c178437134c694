import * as assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import { ids } from '../../../src/vscode/ids.ts';
import { EditorChatModel } from '../../../src/vscode/models/languageModel.ts';

async function planner(): Promise<vscode.LanguageModelChat> {
	const [model] = await vscode.lm.selectChatModels({ vendor: ids.vendor, id: 'offline-planner' });
	assert.ok(model, 'the offline planner is a model of VS Code');
	return model;
}

async function events(request: ChatRequest): Promise<ChatModelEvent[]> {
	const model = new EditorChatModel(await planner());
	return Array.fromAsync(model.stream(request, new AbortController().signal));
}

const echo = {
	name: 'everything__echo',
	description: 'Echoes back the input',
	inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};
const prompt = { role: 'user', text: 'echo the message "grüß Gott"' } as const;

describe('given the offline planner among the models of VS Code', () => {
	it('then its name says that it is no AI, and it can call tools', async () => {
		assert.match((await planner()).name, /no AI/);
	});

	it('then another extension that asks it through the editor gets a call of the right tool', async () => {
		const [event] = await events({ system: 'Be brief.', messages: [prompt], tools: [echo] });
		assert.ok(event?.type === 'toolCall');
		assert.equal(event.call.name, echo.name);
		assert.deepEqual(event.call.input, { message: 'grüß Gott' });
	});

	it("then the tool's answer, told to it through the editor, is in its own answer", async () => {
		const call = { id: 'planner-1', name: echo.name, input: { message: 'grüß Gott' } };
		const result = { content: [{ type: 'text' as const, text: 'Echo: grüß Gott' }], isError: false };
		const answer = await events({
			system: '',
			messages: [
				prompt,
				{ role: 'assistant', text: '', toolCalls: [call] },
				{ role: 'tool', results: [{ callId: call.id, result }] },
			],
			tools: [echo],
		});
		const text = answer.map((event) => (event.type === 'text' ? event.text : '')).join('');
		assert.match(text, /grüß Gott/);
		assert.deepEqual(
			answer.filter((event) => event.type === 'toolCall'),
			[],
		);
	});
});
