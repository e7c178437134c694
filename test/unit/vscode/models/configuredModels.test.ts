import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientDefinition } from '../../../../src/config/models/clientDefinition.ts';
import type { ModelDefinition } from '../../../../src/config/models/models.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../../../src/models/chatModel.ts';
import { modelLimits } from '../../../../src/models/knownLimits.ts';
import type { ListedModel } from '../../../../src/models/listing.ts';
import { ModelError } from '../../../../src/models/modelError.ts';
import type { OfferedModel } from '../../../../src/vscode/core/modelInformation.ts';
import {
	ConfiguredModel,
	ConfiguredModels,
	type ModelServices,
} from '../../../../src/vscode/models/configuredModels.ts';

const file = 'file:///app/config.json';
const gateway: ClientDefinition = {
	file,
	name: 'gateway',
	provider: 'openai',
	baseUrl: 'https://llm.example.com/v1',
};
const large: ModelDefinition = { file, name: 'large', client: gateway, model: 'gpt-4.1' };
const small: ModelDefinition = { file, name: 'small', client: gateway, model: 'gpt-4.1-mini' };

/** Agreed to every address, and no key anywhere. */
const noKeys: ModelServices['keys'] = {
	keyFor: async () => undefined,
	keyAfterRefusal: async () => false,
	mayUse: async () => false,
	mayReceiveChats: async () => true,
	signIn: async () => undefined,
};

let configured: ConfiguredModels;
/** What the gateway says that it has, and what was learned from its refusals. */
let listed: readonly ListedModel[];
let learned: Map<string, number>;

