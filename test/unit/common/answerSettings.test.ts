import { describe, expect, test } from 'vitest';
import {
	type AnswerSettings,
	type AskedModel,
	canBeForced,
	claudeOf,
	refusedSettings,
	takenSettings,
} from '../../../src/common/answerSettings.ts';

const openai = 'https://api.openai.com/v1';
const azure = 'https://acme.openai.azure.com/openai/v1';
const router = 'https://openrouter.ai/api/v1';
const local = 'http://localhost:8000/v1';

const chat = (model: string, baseUrl: string): AskedModel => ({ protocol: 'chat', model, baseUrl });
const responses = (model: string): AskedModel => ({ protocol: 'responses', model, baseUrl: openai });
const claude = (model: string): AskedModel => ({ protocol: 'anthropic', model });
const ollama: AskedModel = { protocol: 'ollama', model: 'gpt-oss:20b' };

const adaptive: AnswerSettings = { thinking: { mode: 'adaptive' } };
const off: AnswerSettings = { thinking: { mode: 'off' } };
const budget: AnswerSettings = { thinking: { mode: 'tokens', tokens: 8000 } };

describe('given answer settings for a model, then those the provider does not support are rejected with a reason', () => {
	// https://developers.openai.com/api/docs/guides/reasoning
	test.each<[AskedModel, AnswerSettings, string | undefined]>([
		[responses('gpt-5'), { reasoningEffort: 'minimal' }, undefined],
		[responses('gpt-4.1'), { reasoningEffort: 'low' }, 'model'],
		[responses('gpt-4.1'), { temperature: 0.5 }, undefined],
		[responses('gpt-5'), { temperature: 0.5 }, 'model'],
		[responses('o3'), { topP: 0.5 }, 'model'],
		[responses('gpt-5.1'), { temperature: 0.5, reasoningEffort: 'none' }, undefined],
		[responses('gpt-5'), { serviceTier: 'flex' }, undefined],
		[responses('gpt-5'), { serviceTier: 'standard_only' }, 'values'],
		[responses('gpt-5'), adaptive, 'instead'],
		[responses('o4-mini'), { parallelToolCalls: false }, undefined],
		[chat('o4-mini', openai), { parallelToolCalls: false }, 'model'],
		[chat('o4-mini', local), { parallelToolCalls: false }, undefined],
		// Of a deployment at Azure the name says little.
		[chat('my-model', azure), { reasoningEffort: 'low' }, undefined],
		[chat('gpt-5', azure), { temperature: 0.5 }, 'model'],
		[chat('openai/gpt-5', router), { temperature: 0.5 }, undefined],
		[chat('x', local), { temperature: 2 }, undefined],
		[chat('x', local), { serviceTier: 'on_demand' }, undefined],
		[chat('x', local), off, 'instead'],
		[chat('anthropic/claude-opus-4.6', router), budget, undefined],
	])('for OpenAI’s APIs: %j with %j', (asked, settings, kind) => {
		expect(refusedSettings(asked, settings)[0]?.refusal.kind).toBe(kind);
	});

	// https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide, …/sonnet-5/migration-guide,
	// https://platform.claude.com/docs/en/build-with-claude/effort and …/extended-thinking
	test.each<[string, AnswerSettings, string | undefined]>([
		['claude-3-5-haiku-latest', budget, 'model'],
		['claude-3-7-sonnet-20250219', budget, undefined],
		['claude-sonnet-4-20250514', budget, undefined],
		['claude-sonnet-4-20250514', adaptive, 'model'],
		['claude-opus-4-6', adaptive, undefined],
		['claude-opus-4-6', budget, undefined],
		['claude-opus-4-7', budget, 'model'],
		['claude-sonnet-5', budget, 'model'],
		['claude-sonnet-5', off, undefined],
		['claude-sonnet-5-5', off, 'model'],
		['claude-fable-5', off, 'model'],
		['claude-sonnet-5-5', adaptive, undefined],
		['claude-opus-4-6', { temperature: 0.3 }, undefined],
		['claude-opus-4-7', { temperature: 0.3 }, 'model'],
		['claude-sonnet-5', { topP: 0.9 }, 'model'],
		['claude-opus-4-6', { temperature: 0.3, ...adaptive }, 'beside'],
		['claude-opus-4-6', { temperature: 0.3, ...off }, undefined],
		['claude-sonnet-4-5', { temperature: 0.3, topP: 0.9 }, 'beside'],
		['claude-opus-4-6', { temperature: 1.5 }, 'most'],
		['claude-opus-4-5', { reasoningEffort: 'high' }, undefined],
		['claude-haiku-4-5', { reasoningEffort: 'high' }, 'model'],
		['claude-opus-4-6', { reasoningEffort: 'minimal' }, 'values'],
		['claude-opus-4-6', { serviceTier: 'flex' }, 'values'],
		['claude-opus-4-6', { serviceTier: 'standard_only', parallelToolCalls: false }, undefined],
		// Behind a gateway a model has any name.
		['our-best', { ...budget, reasoningEffort: 'high' }, undefined],
	])('for Anthropic: %s with %j', (model, settings, kind) => {
		expect(refusedSettings(claude(model), settings)[0]?.refusal.kind).toBe(kind);
	});

	// https://github.com/ollama/ollama/blob/main/docs/api.md
	test.each<[AnswerSettings, string | undefined]>([
		[{ reasoningEffort: 'high' }, undefined],
		[{ reasoningEffort: 'none' }, undefined],
		[{ reasoningEffort: 'xhigh' }, 'values'],
		[off, undefined],
		[budget, 'values'],
		[{ thinking: { mode: 'adaptive', display: 'omitted' } }, 'values'],
		[{ temperature: 1.5, topP: 0.9 }, undefined],
		[{ parallelToolCalls: true }, 'unknown'],
		[{ serviceTier: 'flex' }, 'unknown'],
	])('for Ollama: %j', (settings, kind) => {
		expect(refusedSettings(ollama, settings)[0]?.refusal.kind).toBe(kind);
	});

	test('and the supported settings are kept', () => {
		const settings = { temperature: 0.3, reasoningEffort: 'low', serviceTier: 'flex' } as const;
		expect(takenSettings(responses('gpt-5'), settings)).toEqual({
			reasoningEffort: 'low',
			serviceTier: 'flex',
		});
		expect(takenSettings(ollama, settings)).toEqual({ temperature: 0.3, reasoningEffort: 'low' });
	});
});

