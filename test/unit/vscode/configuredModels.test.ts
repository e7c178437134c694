import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientDefinition, ModelDefinition } from '../../../src/config/config.ts';
import type { ListedModel } from '../../../src/models/listing.ts';
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
/** What the gateway says that it has, and what was learned from its refusals. */
let listed: readonly ListedModel[];
let learned: Map<string, number>;

beforeEach(() => {
	listed = [];
	learned = new Map();
	configured = new ConfiguredModels({
		keys: {
			keyFor: async () => undefined,
			keyAfterRefusal: async () => false,
			mayUse: async () => false,
			signIn: async () => undefined,
		},
		destinations: { mayReceive: async () => true },
		lists: {
			stateOf: () => ({ models: listed, leftOut: 0 }),
			factsOf: (_, model) => listed.find((one) => one.model === model) ?? {},
			learnedContext: (_, model) => learned.get(model),
			learn() {},
		},
		log: { debug() {} },
	});
});

/** The models after the file says this. A deep copy, since each reading of the file makes its definitions anew. */
function reading(...definitions: ModelDefinition[]): readonly OfferedModel[] {
	const read = structuredClone(definitions);
	return configured.update(new Map(read.map((definition) => [definition.name, definition])));
}

/** The models of a file that has a client and names none. */
function readingClient(): readonly OfferedModel[] {
	return configured.update(new Map(), [structuredClone(gateway)]);
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

describe('given a client that no model of the file names', () => {
	test('then what it has is offered, but for what cannot call tools', () => {
		listed = [
			{ model: 'maker/chat', title: 'Chat' },
			{ model: 'embed', tools: false },
			{ model: 'sure', tools: true },
		];
		const models = readingClient();
		expect(names(models)).toEqual(['Chat', 'sure']);
		expect(models[0]?.information).toMatchObject({
			id: 'listed:gateway/maker/chat',
			family: 'maker/chat',
			detail: 'gateway',
		});
		expect(models[0]?.definition).toMatchObject({ client: gateway, model: 'maker/chat' });
	});

	test('when the list comes anew with other prices, then the model stays, and shows them', async () => {
		listed = [{ model: 'a', price: { input: 1, output: 2 } }];
		const [before] = readingClient();
		const model = await before?.load();
		listed = [{ model: 'a', price: { input: 3, output: 4 } }];
		const [after] = readingClient();
		expect(after?.load).toBe(before?.load);
		expect(after?.information.tooltip).toContain('$3.00 in, $4.00 out');
		expect(model?.price).toEqual({ input: 3, output: 4 });
		expect(readingClient()[0]).toBe(after);
	});

	test('when the list comes anew with other limits, then the model is made anew', () => {
		listed = [{ model: 'a', contextTokens: 8_000 }];
		const [before] = readingClient();
		listed = [{ model: 'a', contextTokens: 16_000 }];
		const [after] = readingClient();
		expect(after?.load).not.toBe(before?.load);
		expect(after?.information.maxInputTokens).toBeGreaterThan(before?.information.maxInputTokens ?? 0);
	});
});

describe('given a provider that has named a limit in refusing a request', () => {
	test('then it is the model’s, which stays, and what the editor is told', async () => {
		const [before] = reading({ ...large, model: 'nobody-knows-it' });
		const model = await before?.load();
		expect(model?.maxInputTokens).toBe(28_672);
		learned.set('nobody-knows-it', 131_072);
		const [after] = reading({ ...large, model: 'nobody-knows-it' });
		expect(after?.load).toBe(before?.load);
		expect(model?.maxInputTokens).toBe(126_976);
		expect(after?.information.maxInputTokens).toBe(126_976);
	});

	test('then a longer context in the file is as long as that, and a shorter one stays', () => {
		learned.set('gpt-4.1', 10_000);
		const limits = (contextTokens: number) => reading({ ...large, contextTokens })[0]?.information;
		expect(limits(50_000)).toMatchObject({ maxInputTokens: 7_500, maxOutputTokens: 2_500 });
		expect(limits(4_000)).toMatchObject({ maxInputTokens: 2_000, maxOutputTokens: 2_000 });
	});
});

test('given a model, when it is loaded, then it answers to the name that the editor knows', async () => {
	const [offered] = reading({ ...large, name: 'offline-planner', maxOutputTokens: 1000 });
	const model = await offered?.load();
	expect(model?.id).toBe(offered?.information.id);
	expect(model?.name).toBe(offered?.information.name);
	expect(model?.maxInputTokens).toBe(offered?.information.maxInputTokens);
});

test('given a price in the file, then it goes before what the endpoint tells', async () => {
	listed = [{ model: 'gpt-4.1', price: { input: 2, output: 8 } }];
	const [told, own] = reading(large, { ...large, name: 'own', price: { input: 1, output: 4 } });
	expect((await told?.load())?.price).toEqual({ input: 2, output: 8 });
	expect((await own?.load())?.price).toEqual({ input: 1, output: 4 });
	expect(own?.information.tooltip).toContain('$1.00 in, $4.00 out for a million tokens');
});
