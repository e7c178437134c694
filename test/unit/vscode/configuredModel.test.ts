import { describe, expect, test } from 'vitest';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import type { NamedLimits } from '../../../src/models/http/failureReason.ts';
import { ModelError } from '../../../src/models/modelError.ts';
import { ConfiguredModel } from '../../../src/vscode/models/configuredModel.ts';

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
		async *stream() {
			for (const event of left.shift() ?? []) {
				if (event instanceof Error) throw event;
				yield event;
			}
		},
	};
}

async function ask(
	model: ChatModel,
	{ keyComes = false, agreed = true, signal = new AbortController().signal } = {},
) {
	const lines: string[] = [];
	const events: ChatModelEvent[] = [];
	let refusals = 0;
	let learned: number | undefined;
	const parts = {
		mayReceive: async () => agreed,
		keyAfterRefusal: async () => {
			refusals++;
			return keyComes;
		},
		log: { debug: (line: string) => void lines.push(line) },
		price: () => price,
		learnedInputTokens: () => learned,
		learn: ({ contextTokens }: NamedLimits) => {
			learned = contextTokens ?? learned;
		},
	};
	let failure: unknown;
	const configured = new ConfiguredModel(model, parts);
	try {
		for await (const event of configured.stream(request, signal)) events.push(event);
	} catch (error) {
		failure = error;
	}
	return {
		events,
		lines: lines.map((line) => line.replace(/\d+ ms/, 'N ms')),
		refusals,
		failure,
		configured,
	};
}

describe('given a model of the configuration', () => {
	test('when it answers, then the log tells sizes, time and tokens', async () => {
		const { events, lines } = await ask(modelOf([text, usage]));
		expect(events).toEqual([text, usage]);
		expect(lines).toEqual(['gpt: 1 messages, 1 tool, answered after N ms, 50 tokens in (40 cached), 7 out']);
	});

	test('when it fails, then the log tells the reason and nothing that was said', async () => {
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

	test('when its provider names a limit in refusing, then that is its limit from now on', async () => {
		const tooLong = new ModelError('contextTooLong', 'Too long.', { limits: { contextTokens: 512 } });
		const { configured } = await ask(modelOf([tooLong]));
		expect(configured.maxInputTokens).toBe(512);
		expect((await ask(modelOf([text]))).configured.maxInputTokens).toBe(1000);
	});

	test('then it has the price that is known of it, and the log tells what was thought', async () => {
		const thought: ChatModelEvent = {
			type: 'usage',
			usage: { inputTokens: 5, outputTokens: 9, thoughtTokens: 4 },
		};
		const { configured, lines } = await ask(modelOf([thought]));
		expect(configured.price).toBe(price);
		expect(lines[0]).toMatch(/ 5 tokens in \(0 cached\), 9 out \(4 thought\)$/);
	});

	test('when it is stopped, then the log does not call that a failure', async () => {
		const { lines } = await ask(modelOf([new Error('aborted')]), { signal: AbortSignal.abort() });
		expect(lines).toEqual(['gpt: 1 messages, 1 tool, stopped after N ms']);
	});
});

describe('given a server that wants a key', () => {
	test('when the user agrees to send one, then the request is made again, and its answer is all that is seen', async () => {
		const model = modelOf([dropped, unauthorized], [dropped, text]);
		const { events, failure, refusals } = await ask(model, { keyComes: true });
		expect(failure).toBeUndefined();
		expect(events).toEqual([dropped, text]);
		expect(refusals).toBe(1);
	});

	test('when it refuses that one too, then it is not asked a third time', async () => {
		const { failure, lines } = await ask(modelOf([unauthorized], [unauthorized], [text]), { keyComes: true });
		expect(failure).toBe(unauthorized);
		expect(lines).toHaveLength(2);
	});

	test('when there is no key to send, then the failure stands', async () => {
		const { failure, lines } = await ask(modelOf([unauthorized], [text]));
		expect(failure).toBe(unauthorized);
		expect(lines).toHaveLength(1);
	});

	test('when it says so in the middle of an answer, then nothing is sent twice', async () => {
		const { events, failure, refusals } = await ask(modelOf([text, unauthorized], [text]), {
			keyComes: true,
		});
		expect(events).toEqual([text]);
		expect(failure).toBe(unauthorized);
		expect(refusals).toBe(0);
	});
});