test.each<[AskedModel, AnswerSettings, boolean]>([
	[responses('gpt-5'), {}, true],
	[claude('claude-opus-4-6'), {}, true],
	[claude('claude-opus-4-6'), adaptive, false],
	[claude('claude-opus-4-6'), off, true],
	[claude('claude-sonnet-5'), {}, true],
	[claude('claude-sonnet-5-5'), {}, false],
	[claude('claude-fable-5-1'), {}, false],
	[claude('our-best'), {}, true],
	[ollama, {}, false],
])('whether %j with %j can be forced to call a tool: %s', (asked, settings, can) => {
	expect(canBeForced(asked, settings)).toBe(can);
});

test.each([
	['claude-3-5-haiku-latest', 'haiku', [3, 5]],
	['claude-3-opus-20240229', 'opus', [3, 0]],
	['claude-sonnet-4-20250514', 'sonnet', [4, 0]],
	['claude-opus-4-6-20260101', 'opus', [4, 6]],
	['anthropic/claude-opus-4.7', 'opus', [4, 7]],
	['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'haiku', [4, 5]],
	['claude-fable-5', 'fable', [5, 0]],
	['claude-mythos-preview', undefined, undefined],
	['gpt-5', undefined, undefined],
])('%s is parsed as %s %j', (model, family, version) => {
	expect(claudeOf(model)).toEqual(family && { family, version });
});

test('a model family named like an object member counts as unknown', () => {
	const asked = { protocol: 'anthropic', model: 'claude-constructor-9' } as const;
	expect(refusedSettings(asked, { reasoningEffort: 'high' })).toEqual([]);
});
