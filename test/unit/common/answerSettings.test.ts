import { describe, expect, test } from 'vitest';
import {
	type AnswerSettings,
	type AskedModel,
	acceptedSettings,
	canBeForced,
	claudeOf,
	refusedSettings,
} from '../../../src/common/answerSettings.ts';

const openai = 'https://api.openai.com/v1';
const router = 'https://openrouter.ai/api/v1';
const local = 'http://localhost:8000/v1';

const chat = (model: string, baseUrl: string): AskedModel => ({ protocol: 'chat', model, baseUrl });
const responses = (model: string): AskedModel => ({ protocol: 'responses', model, baseUrl: openai });
const claude = (model: string): AskedModel => ({ protocol: 'anthropic', model });
const ollama: AskedModel = { protocol: 'ollama', model: 'gpt-oss:20b' };

const adaptive: AnswerSettings = { thinking: { mode: 'adaptive' } };
const off: AnswerSettings = { thinking: { mode: 'off' } };
const budget: AnswerSettings = { thinking: { mode: 'tokens', tokens: 8000 } };

describe('settings that a protocol does not have are refused with a reason', () => {
	// https://developers.openai.com/api/docs/guides/reasoning, https://platform.claude.com/docs/en/build-with-claude/effort,
	// https://github.com/ollama/ollama/blob/main/docs/api.md
	test.each<[AskedModel, AnswerSettings, string | undefined]>([
		[responses('gpt-5'), { reasoningEffort: 'minimal', temperature: 0.5, serviceTier: 'flex' }, undefined],
		[responses('gpt-5'), adaptive, 'instead'],
		[{ ...responses('x'), baseUrl: router }, adaptive, 'instead'],
		[chat('x', local), { temperature: 2, serviceTier: 'on_demand', parallelToolCalls: false }, undefined],
		[chat('x', local), { temperature: 2.5 }, 'most'],
		[chat('x', local), off, 'instead'],
		[chat('anthropic/claude-opus-4.6', router), budget, undefined],
		[claude('claude-opus-4-6'), { ...adaptive, temperature: 0.3, topP: 0.9 }, undefined],
		[claude('claude-opus-4-6'), { temperature: 1.5 }, 'most'],
		[claude('claude-opus-4-6'), { reasoningEffort: 'minimal' }, 'values'],
		[claude('claude-opus-4-6'), { serviceTier: 'flex' }, 'values'],
		[
			claude('our-best'),
			{ ...budget, reasoningEffort: 'high', serviceTier: 'standard_only', parallelToolCalls: false },
			undefined,
		],
		[ollama, { reasoningEffort: 'none', temperature: 1.5, topP: 0.9, ...off }, undefined],
		[ollama, { reasoningEffort: 'xhigh' }, 'values'],
		[ollama, budget, 'values'],
		[ollama, { thinking: { mode: 'adaptive', display: 'omitted' } }, 'values'],
		[ollama, { parallelToolCalls: true }, 'unknown'],
		[ollama, { serviceTier: 'flex' }, 'unknown'],
	])('%j with %j', (asked, settings, kind) => {
		expect(refusedSettings(asked, settings)[0]?.refusal.kind).toBe(kind);
	});

	test('and the others are kept', () => {
		const settings = { temperature: 0.3, reasoningEffort: 'low', serviceTier: 'flex' } as const;
		expect(acceptedSettings(ollama, settings)).toEqual({ temperature: 0.3, reasoningEffort: 'low' });
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
