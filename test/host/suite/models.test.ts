import * as assert from 'node:assert/strict';
import { describe, test } from 'mocha';
import * as vscode from 'vscode';
import type { AnswerPart } from '../../../src/discovery/catalog/message.ts';
import { answerText, callsOf, plainAnswer } from '../../../src/models/answerParts.ts';
import type { ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import { ModelError } from '../../../src/models/modelError.ts';
import { EditorChatModel } from '../../../src/vscode/models/editorChatModel.ts';
import { ids } from '../../../src/vscode/ui/ids.ts';
import { turn } from '../../unit/chat/conversation.ts';
import { sessionOf } from '../../unit/discovery/fixtures.ts';

async function planner(): Promise<vscode.LanguageModelChat> {
	const [model] = await vscode.lm.selectChatModels({ vendor: ids.vendor, id: 'offline-planner' });
	assert.ok(model, 'the offline planner is a model of VS Code');
	return model;
}

async function answer(request: ChatRequest): Promise<readonly AnswerPart[]> {
	const model = new EditorChatModel(await planner());
	return model.answer(request, new AbortController().signal, () => undefined);
}

const echo = {
	name: 'everything__echo',
	description: 'Echoes back the input',
	inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};
const prompt = { role: 'user', text: 'echo the message "grüß Gott"' } as const;

describe('given the offline planner as a model of VS Code', () => {
	test('then its name says that it is not AI', async () => {
		assert.match((await planner()).name, /no AI/);
	});

	test('then it answers another extension’s request with a call of the right tool', async () => {
		const [call] = callsOf(await answer({ system: 'Be brief.', messages: [prompt], tools: [echo] }));
		assert.equal(call?.name, echo.name);
		assert.deepEqual(call?.input, { message: 'grüß Gott' });
	});

	test('then its answer contains the result of the tool', async () => {
		const call = { id: 'planner-1', name: echo.name, input: { message: 'grüß Gott' } };
		const result = { content: [{ type: 'text' as const, text: 'Echo: grüß Gott' }], isError: false };
		const parts = await answer({
			system: '',
			messages: [prompt, plainAnswer('', [call]), { role: 'tool', results: [{ callId: call.id, result }] }],
			tools: [echo],
		});
		assert.match(answerText(parts), /grüß Gott/);
		assert.deepEqual(callsOf(parts), []);
	});
});

/** Any model behind the editor: what it was asked, in the editor's own types, and what it says, after it refused some requests. */
function modelThat(
	says: readonly unknown[],
	takesPictures: boolean,
	refuses: readonly (Error | undefined)[] = [],
) {
	const refusals = refuses.values();
	const asked: vscode.LanguageModelChatMessage[] = [];
	const model: Partial<vscode.LanguageModelChat> & { readonly capabilities: object } = {
		id: 'other',
		name: 'Other',
		vendor: 'copilot',
		maxInputTokens: 128_000,
		capabilities: { supportsImageToText: takesPictures },
		sendRequest: async (messages) => {
			asked.push(...messages);
			const refusal = refusals.next().value;
			if (refusal) throw refusal;
			const stream = (async function* () {
				yield* says;
			})();
			return { stream, text: (async function* () {})() };
		},
	};
	return { asked, model: new EditorChatModel(model as vscode.LanguageModelChat) };
}

const picture = {
	type: 'image',
	data: 'iVBORw0KGgo=',
	mimeType: 'image/png',
} as const;

/** All parts of a request, those of results included. */
function partsOf(messages: readonly vscode.LanguageModelChatMessage[]): unknown[] {
	const parts = messages.flatMap(({ content }) => content as unknown[]);
	return parts.flatMap((part) =>
		part instanceof vscode.LanguageModelToolResultPart ? [part, ...part.content] : [part],
	);
}

async function asks(
	messages: ChatRequest['messages'],
	takesPictures: boolean,
	says: readonly unknown[] = [],
) {
	const { asked, model } = modelThat(says, takesPictures);
	const request = { system: '', messages, tools: [] };
	const events: ChatModelEvent[] = [];
	const parts = await model.answer(request, new AbortController().signal, (event) => void events.push(event));
	return { asked, events, parts };
}

describe('given a model from another extension', () => {
	const call = { id: 'call-1', name: 'camera__shoot', input: {} };
	const withPicture: ChatRequest['messages'] = [
		{ role: 'user', text: 'look', images: [picture] },
		plainAnswer('', [call]),
		{ role: 'tool', results: [{ callId: call.id, result: { content: [picture], isError: false } }] },
	];

	test('then pictures, also in results, are sent to a model that accepts them and described to one that does not', async () => {
		const data = (parts: unknown[]) => parts.filter((part) => part instanceof vscode.LanguageModelDataPart);
		const seeing = partsOf((await asks(withPicture, true)).asked);
		assert.equal(data(seeing).length, 2);
		const blind = partsOf((await asks(withPicture, false)).asked);
		assert.equal(data(blind).length, 0);
		const words = blind
			.filter((part) => part instanceof vscode.LanguageModelTextPart)
			.map(({ value }) => value);
		assert.deepEqual(words, ['look\n[image image/png]', '[image image/png]']);
	});

	test('then a picture that it refuses is left out, and the user is told (anomalyco/opencode#25832)', async () => {
		const refusal = new Error(
			'Request Failed: 404 {"error":{"message":"No endpoints found that support image input"}}',
		);
		const { asked, model } = modelThat([], true, [refusal]);
		const events: ChatModelEvent[] = [];
		const request = { system: '', messages: withPicture, tools: [] };
		await model.answer(request, new AbortController().signal, (event) => void events.push(event));
		assert.deepEqual(
			events.map(({ type }) => type),
			['notice'],
		);
		assert.ok(!partsOf(asked.slice(-3)).some((part) => part instanceof vscode.LanguageModelDataPart));
	});

	test('then names and ids are valid, each call has one result, and no message is empty', async () => {
		const odd = { id: 'a b/ü', name: 'größe anzeigen!', input: {} };
		const { asked } = await asks(
			[
				{ role: 'user', text: ' ' },
				{ role: 'user', text: 'hello' },
				plainAnswer('', [odd, { ...odd, name: 'x' }]),
				{ role: 'tool', results: [{ callId: 'nobody', result: { content: [], isError: false } }] },
				plainAnswer(''),
			],
			false,
		);
		const parts = partsOf(asked);
		const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
		const results = parts.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
		for (const { name, callId } of calls) assert.match(`${name} ${callId}`, /^[\w-]+ [\w-]+$/);
		assert.equal(new Set(calls.map(({ callId }) => callId)).size, 2);
		assert.deepEqual(
			results.map(({ callId }) => callId),
			calls.map(({ callId }) => callId),
		);
		assert.ok(results.every(({ content }) => content.length > 0));
		assert.equal(asked.length, 3);
	});

	test('then its data and prompts are read, its calls get unique ids, and deeply nested arguments are rejected', async () => {
		let deep: object = {};
		for (let level = 0; level < 300; level++) deep = { deep };
		const says = [
			new vscode.LanguageModelDataPart(Buffer.from('{"city":"Ulm"}'), 'application/json'),
			new vscode.LanguageModelPromptTsxPart({ node: { children: [{ type: 2, text: ' is rendered' }] } }),
			new vscode.LanguageModelDataPart(Buffer.from('x'), 'cache_control'),
			new vscode.LanguageModelToolCallPart(call.id, 'a', {}),
			new vscode.LanguageModelToolCallPart('', 'b', deep),
			new vscode.LanguageModelDataPart(Buffer.from('x'), 'image/png'),
		];
		const { events, parts } = await asks(withPicture, true, says);
		assert.equal(answerText(parts), '{"city":"Ulm"} is rendered');
		const calls = callsOf(parts);
		assert.equal(new Set([call.id, '', ...calls.map(({ id }) => id)]).size, 4);
		assert.match(calls[1]?.fault ?? '', /nested deeper than 200 levels/);
		assert.equal(events.filter(({ type }) => type === 'notice').length, 1);
	});

	test('then a rate limit is waited for, and a conversation that is too long is trimmed and sent again', async () => {
		const limited = Object.assign(new Error('Rate limit exceeded'), { name: 'ChatRateLimited' });
		const tooLong = new Error(
			'Request Failed: 400 {"error":{"message":"prompt token count of 64505 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}',
		);
		const says = [new vscode.LanguageModelTextPart('Good.')];
		const unknown = vscode.LanguageModelError.NotFound('x');
		const { model } = modelThat(says, false, [limited, tooLong, undefined, unknown]);
		const session = sessionOf([]);
		const long = { content: [{ type: 'text' as const, text: 'word '.repeat(60_000) }], isError: false };
		const { events } = await turn(model, {
			session,
			messages: [
				{ role: 'user', text: 'read it' },
				plainAnswer('', [call]),
				{ role: 'tool', results: [{ callId: call.id, result: long }] },
				plainAnswer('Read.'),
				prompt,
			],
		});
		assert.deepEqual(
			events.map(({ type }) => type).filter((type) => type !== 'usage'),
			['retrying', 'trimmed', 'text', 'end'],
		);
		assert.equal(model.maxInputTokens, 64_000);
		// What another refusal says is a sentence, and the next message works.
		const { end } = await turn(model, { session });
		assert.ok(end?.reason === 'failed' && end.error instanceof ModelError);
		assert.equal(
			end.error.message,
			'Other (copilot) does not know this model or URL: x. Pick another model below the chat input.',
		);
		assert.equal((await turn(model, { session })).end?.reason, 'answered');
	});
});
