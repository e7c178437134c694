import { describe, expect, test } from 'vitest';
import type { Provider } from '../../../src/common/providers.ts';
import { cannotCallTools, knownLimits, modelLimits } from '../../../src/models/knownLimits.ts';

describe('the limits known by a model’s name', () => {
	test.each<[Provider, string, number, number, boolean]>([
		['openai', 'gpt-4o', 111_616, 16_384, true],
		['openai', 'gpt-4o-mini-2024-07-18', 111_616, 16_384, true],
		['openai', 'gpt-4.1-nano', 1_014_808, 32_768, true],
		['openai', 'gpt-4.5-preview', 111_616, 16_384, true],
		['openai', 'gpt-5', 272_000, 128_000, true],
		['openai', 'gpt-5-mini-2025-08-07', 272_000, 128_000, true],
		['openai', 'gpt-5.1-chat-latest', 111_616, 16_384, true],
		['openai', 'gpt-5.3-codex', 272_000, 128_000, true],
		['openai', 'gpt-5.3-codex-spark', 111_616, 16_384, true],
		['openai', 'gpt-5.4', 922_000, 128_000, true],
		['openai', 'gpt-5.4-mini', 272_000, 128_000, true],
		['openai', 'gpt-5.5-pro-2026-04-23', 922_000, 128_000, true],
		['openai', 'o3', 100_000, 100_000, true],
		['openai', 'o4-mini-2025-04-16', 100_000, 100_000, true],
		['openai', 'gpt-oss-120b', 98_304, 32_768, false],
		['anthropic', 'claude-3-5-haiku-latest', 168_000, 32_000, true],
		['anthropic', 'claude-opus-4-1-20250805', 168_000, 32_000, true],
		['anthropic', 'claude-sonnet-4-20250514', 168_000, 32_000, true],
		['anthropic', 'claude-haiku-4-5-20251001', 168_000, 32_000, true],
		['anthropic', 'claude-opus-4-6', 936_000, 64_000, true],
		['anthropic', 'claude-sonnet-5', 936_000, 64_000, true],
	])('%s %s', (provider, model, maxInputTokens, maxOutputTokens, images) => {
		expect(knownLimits(provider, model)).toEqual({ maxInputTokens, maxOutputTokens, images });
	});

	test.each([
		['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
		['openai/gpt-5.4', 'gpt-5.4'],
		['accounts/fireworks/models/gpt-oss-120b', 'gpt-oss-120b'],
		['moonshotai/kimi-k2.5:free', 'kimi-k2.5'],
		['Qwen/Qwen3-8B', 'qwen3:8b'],
	])('%s is the same model as %s', (routed, own) => {
		expect(knownLimits('openai', routed)).toEqual(knownLimits('openai', own));
		expect(knownLimits('openai', own)).not.toEqual(knownLimits('openai', 'nobody-knows-it'));
	});

	test.each([
		['gpt-5.9', 'gpt-5.4'],
		['gpt-6-pro', 'gpt-5.4'],
		['gpt-6-mini', 'gpt-5.4'],
		['o5', 'o3'],
		['claude-opus-4-9', 'claude-opus-5'],
		['claude-opus-4-10', 'claude-opus-5'],
		['claude-haiku-6-20270101', 'claude-opus-5'],
		['anthropic/claude-fable-7.1', 'claude-opus-5'],
		['gemini-4-ultra', 'gemini-3-pro'],
		['deepseek-v6', 'deepseek-v4'],
		['grok-7', 'grok-4.3'],
		['meta-llama/llama-6-scout', 'llama-4-scout'],
		['qwen5:32b', 'qwen3.6-max'],
		['kimi-k4', 'kimi-k2.6'],
		['mistral-large-2712', 'mistral-large-2512'],
		['glm-7', 'glm-5'],
	])('%s, which nobody knows yet, has the limits of %s, its newest known relative', (newer, known) => {
		expect(knownLimits('openai', newer)).toEqual(knownLimits('openai', known));
		expect(knownLimits('openai', newer).maxInputTokens).toBeGreaterThanOrEqual(100_000);
	});

	test('an unknown name gets small limits', () => {
		const little = { maxInputTokens: 28_672, maxOutputTokens: 4_096, images: false };
		expect(knownLimits('openai', 'my-own-finetune')).toEqual(little);
		expect(knownLimits('ollama', '')).toEqual(little);
		expect(knownLimits('anthropic', 'team-alias')).toEqual({
			maxInputTokens: 195_904,
			maxOutputTokens: 4_096,
			images: true,
		});
	});
});

describe('models that cannot chat, or cannot call tools', () => {
	// Names of https://platform.openai.com/docs/models, https://console.groq.com/docs/models and https://ai.google.dev/gemini-api/docs/models.
	test.each([
		'text-embedding-3-large',
		'nomic-embed-text:latest',
		'whisper-large-v3-turbo',
		'tts-1-hd',
		'gpt-4o-mini-tts',
		'gpt-4o-transcribe',
		'gpt-4o-audio-preview',
		'gpt-realtime',
		'gpt-image-1',
		'dall-e-3',
		'omni-moderation-latest',
		'davinci-002',
		'gpt-3.5-turbo-instruct',
		'gpt-4o-search-preview',
		'o1-mini-2024-09-12',
		'chatgpt-4o-latest',
		'meta-llama/llama-guard-4-12b',
		'models/gemini-embedding-001',
		'models/imagen-4.0-generate-001',
		'models/veo-3.0-generate-001',
	])('%s is recognized by its name', (name) => expect(cannotCallTools(name)).toBe(true));

	test.each([
		'gpt-4o',
		'gpt-5.4-mini',
		'o1-2024-12-17',
		'o3',
		'models/gemini-2.5-pro',
		'claude-haiku-4-5',
		'openai/gpt-oss-safeguard-20b',
		'qwen3-coder:30b',
		'command-r-plus',
		'my-finetune',
	])('%s is not mistaken for one', (name) => expect(cannotCallTools(name)).toBe(false));
});

describe("A model's limits", () => {
	test('come from its endpoint before the known ones', () => {
		const told = { contextTokens: 64_000, maxOutputTokens: 8_000, images: false };
		expect(modelLimits('openai', 'gpt-5', {}, told)).toEqual({
			maxInputTokens: 56_000,
			maxOutputTokens: 8_000,
			images: false,
		});
		expect(modelLimits('openai', 'gpt-5', {}, { images: false })).toMatchObject({
			maxInputTokens: 272_000,
			images: false,
		});
	});

	test('leave room for a request if the endpoint gives the whole context as the longest answer', () => {
		const told = { contextTokens: 131_072, maxOutputTokens: 131_072 };
		expect(modelLimits('openai', 'x', {}, told)).toMatchObject({
			maxInputTokens: 98_304,
			maxOutputTokens: 32_768,
		});
	});

	test('are the known ones if the configuration sets none', () => {
		expect(modelLimits('openai', 'gpt-5', {})).toEqual(knownLimits('openai', 'gpt-5'));
	});

	test('come from the configuration before anything else', () => {
		const configured = { contextTokens: 20_000, maxOutputTokens: 2_000, images: false };
		expect(modelLimits('openai', 'gpt-5', configured)).toEqual({
			maxInputTokens: 18_000,
			maxOutputTokens: 2_000,
			images: false,
		});
	});

	test.each([
		['a context so short that the longest answer would fill it', { contextTokens: 8_192 }, 6_144, 2_048],
		['an answer longer than the context', { contextTokens: 8_192, maxOutputTokens: 9_000 }, 4_096, 9_000],
	])('leave room for a request given %s', (_, configured, maxInputTokens, maxOutputTokens) => {
		const limits = modelLimits('openai', 'gpt-5', configured);
		expect(limits).toEqual({ maxInputTokens, maxOutputTokens, images: true });
	});

	test('do not grow for requests if answers are shorter, because GPT-5 does not allow it', () => {
		const limits = modelLimits('openai', 'gpt-5', { maxOutputTokens: 8_000 });
		expect(limits).toEqual({ maxInputTokens: 272_000, maxOutputTokens: 8_000, images: true });
	});
});
