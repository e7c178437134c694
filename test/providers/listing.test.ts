import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ListedModel, listModels, type ModelList, maxListed } from '../../src/models/listing.ts';
import type { Endpoint } from '../../src/models/provider.ts';
import { failureIn, provider } from './http/provider.ts';
import { key } from './loopback.ts';

/** An endpoint that answers by path, over real HTTP. */
async function endpointOf(answers: Readonly<Record<string, unknown>>, name: Endpoint['provider'] = 'openai') {
	return at(name, ({ url = '' }, response) => {
		if (answers[url] === undefined) response.writeHead(404).end('{"error":"no such page"}');
		else send(response, answers[url]);
	});
}

async function at(name: Endpoint['provider'], answer: Parameters<typeof provider>[0]) {
	const { endpoint, requests } = await provider(answer, { provider: name });
	const baseUrl = name === 'openai' ? endpoint.baseUrl : new URL(endpoint.baseUrl).origin;
	return { endpoint: { ...endpoint, baseUrl }, requests };
}

function send(response: ServerResponse, answer: unknown): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

function list(endpoint: Endpoint): Promise<ModelList> {
	return listModels(endpoint, new AbortController().signal);
}

/** What an OpenAI-compatible endpoint with this list has. */
async function modelsOf(data: unknown): Promise<readonly ListedModel[]> {
	const { endpoint } = await endpointOf({ '/v1/models': data });
	return (await list(endpoint)).models;
}

describe('the list of an endpoint that speaks OpenAI’s protocol', () => {
	test('is asked for with the key, and nothing that tells of the machine', async () => {
		const { endpoint, requests } = await endpointOf({ '/v1/models': { object: 'list', data: [] } });
		expect(await list(endpoint)).toEqual({ models: [], leftOut: 0 });
		const headers = { authorization: `Bearer ${key}`, 'user-agent': 'mcp-discovery' };
		expect(requests).toMatchObject([{ headers }]);
	});

	// https://platform.openai.com/docs/api-reference/models/list
	test('at OpenAI itself is names, some of them of what no chat can be had with', async () => {
		const entry = (id: string) => ({ id, object: 'model', created: 1_686_935_002, owned_by: 'openai' });
		const names = ['gpt-5.4', 'text-embedding-3-small', 'whisper-1'];
		expect(await modelsOf({ object: 'list', data: names.map(entry) })).toEqual([
			{ model: 'gpt-5.4' },
			{ model: 'text-embedding-3-small', tools: false },
			{ model: 'whisper-1', tools: false },
		]);
	});

	// https://openrouter.ai/docs/models
	test('at OpenRouter has limits, pictures, tools and prices', async () => {
		const sonnet = {
			id: 'anthropic/claude-sonnet-4.5',
			name: 'Anthropic: Claude Sonnet 4.5',
			context_length: 1_000_000,
			architecture: {
				input_modalities: ['text', 'image', 'file'],
				output_modalities: ['text'],
			},
			pricing: {
				prompt: '0.000003',
				completion: '0.000015',
				input_cache_read: '0.0000003',
				input_cache_write: '0.00000375',
			},
			top_provider: { context_length: 1_000_000, max_completion_tokens: 64_000, is_moderated: true },
			supported_parameters: ['include_reasoning', 'max_tokens', 'tool_choice', 'tools'],
		};
		const dumb = {
			...sonnet,
			id: 'thedrummer/rocinante-12b',
			architecture: { ...sonnet.architecture, input_modalities: ['text'] },
			top_provider: { context_length: null, max_completion_tokens: null, is_moderated: false },
			supported_parameters: ['max_tokens', 'temperature'],
		};
		// Routed: its price is that of the model that will have answered.
		const auto = { ...sonnet, id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } };
		const painter = {
			...sonnet,
			id: 'x/painter',
			architecture: { ...sonnet.architecture, output_modalities: ['image'] },
		};
		const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
		const title = sonnet.name;
		const told = { contextTokens: 1_000_000, maxOutputTokens: 64_000, images: true };
		expect(await modelsOf({ data: [sonnet, dumb, auto, painter] })).toEqual([
			{ model: sonnet.id, title, ...told, tools: true, price },
			{ model: dumb.id, title, contextTokens: 1_000_000, images: false, tools: false, price },
			{ model: auto.id, title, ...told, tools: true },
			{ model: painter.id, title, ...told, tools: false, price },
		]);
	});

	test.each<[string, object, ListedModel]>([
		[
			// https://console.groq.com/docs/api-reference#models-list
			'Groq',
			{
				id: 'llama-3.3-70b-versatile',
				active: true,
				context_window: 131_072,
				max_completion_tokens: 32_768,
			},
			{ model: 'llama-3.3-70b-versatile', contextTokens: 131_072, maxOutputTokens: 32_768 },
		],
		[
			// https://docs.mistral.ai/api/#tag/models
			'Mistral',
			{
				id: 'mistral-medium-2508',
				capabilities: { completion_chat: true, completion_fim: false, function_calling: true, vision: true },
				name: 'mistral-medium-2508',
				max_context_length: 131_072,
				type: 'base',
			},
			{ model: 'mistral-medium-2508', contextTokens: 131_072, images: true, tools: true },
		],
		[
			'Mistral, of what does not chat',
			{
				id: 'mistral-ocr-2505',
				capabilities: { completion_chat: false, function_calling: true, vision: true },
			},
			{ model: 'mistral-ocr-2505', images: true, tools: false },
		],
		[
			// github.com/vllm-project/vllm, vllm/entrypoints/openai/protocol.py, ModelCard
			'vLLM',
			{ id: 'Qwen/Qwen3-8B', object: 'model', owned_by: 'vllm', root: 'Qwen/Qwen3-8B', max_model_len: 8192 },
			{ model: 'Qwen/Qwen3-8B', contextTokens: 8192 },
		],
		[
			// github.com/ggml-org/llama.cpp, tools/server/README.md; newer ones tell the length that they run with, too
			'llama.cpp',
			{
				id: 'qwen3.gguf',
				owned_by: 'llamacpp',
				meta: { vocab_type: 2, n_ctx: 4096, n_ctx_train: 262_144, n_params: 35_505_251_456 },
			},
			{ model: 'qwen3.gguf', contextTokens: 4096 },
		],
		[
			// https://lmstudio.ai/docs/developer/rest/endpoints
			'LM Studio',
			{
				id: 'qwen2-vl-7b-instruct',
				type: 'vlm',
				max_context_length: 32_768,
				loaded_context_length: 4096,
				capabilities: ['tool_use'],
			},
			{ model: 'qwen2-vl-7b-instruct', contextTokens: 4096, images: true, tools: true },
		],
		[
			'LM Studio, of what makes vectors',
			{ id: 'bge-m3', object: 'model', type: 'embeddings', max_context_length: 2048 },
			{ model: 'bge-m3', contextTokens: 2048, tools: false },
		],
	])('of %s', async (_, entry, model) => {
		expect(await modelsOf({ object: 'list', data: [entry] })).toEqual([model]);
	});

	// https://docs.together.ai/reference/models-1
	test('of Together is all that it sends', async () => {
		const entry = { id: 'x/y', object: 'model', type: 'chat', display_name: 'X Y', context_length: 32_768 };
		expect(await modelsOf([entry, { ...entry, id: 'x/z', type: 'image', display_name: 'Z' }])).toEqual([
			{ model: 'x/y', title: 'X Y', contextTokens: 32_768 },
			{ model: 'x/z', title: 'Z', contextTokens: 32_768, tools: false },
		]);
	});
});

