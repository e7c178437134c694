import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { load, problemsOf, scope } from '../fixtures.ts';

/** A model `m` of the client `c`, with more keys on the second line. */
function model(keys: string): string {
	return `{ "clients": { "c": { "provider": "openai" } }, "models": { "m": { "client": "c",\n${keys} } } }`;
}

test('a well-formed model has its client and all of its settings', () => {
	const { config, problems } = load(
		model('"model": "gpt-4.1", "template": "brief", "context_tokens": 32000, "max_output_tokens": 4000'),
	);
	expect(problems).toEqual([]);
	expect(config?.models.get('m')).toEqual({
		file: scope.file,
		name: 'm',
		client: { file: scope.file, name: 'c', provider: 'openai', baseUrl: 'https://api.openai.com/v1' },
		model: 'gpt-4.1',
		template: 'brief',
		contextTokens: 32_000,
		maxOutputTokens: 4_000,
	});
});

describe('a malformed limit gives an error and is ignored, and the model works', () => {
	test.each([
		['"context_tokens": "128k"'],
		['"max_output_tokens": 0.5'],
		['"max_output_tokens": 8000, "context_tokens": 8000'],
	])('%s', (keys) => {
		const text = model(`"model": "x", ${keys}`);
		expect(problemsOf(text)).toMatchSnapshot();
		const read = load(text).config?.models.get('m');
		expect(read?.model).toBe('x');
		expect(read).not.toHaveProperty(
			/^"(\w+)"/.exec(keys)?.[1] === 'context_tokens' ? 'contextTokens' : 'maxOutputTokens',
		);
	});
});

describe('the price of a model', () => {
	test('is in US dollars per million tokens, with optional cache prices', () => {
		const { config, problems } = load(
			model('"model": "x", "price": { "input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75 }'),
		);
		expect(problems).toEqual([]);
		const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
		expect(config?.models.get('m')?.price).toEqual(price);
		const { config: free } = load(model('"model": "x", "price": { "input": 0, "output": 0 }'));
		expect(free?.models.get('m')?.price).toEqual({ input: 0, output: 0 });
	});

	test.each([
		['{ "input": 3 }'],
		['{ "input": 3, "output": -1 }'],
		['{ "input": 3, "output": 15, "cache_read": "0.3" }'],
		['3'],
		['{ "input": 3, "output": 15, "cache_reed": 1 }'],
	])('%s: a malformed price is ignored as a whole, and the model works', (price) => {
		const text = model(`"model": "x", "price": ${price}`);
		expect(problemsOf(text)).toMatchSnapshot();
		const read = load(text).config?.models.get('m');
		expect(read?.model).toBe('x');
		expect(read?.price).toEqual(price.includes('cache_reed') ? { input: 3, output: 15 } : undefined);
	});
});

describe('a client without models in the file', () => {
	test('has its endpoint asked for models', () => {
		const { config } = load(`{ "clients": { "a": { "provider": "ollama" }, "b": { "provider": "openai" } },
			"models": { "m": { "client": "b", "model": "x" } } }`);
		expect(config?.clientsWithoutModels.map(({ name }) => name)).toEqual(['a']);
		expect(
			load('{ "clients": { "a": { "provider": "ollama" } } }').config?.clientsWithoutModels,
		).toHaveLength(1);
	});

	test('does not include clients with only a malformed model, or malformed clients', () => {
		const { config } = load(`{ "clients": { "a": { "provider": "ollama" }, "b": { "provider": "x" } },
			"models": { "m": { "client": "a" } } }`);
		expect(config?.clientsWithoutModels).toEqual([]);
	});
});

test('the commented-out clients and models of the example are well-formed', () => {
	const file = new URL('../../../../examples/workspace/casual_mcp_config.json', import.meta.url);
	const text = readFileSync(file, 'utf8');
	expect(load(text).config?.models.size).toBe(0);
	const uncommented = text.replace(/^\t\/\/(?= ("clients"|"models"|\t|\}))/gm, '\t');
	const { config, problems } = load(uncommented);
	expect(problems).toEqual([]);
	expect([...(config?.models.values() ?? [])].map(({ client }) => client.provider).sort()).toEqual([
		'anthropic',
		'ollama',
		'openai',
		'openai',
	]);
});

/** A model `m` of a client with these keys, with its own keys on the second line. */
function modelOf(client: string, keys: string): string {
	return `{ "clients": { "c": { ${client} } }, "models": { "m": { "client": "c",\n${keys} } } }`;
}