beforeEach(() => {
	listed = [];
	learned = new Map();
	configured = new ConfiguredModels({
		keys: noKeys,
		modelLists: {
			stateOf: () => ({ models: listed }),
			factsOf: (_, model) => listed.find((one) => one.model === model) ?? {},
			learnedContext: (_, model) => learned.get(model),
			learn() {},
			modelMissing() {},
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

describe('given models in the configuration, when the file changes', () => {
	test('then the models follow the order of the file, and removed ones are gone', () => {
		expect(names(reading(large, small))).toEqual(['large', 'small']);
		expect(names(reading(small))).toEqual(['small']);
		expect(names(reading())).toEqual([]);
	});

	test('then a model with the same settings is reused', async () => {
		const [before] = reading(large);
		const [, after] = reading(small, large);
		expect(after).toBe(before);
	});

	test('then a model with new settings is rebuilt, and the others are reused', () => {
		const before = reading(large, small);
		const after = reading({ ...large, model: 'gpt-5' }, small);
		expect(after[0]).not.toBe(before[0]);
		expect(after[0]?.information.family).toBe('gpt-5');
		expect(after[1]).toBe(before[1]);
	});

	test('then all models of a client with a new address are rebuilt', () => {
		const before = reading(large, small);
		const client = { ...gateway, baseUrl: 'https://other.example.com/v1' };
		const after = reading({ ...large, client }, { ...small, client });
		expect(after.some((model) => before.includes(model))).toBe(false);
		expect(after[0]?.information.tooltip).toContain('other.example.com');
	});

	test('then a model that was removed and added again is rebuilt', () => {
		const [before] = reading(large);
		reading();
		expect(reading(large)[0]).not.toBe(before);
	});
});

describe('given a client that no configured model uses', () => {
	test('then the models that it lists are offered, except those without tool calling', () => {
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

	test('when its prices change, then a model is reused and shows the new price', async () => {
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

	test('when the limits of a model change, then that model is rebuilt', () => {
		listed = [{ model: 'a', contextTokens: 8_000 }];
		const [before] = readingClient();
		listed = [{ model: 'a', contextTokens: 16_000 }];
		const [after] = readingClient();
		expect(after?.load).not.toBe(before?.load);
		expect(after?.information.maxInputTokens).toBeGreaterThan(before?.information.maxInputTokens ?? 0);
	});
});

describe('given a provider that named its context limit when it rejected a request', () => {
	test('then the model adopts the limit without being rebuilt, and VS Code shows it', async () => {
		const [before] = reading({ ...large, model: 'nobody-knows-it' });
		const model = await before?.load();
		expect(model?.maxInputTokens).toBe(28_672);
		learned.set('nobody-knows-it', 131_072);
		const [after] = reading({ ...large, model: 'nobody-knows-it' });
		expect(after?.load).toBe(before?.load);
		expect(model?.maxInputTokens).toBe(126_976);
		expect(after?.information.maxInputTokens).toBe(126_976);
	});

	test('then the limit caps the configured context size', () => {
		learned.set('gpt-4.1', 10_000);
		const limits = (contextTokens: number) => reading({ ...large, contextTokens })[0]?.information;
		expect(limits(50_000)).toMatchObject({ maxInputTokens: 7_500, maxOutputTokens: 2_500 });
		expect(limits(4_000)).toMatchObject({ maxInputTokens: 3_000, maxOutputTokens: 1_000 });
	});
});

test('when a model is loaded, then its id, name and limits match what VS Code was given', async () => {
	const [offered] = reading({ ...large, name: 'offline-planner', maxOutputTokens: 1000 });
	const model = await offered?.load();
	expect(model?.id).toBe(offered?.information.id);
	expect(model?.name).toBe(offered?.information.name);
	expect(model?.maxInputTokens).toBe(offered?.information.maxInputTokens);
});

test("when a price is configured, then it overrides the endpoint's", async () => {
	listed = [{ model: 'gpt-4.1', price: { input: 2, output: 8 } }];
	const [told, own] = reading(large, { ...large, name: 'own', price: { input: 1, output: 4 } });
	expect((await told?.load())?.price).toEqual({ input: 2, output: 8 });
	expect((await own?.load())?.price).toEqual({ input: 1, output: 4 });
	expect(own?.information.tooltip).toContain('$1.00 in, $4.00 out per million tokens');
});

const request: ChatRequest = {
	system: 'the-system-prompt',
	messages: [{ role: 'user', text: 'the-question' }],
	tools: [{ name: 'files__read', description: 'Reads', inputSchema: {} }],
};
const dropped: ChatModelEvent = { type: 'toolDropped', name: 'x__y', reason: 'No provider takes it.' };
const text: ChatModelEvent = { type: 'text', text: 'the-answer' };
const usage: ChatModelEvent = {
	type: 'usage',
	usage: { inputTokens: 50, cachedInputTokens: 40, outputTokens: 7 },
};
const price = { input: 3, output: 15 };
const unauthorized = new ModelError('unauthorized', 'The key “the-key” is wrong.', { status: 401 });

/** A model that says these, or fails, one list a request. */
function modelOf(...answers: (ChatModelEvent | Error)[][]): ChatModel {
	const left = [...answers];
	return {
		id: 'gpt',
		name: 'gpt',
		maxTools: 128,
		maxInputTokens: 1000,
		loadings: ['append'],
		answer: async (_request, _signal, emit) => {
			for (const event of left.shift() ?? []) {
				if (event instanceof Error) throw event;
				emit(event);
			}
			return [];
		},
	};
}

async function ask(
	model: ChatModel,
	{ keyComes = false, agreed = true, signal = new AbortController().signal } = {},
) {
	const lines: string[] = [];
	const events: ChatModelEvent[] = [];
	const missing: string[] = [];
	let learned: number | undefined;
	const services: ModelServices = {
		keys: { ...noKeys, keyAfterRefusal: async () => keyComes, mayReceiveChats: async () => agreed },
		modelLists: {
			stateOf: () => ({ models: [] }),
			factsOf: () => ({}),
			learnedContext: () => learned,
			learn: (_client, _model, { contextTokens }) => {
				learned = contextTokens ?? learned;
			},
			modelMissing: (client) => void missing.push(client.name),
		},
		log: { debug: (line) => void lines.push(line) },
	};
	let failure: unknown;
	const configured = new ConfiguredModel(model, { model: { ...large, price }, facts: {} }, services);
	try {
		await configured.answer(request, signal, (event) => void events.push(event));
	} catch (error) {
		failure = error;
	}
	return {
		events,
		lines: lines.map((line) => line.replace(/\d+ ms/, 'N ms')),
		failure,
		configured,
		missing,
	};
}

describe('given a configured model', () => {
	test('when it answers, then the log has message and tool counts, time and tokens', async () => {
		const { events, lines } = await ask(modelOf([text, usage]));
		expect(events).toEqual([text, usage]);
		expect(lines).toEqual(['gpt: 1 messages, 1 tool, answered after N ms, 50 tokens in (40 cached), 7 out']);
	});

	test('when it fails, then the log has the reason, but no message content', async () => {
		const { failure, lines } = await ask(modelOf([text, unauthorized]), { keyComes: true });
		expect(failure).toBe(unauthorized);
		expect(lines).toEqual(['gpt: 1 messages, 1 tool, failed (unauthorized, 401) after N ms']);
	});

	test('when the user has not agreed to its address, then nothing is sent', async () => {
		const { events, failure, lines } = await ask(modelOf([text]), { agreed: false });
		expect(events).toEqual([]);
		expect(failure).toMatchObject({ reason: 'refused' });
		expect(lines).toEqual([]);
	});

	test('when its provider rejects a request and names a limit, then the model adopts that limit', async () => {
		const tooLong = new ModelError('contextTooLong', 'Too long.', { limits: { contextTokens: 512 } });
		const { configured } = await ask(modelOf([tooLong]));
		const { maxInputTokens } = modelLimits('openai', large.model, large, {}, 512);
		expect(configured.maxInputTokens).toBe(maxInputTokens);
		expect(maxInputTokens).toBeLessThanOrEqual(512);
		expect((await ask(modelOf([text]))).configured.maxInputTokens).toBe(1000);
	});

	test('when its provider does not know it, then the list of its endpoint is asked for again', async () => {
		const gone = new ModelError('notFound', 'Unknown model.');
		expect((await ask(modelOf([gone]))).missing).toEqual([large.client.name]);
		expect((await ask(modelOf([unauthorized]))).missing).toEqual([]);
	});

	test('then it has its price, and the log counts thinking tokens', async () => {
		const thought: ChatModelEvent = {
			type: 'usage',
			usage: { inputTokens: 5, outputTokens: 9, thoughtTokens: 4 },
		};
		const { configured, lines } = await ask(modelOf([thought]));
		expect(configured.price).toBe(price);
		expect(lines[0]).toMatch(/ 5 tokens in \(0 cached\), 9 out \(4 thought\)$/);
	});

	test('then it rejects the tools that its provider rejects', async () => {
		const picky = { ...modelOf([text]), refusalOf: ({ name }: { name: string }) => `Not ${name}.` };
		const { configured } = await ask(picky);
		const tool = { name: 'order', description: '', inputSchema: {} };
		expect(configured.refusalOf(tool)).toBe('Not order.');
		expect((await ask(modelOf([text]))).configured.refusalOf(tool)).toBeUndefined();
	});

	test('when it is cancelled, then the log says “stopped”, not “failed”', async () => {
		const { lines } = await ask(modelOf([new Error('aborted')]), { signal: AbortSignal.abort() });
		expect(lines).toEqual(['gpt: 1 messages, 1 tool, stopped after N ms']);
	});
});

describe('given a model endpoint that requires a key', () => {
	test.each([
		{
			when: 'the user agrees to send a key, then the request is retried, and no event appears twice',
			answers: [
				[dropped, unauthorized],
				[dropped, text],
			],
			requests: 2,
			events: [dropped, text],
		},
		{
			when: 'it rejects the retry, then there is no third attempt',
			answers: [[unauthorized], [unauthorized], [text]],
			requests: 2,
			failure: unauthorized,
		},
		{
			when: 'there is no key to send, then the request fails without a retry',
			keyComes: false,
			answers: [[unauthorized], [text]],
			requests: 1,
			failure: unauthorized,
		},
		{
			when: 'it fails in the middle of an answer, then the request is not retried',
			answers: [[text, unauthorized], [text]],
			requests: 1,
			events: [text],
			failure: unauthorized,
		},
	])('when $when', async ({ answers, keyComes = true, requests, events = [], failure }) => {
		const asked = await ask(modelOf(...answers), { keyComes });
		expect(asked.failure).toBe(failure);
		expect(asked.events).toEqual(events);
		expect(asked.lines).toHaveLength(requests);
	});
});