describe('the list of Anthropic', () => {
	// https://platform.claude.com/docs/en/api/models/list
	const entry = (id: string) => ({
		id,
		display_name: 'Claude Opus 4.6',
		max_input_tokens: 1_000_000,
		max_tokens: 128_000,
		lifecycle: 'active',
		capabilities: { image_input: { supported: true }, batch: { supported: true } },
	});

	test('is one page, with the limits of each model', async () => {
		const old = { type: 'model', id: 'claude-3-haiku-20240307', display_name: 'Claude Haiku 3' };
		const { endpoint, requests } = await endpointOf(
			{
				'/v1/models?limit=1000': { data: [entry('claude-opus-4-6'), old], has_more: false, last_id: old.id },
			},
			'anthropic',
		);
		expect((await list(endpoint)).models).toEqual([
			{
				model: 'claude-opus-4-6',
				title: 'Claude Opus 4.6',
				contextTokens: 1_000_000,
				maxOutputTokens: 128_000,
				images: true,
			},
			{ model: 'claude-3-haiku-20240307', title: 'Claude Haiku 3' },
		]);
		expect(requests).toHaveLength(1);
		expect(requests[0]?.headers).toMatchObject({
			'x-api-key': key,
			'anthropic-version': expect.stringMatching(/^20/),
		});
	});
});

