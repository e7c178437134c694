import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import type { ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { callsOf, plainAnswer } from '../../../src/models/answerParts.ts';
import type { ChatModel, ChatRequest } from '../../../src/models/chatModel.ts';
import { ConfiguredModels, type KeySupply } from '../../../src/vscode/models/configuredModels.ts';
import { messageOf } from '../asGiven.ts';
import { standsAt } from '../http/provider.ts';
import { succeedingAnswer, textOf } from '../loopback.ts';
import { chatCompletions } from './chatCompletions.ts';
import { responses } from './responses.ts';
import { type Said, StrictEndpoint } from './strictEndpoint.ts';

const weather: ToolDefinition = {
	name: 'weather__now',
	description: 'Tells the weather.',
	inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const script: readonly Said[] = [
	{ thought: 'A tool.', calls: [{ name: weather.name, input: { city: 'Ulm' } }] },
	{ text: 'It is sunny.' },
	{ calls: [{ name: weather.name, input: { city: 'Bonn' } }] },
];

const supply: KeySupply = {
	keyFor: async () => 'the-key-0123456789',
	keyAfterRefusal: async () => false,
	mayUse: async () => true,
	mayReceiveChats: async () => true,
	signIn: async () => 'entra-token-0123456789',
};

/** The model of a configuration file with one client and one model of it. */
async function modelOf(client: object, model: object, keys: Partial<KeySupply> = {}): Promise<ChatModel> {
	const file = { clients: { c: client }, models: { m: { client: 'c', ...model } } };
	const scope = { file: '', workspaceFolder: '/work', env: { GATEWAY_TOKEN: 'gw-secret-0123456789' } };
	const { config, problems } = loadConfig(JSON.stringify(file), scope);
	if (!config || problems.length > 0) throw new Error(problems.map(({ message }) => message).join());
	const models = new ConfiguredModels({
		keys: { ...supply, ...keys },
		modelLists: {
			stateOf: () => ({ models: [] }),
			factsOf: () => ({}),
			learnedContext: () => undefined,
			learn() {},
			modelMissing() {},
		},
		log: { debug: () => undefined },
	});
	const [offered] = models.update(config.models);
	if (!offered) throw new Error('There is no model.');
	return offered.load();
}

/** A question, a call with its result, an answer; and a call that is demanded. */
async function conversation(model: ChatModel): Promise<{ text: string; calls: number; notices: number }> {
	const messages: ChatMessage[] = [{ role: 'user', text: 'How is the weather in Ulm?' }];
	const request: ChatRequest = { system: 'Be brief.', messages, tools: [weather] };
	const first = await succeedingAnswer(model, request);
	messages.push(messageOf(first.parts), {
		role: 'tool',
		results: callsOf(first.parts).map(({ id }) => ({ callId: id, result: textResult('sunny') })),
	});
	const second = await succeedingAnswer(model, request);
	messages.push(plainAnswer('It is sunny.'), { role: 'user', text: 'And Bonn?' });
	const all = [first, second, await succeedingAnswer(model, { ...request, mustCall: true })];
	const events = all.flatMap((answer) => answer.events);
	return {
		text: textOf(events),
		calls: all.flatMap(({ parts }) => callsOf(parts)).length,
		notices: events.filter(({ type }) => type === 'notice').length,
	};
}

const whole = { text: 'It is sunny.', calls: 2, notices: 0 };
const azure = 'https://acme.openai.azure.com/openai/v1';

describe('Azure OpenAI', () => {
	const settings = { model: 'my-reasoner', max_output_tokens: 1000, reasoning_effort: 'low' };

	test('takes its key in a header of its own, and the limit of output under its new name', async () => {
		await using strict = await StrictEndpoint.start(chatCompletions('azure'), script);
		standsAt(azure, strict.endpoint.baseUrl);

		expect(await conversation(await modelOf({ provider: 'openai', base_url: azure }, settings))).toEqual(
			whole,
		);

		expect(strict.refused).toEqual([]);
		for (const { path, headers, body } of strict.requests) {
			expect(path).toBe('/openai/v1/chat/completions');
			expect(headers).toMatchObject({ 'api-key': 'the-key-0123456789' });
			expect(headers).not.toHaveProperty('authorization');
			expect(body).toMatchObject({ max_completion_tokens: 1000, reasoning_effort: 'low' });
		}
	});

	test('takes a sign-in at Microsoft instead, which stands in no key’s header', async () => {
		await using strict = await StrictEndpoint.start(chatCompletions('azure'), script);
		standsAt(azure, strict.endpoint.baseUrl);
		const client = { provider: 'openai', base_url: azure, auth: 'microsoft' };

		expect(await conversation(await modelOf(client, settings))).toEqual(whole);

		for (const { headers } of strict.requests) {
			expect(headers).toMatchObject({ authorization: 'Bearer entra-token-0123456789' });
			expect(headers).not.toHaveProperty('api-key');
		}
	});

	test('is sent nothing where the user does not sign in', async () => {
		await using strict = await StrictEndpoint.start(chatCompletions('azure'), script);
		standsAt(azure, strict.endpoint.baseUrl);
		const client = { provider: 'openai', base_url: azure, auth: 'microsoft' };
		const model = await modelOf(client, settings, { signIn: async () => undefined });

		await expect(conversation(model)).rejects.toMatchObject({
			reason: 'unauthorized',
			message: expect.stringContaining('Nothing was sent'),
		});
		expect(strict.requests).toEqual([]);
	});

	test('refuses a temperature of a deployment that reasons once, and the user is told', async () => {
		await using strict = await StrictEndpoint.start(chatCompletions('azure'), script);
		standsAt(azure, strict.endpoint.baseUrl);
		const model = await modelOf({ provider: 'openai', base_url: azure }, { ...settings, temperature: 0.5 });

		expect(await conversation(model)).toEqual({ ...whole, notices: 1 });

		expect(strict.refused).toEqual([
			"Unsupported parameter: 'temperature' is not supported with this model.",
		]);
	});

	test('is asked over Responses where the file says so', async () => {
		await using strict = await StrictEndpoint.start({ ...responses, path: '/openai/v1' }, script);
		standsAt(azure, strict.endpoint.baseUrl);
		const client = { provider: 'openai', base_url: azure, api: 'responses' };

		expect(await conversation(await modelOf(client, { model: 'gpt-5' }))).toEqual(whole);

		expect(strict.refused).toEqual([]);
		expect(strict.requests[0]?.path).toBe('/openai/v1/responses');
		expect(strict.requests[0]?.headers).toMatchObject({ 'api-key': 'the-key-0123456789' });
	});
});

describe('endpoints that speak Chat Completions', () => {
	test.each([
		['github', 'https://models.github.ai/inference', { model: 'openai/gpt-4.1', temperature: 0.5 }],
		[
			'gemini',
			'https://generativelanguage.googleapis.com/v1beta/openai',
			{ model: 'gemini-2.5-flash', reasoning_effort: 'low' },
		],
		['vllm', 'http://localhost:8000/v1', { model: 'Qwen/Qwen3-32B', temperature: 0.5, top_p: 0.9 }],
		['lmstudio', 'http://localhost:1234/v1', { model: 'qwen3-8b', temperature: 0.5 }],
		['llamacpp', 'http://localhost:8080/v1', { model: 'any', temperature: 0.5, parallel_tool_calls: false }],
		['local', 'http://localhost:8080/v1', { model: 'any' }],
	] as const)('%s refuses nothing', async (dialect, address, settings) => {
		await using strict = await StrictEndpoint.start(chatCompletions(dialect), script);
		standsAt(address, strict.endpoint.baseUrl);
		const model = await modelOf(
			{ provider: 'openai', base_url: address },
			{ ...settings, max_output_tokens: 500 },
		);

		expect(await conversation(model)).toEqual(whole);

		expect(strict.refused).toEqual([]);
		const { pathname } = new URL(address);
		for (const { path, headers, body } of strict.requests) {
			expect(path).toBe(`${pathname}/chat/completions`);
			expect(headers).toMatchObject({ authorization: 'Bearer the-key-0123456789' });
			expect(body).toMatchObject({ max_tokens: 500 });
		}
		expect(strict.requests.at(-1)?.body).toMatchObject({ tool_choice: 'required' });
	});

	test('what one of them does not know of the settings is left out, and the user is told', async () => {
		await using strict = await StrictEndpoint.start(chatCompletions('github'), script);
		const address = 'https://models.github.ai/inference';
		standsAt(address, strict.endpoint.baseUrl);
		const settings = { model: 'openai/o4-mini', reasoning_effort: 'low', parallel_tool_calls: false };
		const model = await modelOf({ provider: 'openai', base_url: address }, settings);

		expect(await conversation(model)).toEqual({ ...whole, notices: 2 });
		expect(strict.refused).toHaveLength(2);
	});
});

describe('headers of a client', () => {
	const client = {
		provider: 'openai',
		base_url: 'https://gateway.example.com/v1',
		organization: 'org-1',
		headers: { 'X-Team': 'blue', 'X-Gateway': `Bearer \${env:GATEWAY_TOKEN}` },
	};

	test.each([
		['with its secret once the user agrees', true, 'Bearer gw-secret-0123456789'],
		['without the one that holds a secret where they do not', false, undefined],
	])('are sent, %s', async (_, agrees, secret) => {
		await using strict = await StrictEndpoint.start(chatCompletions('local'), script);
		standsAt(client.base_url, strict.endpoint.baseUrl);
		const asked: string[] = [];
		const model = await modelOf(
			client,
			{ model: 'any' },
			{
				mayUse: async ({ baseUrl }, variable) => {
					asked.push(`${variable} to ${new URL(baseUrl).origin}`);
					return agrees;
				},
			},
		);

		expect(await conversation(model)).toEqual(whole);

		expect(new Set(asked)).toEqual(new Set(['GATEWAY_TOKEN to https://gateway.example.com']));
		for (const { headers } of strict.requests) {
			expect(headers).toMatchObject({ 'x-team': 'blue', 'openai-organization': 'org-1' });
			expect(headers['x-gateway']).toBe(secret);
		}
	});
});
