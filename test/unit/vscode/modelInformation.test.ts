import { describe, expect, test } from 'vitest';
import type { ModelDefinition } from '../../../src/config/config.ts';
import { modelId, modelInformation } from '../../../src/vscode/models/modelInformation.ts';

const definition: ModelDefinition = {
	name: 'gpt',
	client: { name: 'router', provider: 'openai', baseUrl: 'https://openrouter.ai/api/v1' },
	model: 'openai/gpt-4.1',
};

describe('given a model of the configuration', () => {
	test('then the picker shows its name, its client, and where it is asked', () => {
		expect(modelInformation(definition)).toMatchObject({
			id: 'gpt',
			name: 'gpt',
			family: 'openai/gpt-4.1',
			detail: 'router',
			tooltip: 'OpenAI protocol · openai/gpt-4.1 · openrouter.ai',
		});
	});

	test('then its limits are those that are known of it', () => {
		const { maxInputTokens, maxOutputTokens, capabilities } = modelInformation(definition);
		expect(maxInputTokens).toBeGreaterThan(900_000);
		expect(maxOutputTokens).toBeGreaterThan(8_000);
		expect(capabilities).toEqual({ toolCalling: true, imageInput: true });
	});

	test('then limits of the configuration go before those, the answer taken from the context', () => {
		const limited = modelInformation({ ...definition, contextTokens: 10_000, maxOutputTokens: 2_000 });
		expect(limited).toMatchObject({ maxInputTokens: 8_000, maxOutputTokens: 2_000 });
	});
});

describe('given a name from the file', () => {
	test('when another model of ours has that id, then it gets one of its own', () => {
		const names = ['offline-planner', 'configured:offline-planner', 'configured:configured:offline-planner'];
		const ids = names.map(modelId);
		expect(new Set([...ids, 'offline-planner']).size).toBe(4);
		expect(modelId('my/model: 7b')).toBe('my/model: 7b');
	});

	test('when it holds markup, then nothing of that is a link, and ids stay different', () => {
		const name = '[Sign in](command:evil) <command:evil>';
		const {
			id,
			name: shown,
			tooltip,
			detail,
		} = modelInformation({
			...definition,
			name,
			model: name,
			client: { ...definition.client, name },
		});
		for (const text of [id, shown, tooltip, detail]) expect(text).not.toMatch(/[[\]<>]/);
		expect(modelId('[')).not.toBe(modelId('%5B'));
	});
});
