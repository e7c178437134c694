import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientDefinition, ModelDefinition } from '../../../src/config/config.ts';
import { ConfiguredModels } from '../../../src/vscode/models/configuredModels.ts';
import type { OfferedModel } from '../../../src/vscode/models/offeredModel.ts';

const gateway: ClientDefinition = {
	name: 'gateway',
	provider: 'openai',
	baseUrl: 'https://llm.example.com/v1',
};
const large: ModelDefinition = { name: 'large', client: gateway, model: 'gpt-4.1' };
const small: ModelDefinition = { name: 'small', client: gateway, model: 'gpt-4.1-mini' };

let configured: ConfiguredModels;

beforeEach(() => {
	const keys = {
		keyFor: async () => undefined,
		keyAfterRefusal: async () => false,
		mayUse: async () => false,
		signIn: async () => undefined,
	};
	configured = new ConfiguredModels(keys, { mayReceive: async () => true }, { debug() {} });
});

/** The models after the file says this. A deep copy, since each reading of the file makes its definitions anew. */
function reading(...definitions: ModelDefinition[]): readonly OfferedModel[] {
	const read = structuredClone(definitions);
	return configured.update(new Map(read.map((definition) => [definition.name, definition])));
}

function names(models: readonly OfferedModel[]): string[] {
	return models.map(({ information }) => information.name);
}

describe('given models of the configuration, when the file changes', () => {
	test('then they stand in its order, and those it no longer names are gone', () => {
		expect(names(reading(large, small))).toEqual(['large', 'small']);
		expect(names(reading(small))).toEqual(['small']);
		expect(names(reading())).toEqual([]);
	});

	test('then one whose settings are the same stays, and with it its model', async () => {
		const [before] = reading(large);
		const [, after] = reading(small, large);
		expect(after).toBe(before);
	});

	test('then one whose own settings are others is made anew, and the others stay', () => {
		const before = reading(large, small);
		const after = reading({ ...large, model: 'gpt-5' }, small);
		expect(after[0]).not.toBe(before[0]);
		expect(after[0]?.information.family).toBe('gpt-5');
		expect(after[1]).toBe(before[1]);
	});

	test('then those of a client whose address is another are made anew', () => {
		const before = reading(large, small);
		const client = { ...gateway, baseUrl: 'https://other.example.com/v1' };
		const after = reading({ ...large, client }, { ...small, client });
		expect(after.some((model) => before.includes(model))).toBe(false);
		expect(after[0]?.information.tooltip).toContain('other.example.com');
	});

	test('then a model that was taken out and comes back is a new one', () => {
		const [before] = reading(large);
		reading();
		expect(reading(large)[0]).not.toBe(before);
	});
});

test('given a model, when it is loaded, then it answers to the name that the editor knows', async () => {
	const [offered] = reading({ ...large, name: 'offline-planner', maxOutputTokens: 1000 });
	const model = await offered?.load();
	expect(model?.id).toBe(offered?.information.id);
	expect(model?.name).toBe(offered?.information.name);
	expect(model?.maxInputTokens).toBe(offered?.information.maxInputTokens);
});