const openai = '"provider": "openai"';
const anthropic = '"provider": "anthropic"';
const ollama = '"provider": "ollama"';

describe('the answer settings of a model', () => {
	test.each([
		[openai, '"model": "gpt-5", "reasoning_effort": "low"', { reasoningEffort: 'low' }],
		[anthropic, '"model": "claude-opus-4-6", "thinking": "off"', { thinking: { mode: 'off' } }],
		[anthropic, '"model": "claude-opus-4-6", "thinking": "adaptive"', { thinking: { mode: 'adaptive' } }],
		[
			anthropic,
			'"model": "claude-opus-4-5", "thinking": 8000',
			{ thinking: { mode: 'tokens', tokens: 8_000 } },
		],
		[
			anthropic,
			'"model": "claude-opus-4-6", "thinking": { "display": "omitted" }',
			{ thinking: { mode: 'adaptive', display: 'omitted' } },
		],
		[
			anthropic,
			'"model": "claude-opus-4-5", "thinking": { "tokens": 2000, "display": "summarized" }',
			{ thinking: { mode: 'tokens', tokens: 2_000, display: 'summarized' } },
		],
		[
			openai,
			'"model": "gpt-4.1", "temperature": 0.5, "top_p": 0.9, "parallel_tool_calls": false, "service_tier": "flex"',
			{ temperature: 0.5, topP: 0.9, parallelToolCalls: false, serviceTier: 'flex' },
		],
	])('are read: %s, %s', (client, keys, answers) => {
		const { config, problems } = load(modelOf(client, keys));
		expect(problems).toEqual([]);
		expect(config?.models.get('m')?.answers).toEqual(answers);
	});

	test('include images and extra body fields', () => {
		const keys = '"model": "x", "images": true, "extra_body": { "seed": 1, "provider": { "order": ["a"] } }';
		const { config, problems } = load(modelOf(openai, keys));
		expect(problems).toEqual([]);
		expect(config?.models.get('m')).toMatchObject({
			images: true,
			extraBody: { seed: 1, provider: { order: ['a'] } },
		});
	});

	test.each([
		['thinking, at OpenAI', openai, '"model": "gpt-5", "thinking": "off"'],
		['an effort of another provider', anthropic, '"model": "claude-opus-4-6", "reasoning_effort": "minimal"'],
		['a temperature beyond what it takes', anthropic, '"model": "claude-opus-4-6", "temperature": 1.5'],
		['a temperature beyond what anybody takes', openai, '"model": "gpt-4.1", "temperature": 3'],
		['too few tokens to think with', anthropic, '"model": "claude-opus-4-5", "thinking": 5'],
		['what Ollama has nothing for', ollama, '"model": "x", "service_tier": "flex"'],
		[
			'a field that hangs together with all others',
			openai,
			'"model": "x", "extra_body": { "seed": 1, "messages": [] }',
		],
	])('give an error with its place for %s, and the model works without it', (_what, client, keys) => {
		expect(problemsOf(modelOf(client, keys))).toMatchSnapshot();
		const { config } = load(modelOf(client, keys));
		expect(config?.models.get('m')).toBeDefined();
		expect(config?.models.get('m')?.extraBody).toEqual(keys.includes('seed') ? { seed: 1 } : undefined);
		const answers = config?.models.get('m')?.answers ?? {};
		expect(answers).toEqual({});
	});

	test('reject Ollama’s context length in extra fields, and keep other Ollama options', () => {
		const keys = '"model": "x", "extra_body": { "options": { "num_ctx": 4096, "num_gpu": 1 } }';
		expect(problemsOf(modelOf(ollama, keys))).toEqual([
			'error 2:44 models.m.extra_body.options.num_ctx: move it to "context_tokens"; here it is ignored',
		]);
		expect(load(modelOf(ollama, keys)).config?.models.get('m')?.extraBody).toEqual({
			options: { num_gpu: 1 },
		});
	});

	test('give a warning for a key in an extra field, and the warning does not show it', () => {
		const secret = `sk-${'a1'.repeat(16)}`;
		const { problems } = load(modelOf(openai, `"model": "x", "extra_body": { "api_key": "${secret}" }`));
		expect(problems.map(({ message }) => message.split(': ')[0])).toEqual(['models.m.extra_body.api_key']);
		expect(JSON.stringify(problems)).not.toContain('a1a1');
	});
});
