import { describe, expect, test } from 'vitest';
import type { ModelDefinition } from '../../../../src/config/models/models.ts';
import {
	listedId,
	modelId,
	modelInformation,
	nameInId,
	type ShownModel,
} from '../../../../src/vscode/core/modelInformation.ts';

const definition: ModelDefinition = {
	file: 'file:///app/config.json',
	name: 'gpt',
	client: {
		file: 'file:///app/config.json',
		name: 'router',
		provider: 'openai',
		baseUrl: 'https://openrouter.ai/api/v1',
	},
	model: 'openai/gpt-4.1',
};

function shown(more: Partial<ModelDefinition> = {}, told: Partial<ShownModel> = {}) {
	const { name } = { ...definition, ...more };
	return modelInformation({
		id: modelId(name),
		definition: { ...definition, ...more },
		title: name,
		facts: {},
		learned: undefined,
		...told,
	});
}

describe('given a configured model', () => {
	test('then the picker shows its name, client, host and the age of its limits', () => {
		expect(shown()).toMatchObject({
			id: 'gpt',
			name: 'gpt',
			family: 'openai/gpt-4.1',
			detail: 'router',
			tooltip: 'OpenAI protocol · openai/gpt-4.1 · openrouter.ai/api/v1 · limits as of 2026-07',
		});
	});

	test('then it has the known limits of its model, and a maximum number of tools', () => {
		const { maxInputTokens, maxOutputTokens, capabilities } = shown();
		expect(maxInputTokens).toBeGreaterThan(900_000);
		expect(maxOutputTokens).toBeGreaterThan(8_000);
		expect(capabilities).toEqual({ toolCalling: 128, imageInput: true });
	});

	test('when limits are configured, then they override the known ones, and the context includes the answer', () => {
		const limited = shown({ contextTokens: 10_000, maxOutputTokens: 2_000 });
		expect(limited).toMatchObject({ maxInputTokens: 8_000, maxOutputTokens: 2_000 });
		expect(limited.tooltip).not.toContain('limits');
	});

	test('when its limits are unknown, then the picker says that it uses defaults', () => {
		expect(shown({ model: 'my-own' }).tooltip).toMatch(/ · Context size unknown; using defaults$/);
		expect(shown({ model: 'my-own' }, { learned: 9_000 }).tooltip).not.toContain('guessed');
	});

	test('when its endpoint says that it cannot call tools, then the picker says so', () => {
		const { tooltip, capabilities } = shown({}, { facts: { tools: false, images: false } });
		expect(capabilities).toEqual({ toolCalling: false, imageInput: false });
		expect(tooltip).toMatch(/ · no tool calling$/);
	});

	test('when its price is zero, then it is shown as free; an unknown price is not shown', () => {
		expect(shown({ price: { input: 0, output: 0 } }).tooltip).toContain(' · free');
		expect(shown().tooltip).not.toMatch(/free|\$/);
	});
});

describe('given a model name from the configuration', () => {
	test('when the name equals the id of another model, then the model still gets a unique id', () => {
		const names = [
			'offline-planner',
			'configured:offline-planner',
			'configured:configured:offline-planner',
			'listed:router/x',
		];
		const ids = names.map(modelId);
		expect(new Set([...ids, 'offline-planner', listedId({ name: 'router' }, 'x')]).size).toBe(6);
		expect(modelId('my/model: 7b')).toBe('my/model: 7b');
	});

	test('when the name contains markup, then no link appears, and ids stay unique', () => {
		const name = '[Sign in](command:evil) <command:evil>';
		const {
			id,
			name: title,
			tooltip,
			detail,
		} = shown({
			name,
			model: name,
			client: { ...definition.client, name },
		});
		for (const text of [id, listedId({ name }, name), title, tooltip, detail])
			expect(text).not.toMatch(/[[\]<>]/);
		expect(modelId('[')).not.toBe(modelId('%5B'));
	});

	test.each(['my/model: 7b', 'offline-planner', 'listed:router/x', '[a] %2F'])(
		'then people see %s, never its id',
		(name) => {
			expect(nameInId(modelId(name))).toBe(name);
			expect(nameInId(listedId({ name: 'house/a' }, name))).toBe(`house/a/${name}`);
		},
	);

	test.each([
		['a', 'b/c', 'a/b', 'c'],
		['a%2Fb', 'c', 'a/b', 'c'],
		['[', 'c', '%5B', 'c'],
	])('when %s has %s and %s has %s, then the listed models have different ids', (name, model, other, its) => {
		expect(listedId({ name }, model)).not.toBe(listedId({ name: other }, its));
	});
});