describe('the list of an Ollama', () => {
	/** An Ollama of these models, as `/api/show` describes each (github.com/ollama/ollama, docs/api.md). */
	async function ollamaOf(shown: Readonly<Record<string, object | undefined>>) {
		const asked: string[] = [];
		const { endpoint } = await at('ollama', async (request, response) => {
			if (request.url === '/api/tags')
				return send(response, { models: Object.keys(shown).map((name) => ({ name, model: name })) });
			const { model } = (await json(request)) as { model: string };
			asked.push(model);
			if (shown[model]) return send(response, shown[model]);
			return response.writeHead(404).end(`{"error":"model '${model}' not found"}`);
		});
		return { endpoint, asked };
	}

	test('is not waited for model by model where it says nothing of them', async () => {
		const names = Array.from({ length: 12 }, (_, n) => `m${n}`);
		const { endpoint, asked } = await ollamaOf(Object.fromEntries(names.map((name) => [name, undefined])));
		const { models } = await list(endpoint);
		expect(models).toEqual(names.map((model) => ({ model })));
		expect(asked).toEqual(names.slice(0, 4));
	});

	test('tells of each model what it can do', async () => {
		const { endpoint } = await ollamaOf({
			'qwen3-vl:8b': {
				model_info: { 'general.architecture': 'qwen3vl', 'qwen3vl.context_length': 262_144 },
				capabilities: ['completion', 'vision', 'tools', 'thinking'],
			},
			'nomic-embed-text:latest': {
				model_info: { 'general.architecture': 'nomic-bert', 'nomic-bert.context_length': 2048 },
				capabilities: ['embedding'],
			},
			'gone:latest': undefined,
			'old:7b': { model_info: {} },
		});
		expect((await list(endpoint)).models).toEqual([
			{ model: 'qwen3-vl:8b', contextTokens: 262_144, images: true, tools: true },
			{ model: 'nomic-embed-text:latest', contextTokens: 2048, images: false, tools: false },
			{ model: 'gone:latest' },
			{ model: 'old:7b' },
		]);
	});

	test('asks about every model', async () => {
		const names = Array.from({ length: 300 }, (_, i) => [`m${i}`, { capabilities: ['tools'] }]);
		const { models } = await list((await ollamaOf(Object.fromEntries(names))).endpoint);
		expect(models).toHaveLength(300);
		expect(models.filter(({ tools }) => tools)).toHaveLength(300);
	});
});

describe('a hostile list', () => {
	test('of 100,000 models is cut, and told to be', async () => {
		const data = Array.from({ length: 100_000 }, (_, i) => ({ id: `m${i}` }));
		const { endpoint } = await endpointOf({ '/v1/models': { data } });
		const { models, leftOut } = await list(endpoint);
		expect(models).toHaveLength(maxListed);
		expect(leftOut).toBe(100_000 - maxListed);
	});

	test('of 10 MB is not read to its end', async () => {
		const { endpoint } = await endpointOf({
			'/v1/models': `{"data":[{"id":"${'x'.repeat(10 * 1024 * 1024)}"}]}`,
		});
		expect(await failureIn(list(endpoint))).toMatchObject({ reason: 'oversized' });
	});

	test('loses the names that could not be shown or sent, and keeps the others', async () => {
		const { endpoint } = await endpointOf({
			'/v1/models': {
				data: [
					{ id: 'good' },
					{ id: 'good', context_length: 5_000 },
					{ id: 'bell\u0007' },
					{ id: 'line\nbreak' },
					{ id: 'hid\u200Bden' },
					{ id: 'turned\u202E' },
					{ id: '\uD800' },
					{ id: ' blank ' },
					{ id: '' },
					{ id: 'x'.repeat(201) },
					{ id: 7 },
					{ id: { toString: 'x' } },
					{},
					null,
					'gpt',
					[],
				],
			},
		});
		expect(await list(endpoint)).toEqual({ models: [{ model: 'good' }], leftOut: 15 });
	});

	test('is of wrong types, and each of them counts as not told', async () => {
		const wrong = {
			id: 'm',
			name: ['x'],
			context_length: '128000',
			architecture: { input_modalities: 'image' },
			top_provider: { max_completion_tokens: -5 },
			supported_parameters: { tools: true },
			pricing: { prompt: '1e400', completion: '0.1' },
			capabilities: 'vision',
			meta: 3,
		};
		const absurd = {
			id: 'n',
			name: `A\u0000\u202E${'b'.repeat(5_000)}`,
			context_length: 1e300,
			pricing: { prompt: 'NaN', completion: '0' },
			top_provider: [],
		};
		const [first, second] = await modelsOf({ data: [wrong, absurd] });
		expect(first).toEqual({ model: 'm' });
		expect(second).toEqual({ model: 'n', title: expect.stringMatching(/^Ab{96}\.\.\.$/) });
	});

	test.each<[string, unknown]>([
		['something else', { object: 'list', models: {} }],
		['a page', '<html><body>Sign in</body></html>'],
		['nothing', ''],
		['not there', undefined],
		['half of it', '{"data":[{"id":"a"}'],
	])('is %s: then there is none, and it is said where to look', async (_, answer) => {
		const { endpoint } = await endpointOf({ '/v1/models': answer });
		const failure = await failureIn(list(endpoint));
		expect(failure.reason).toBe('malformed');
		expect(failure.message).toMatch(/has no list of models\. Check "base_url" of the client “router”/);
	});
});

test('an endpoint that wants a key says so', async () => {
	const { endpoint } = await provider((_, response) => response.writeHead(401).end('{"error":"no key"}'), {
		key: async () => undefined,
	});
	expect(await failureIn(list(endpoint))).toMatchObject({
		reason: 'unauthorized',
		message: expect.stringContaining('requires an API key'),
	});
});

test('a model of Ollama’s whose kind of file is no text is a name', async () => {
	const about = '{"model_info":{"general.architecture":{"toString":1,"valueOf":1}}}';
	const { endpoint } = await endpointOf(
		{ '/api/tags': { models: [{ name: 'a' }] }, '/api/show': about },
		'ollama',
	);
	expect((await list(endpoint)).models).toEqual([{ model: 'a' }]);
});
