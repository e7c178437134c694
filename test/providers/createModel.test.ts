import { describe, expect, test } from 'vitest';
import { defaultBaseUrls, type Provider } from '../../src/common/providers.ts';
import { AnthropicModel } from '../../src/models/anthropic/anthropicModel.ts';
import { createModel, type ModelSettings } from '../../src/models/createModel.ts';
import { OllamaModel } from '../../src/models/ollama/ollamaModel.ts';
import { ChatCompletionsModel } from '../../src/models/openai/chatCompletions/chatCompletionsModel.ts';
import { ResponsesModel } from '../../src/models/openai/responses/responsesModel.ts';
import type { Endpoint } from '../../src/models/provider.ts';
import { unsendableSchema } from '../unsendableSchema.ts';
import { answerOf, endpointAt, Loopback, whole } from './loopback.ts';

const router = 'https://openrouter.ai/api/v1';

function endpoint(provider: Provider, baseUrl = defaultBaseUrls[provider]): Endpoint {
	return endpointAt(baseUrl, provider);
}

function settings(model: string, more: Partial<ModelSettings> = {}): ModelSettings {
	return { id: 'main', name: 'Main', model, ...more };
}

/** The bodies of the requests that one question to a model makes, by path. What answers refuses them all. */
async function bodiesFor(provider: Provider, asked: ModelSettings): Promise<Map<string, object>> {
	await using server = await Loopback.start(whole(403, {}));
	const model = await createModel(asked, endpoint(provider, server.url));
	expect((await answerOf(model)).error).toMatchObject({ reason: 'forbidden' });
	return new Map(server.received.map(({ path, body }) => [path, JSON.parse(body)]));
}

describe('The model that a configuration describes', () => {
	test.each([
		['anthropic', undefined, undefined, AnthropicModel],
		['ollama', undefined, undefined, OllamaModel],
		['openai', undefined, undefined, ResponsesModel],
		['openai', undefined, 'chat', ChatCompletionsModel],
		['openai', router, undefined, ChatCompletionsModel],
		['openai', router, 'responses', ResponsesModel],
	] as const)('of %s at %s with api %s', async (provider, baseUrl, api, adapter) => {
		const model = await createModel(settings('some-model', api && { api }), endpoint(provider, baseUrl));

		expect(model).toBeInstanceOf(adapter);
		expect(model).toMatchObject({ id: 'main', name: 'Main' });
	});

	test.each([
		['anthropic', undefined],
		['ollama', undefined],
		['openai', undefined],
		['openai', 'chat'],
	] as const)(
		'of %s with api %s knows before a request which tools it would leave out',
		async (provider, api) => {
			const model = await createModel(settings('some-model', api && { api }), endpoint(provider));
			const tool = { name: 'order', description: 'Orders', inputSchema: unsendableSchema };
			expect(model.refusalOf?.(tool)).toBe('Its schema is too large.');
			expect(model.refusalOf?.({ ...tool, inputSchema: { type: 'object' } })).toBeUndefined();
		},
	);

	test('has the limits that are known of it', async () => {
		const model = await createModel(settings('anthropic/claude-sonnet-4.5'), endpoint('openai', router));
		expect(model.maxInputTokens).toBe(168_000);
	});

	test('has the limits of the configuration before those', async () => {
		const configured = { contextTokens: 20_000, maxOutputTokens: 5_000 };
		for (const [provider, maxInputTokens] of [
			['openai', 15_000],
			['anthropic', 15_000],
			['ollama', 20_000],
		] as const) {
			const model = await createModel(settings('some-model', configured), endpoint(provider));
			expect(model.maxInputTokens).toBe(maxInputTokens);
		}
	});

	test('asks for no length of an answer unless that is configured, except where the API wants one', async () => {
		const chat = await bodiesFor('openai', settings('gpt-5', { api: 'chat' }));
		const responses = await bodiesFor('openai', settings('gpt-5', { api: 'responses' }));
		const ollama = await bodiesFor('ollama', settings('qwen3:8b'));
		const claude = await bodiesFor('anthropic', settings('claude-opus-4-1'));

		expect(JSON.stringify([...chat.values(), ...responses.values()])).not.toMatch(/max_\w*tokens/);
		expect(ollama.get('/api/chat')).toMatchObject({ options: { num_ctx: 8_192 } });
		expect(ollama.get('/api/chat')).not.toHaveProperty('options.num_predict');
		expect([...claude.values()]).toEqual([expect.objectContaining({ max_tokens: 32_000 })]);
	});
});
