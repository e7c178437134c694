import { describe, expect, test } from 'vitest';
import { isReasoningModel } from '../../../../src/common/answerSettings.ts';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import type { ChatRequest } from '../../../../src/models/chatModel.ts';
import { hasPhases, ResponsesModel } from '../../../../src/models/openai/responses/responsesModel.ts';
import type { ProviderModelSettings } from '../../../../src/models/provider.ts';
import { asking, endpointAt, eventsOf, Loopback } from '../../loopback.ts';
import { modelAt } from './asking.ts';
import { answer, said } from './endpoint.ts';

describe('how loaded tools reach a model of the Responses API', () => {
	const loadingsOf = (model: string, baseUrl = 'https://api.openai.com/v1') =>
		new ResponsesModel({ id: 'm', name: 'M', model }, endpointAt(baseUrl)).loadings;

	test.each(['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-2026-03-05', 'gpt-5.5-pro', 'gpt-6-astra'])(
		'by its own search where it knows one: %s',
		(model) => expect(loadingsOf(model)).toEqual(['native', 'append', 'call']),
	);

	test.each(['gpt-5.3-codex', 'gpt-5', 'gpt-5-2025-08-07', 'gpt-4.1', 'gpt-4o', 'o4-mini', 'gpt-5.4-nano'])(
		'as further tools where it does not: %s',
		(model) => expect(loadingsOf(model)).toEqual(['append', 'native', 'call']),
	);

	test.each(['gpt-5.4', 'qwen3:8b'])('in the conversation where somebody else answers for %s', (model) => {
		expect(loadingsOf(model, 'https://gateway.example.com/v1')).toEqual(['native', 'append', 'call']);
	});
});

describe('which models reason', () => {
	test.each([
		...['o1', 'o3-mini', 'o4-mini-2025-04-16', 'gpt-5', 'gpt-5-nano', 'gpt-5.1-chat-latest', 'gpt-5.4'],
		...['ft:o4-mini-2025-04-16:acme::1', 'openai/gpt-5', 'codex-mini-latest'],
	])('%s does', (model) => expect(isReasoningModel(model)).toBe(true));

	test.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-5-chat-latest', 'gpt-35-turbo', 'ft:gpt-4.1:o3::1', 'llama-3'])(
		'%s does not',
		(model) => expect(isReasoningModel(model)).toBe(false),
	);
});

describe('which models mark their messages', () => {
	test.each([
		['gpt-5.3-codex', true],
		['gpt-6-astra', true],
		['gpt-5.2', false],
		['o3', false],
	])('%s: %s', (model, does) => {
		expect(hasPhases(model)).toBe(does);
	});
});

const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
const addition = {
	name: 'sums__add',
	description: 'Adds.',
	inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};

/** The body that is sent, as text. */
async function bodyOf(request: ChatRequest, settings: Partial<ProviderModelSettings> = {}): Promise<string> {
	await using server = await Loopback.start(answer([said('ok')]));
	await eventsOf(modelAt(server, settings), request);
	return server.received[0]?.body ?? '';
}

async function sent(request: ChatRequest, settings: Partial<ProviderModelSettings> = {}) {
	return JSON.parse(await bodyOf(request, settings));
}

function callOf(...ids: readonly string[]): ChatMessage {
	return plainAnswer(
		'',
		ids.map((id) => ({ id, name: 'echo__say', input: { id } })),
	);
}

describe('the body of a request', () => {
	test('begins with what changes least, and asks OpenAI to stream and to store nothing', async () => {
		const body = await sent(asking('hello', { tools: [addition] }), { maxOutputTokens: 500 });
		expect(Object.keys(body).slice(0, 4)).toEqual(['model', 'tools', 'instructions', 'input']);
		expect(body).toMatchObject({
			model: 'gpt-4.1',
			instructions: 'Be brief.',
			max_output_tokens: 500,
			store: false,
			stream: true,
		});
	});

	test('says nothing of tools, instructions or limits that there are not', async () => {
		const body = await sent(asking('hello', { system: '' }));
		expect(Object.keys(body)).toEqual(['model', 'input', 'prompt_cache_key', 'store', 'stream']);
	});

	test('sends tools as functions whose schemas stay as they are', async () => {
		const { tools } = await sent(asking('hello', { tools: [addition] }));
		expect(tools).toEqual([
			{
				type: 'function',
				name: 'sums__add',
				description: 'Adds.',
				parameters: addition.inputSchema,
				strict: false,
			},
		]);
	});

	test('asks for encrypted reasoning where the model reasons, and only there', async () => {
		expect(await sent(asking('hello'), { model: 'gpt-5.1' })).toMatchObject({
			include: ['reasoning.encrypted_content'],
		});
		expect(await sent(asking('hello'), { model: 'gpt-4o' })).not.toHaveProperty('include');
	});
});

describe('a conversation as input', () => {
	test('tells a model that marks its messages which of them were answers', async () => {
		const messages: ChatMessage[] = [
			{ role: 'user', text: 'one' },
			plainAnswer('Looking.', [{ id: 'a', name: 'echo__say', input: {} }]),
			{ role: 'tool', results: [{ callId: 'a', result: textResult('x') }] },
			plainAnswer('x'),
		];
		const { input } = await sent(asking('', { messages }), { model: 'gpt-5.4' });
		expect(input[1]).toEqual({
			type: 'message',
			role: 'assistant',
			content: 'Looking.',
			phase: 'commentary',
		});
		expect(input.at(-1)).toMatchObject({ content: 'x', phase: 'final_answer' });
	});
});

describe('pictures', () => {
	const shows: ChatMessage[] = [
		{ role: 'user', text: 'What is it?', images: [png] },
		callOf('a'),
		{
			role: 'tool',
			results: [
				{
					callId: 'a',
					result: { content: [{ type: 'text', text: 'here' }, png], isError: false },
				},
			],
		},
	];

	test('are shown to a model that takes them, in messages and in results', async () => {
		const { input } = await sent(asking('', { messages: shows }), { images: true });
		const shown = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' };
		expect(input[0].content).toEqual([{ type: 'input_text', text: 'What is it?' }, shown]);
		expect(input[2].output).toEqual([{ type: 'input_text', text: 'here' }, shown]);
	});
});
