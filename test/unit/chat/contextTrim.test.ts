import { describe, expect, test } from 'vitest';
import * as trim from '../../../src/chat/contextTrim.ts';
import { requestTokens, type SizedRequest } from '../../../src/chat/requestSize.ts';
import type { AnswerPart, ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { errorResult, resultText, textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';

type Sent = SizedRequest & { readonly messages: ChatMessage[] };

function chatOf({ messages }: Sent): trim.Trimmable {
	return {
		messages,
		rewrite: (index, message) => {
			messages[index] = message;
		},
	};
}

const trimResults = (request: Sent, limit?: number) => trim.trimResults(chatOf(request), request, limit);
const trimHarder = (request: Sent) => trim.trimHarder(chatOf(request), request);

const long = 'one word after another '.repeat(250);
const definition = { name: 'a__b', description: 'does b', inputSchema: { type: 'object' } };

/** A conversation with a result a round, the newest last. */
function conversation(texts: readonly string[]): { system: string; tools: []; messages: ChatMessage[] } {
	const rounds = texts.flatMap((text, i): ChatMessage[] => [
		plainAnswer('', [{ id: `${i}`, name: 'a__b', input: {} }]),
		{ role: 'tool', results: [{ callId: `${i}`, result: textResult(text), loaded: [definition] }] },
	]);
	return { system: 'Be brief.', tools: [], messages: [{ role: 'user', text: 'Go.' }, ...rounds] };
}

function texts(messages: readonly ChatMessage[]): string[] {
	return messages.flatMap((message) =>
		message.role === 'tool' ? message.results.map(({ result }) => resultText(result).slice(0, 12)) : [],
	);
}

describe('given a conversation that nearly fills the context window', () => {
	test('then as many of its oldest results as needed are removed, and everything else stays in place', () => {
		const request = conversation([long, long, long, long]);
		const before = requestTokens(request);
		const trimmed = trimResults(request, before);
		expect(trimmed).toBeGreaterThan(0);
		expect(texts(request.messages)).toEqual(['[This result', '[This result', 'one word aft', 'one word aft']);
		expect(requestTokens(request)).toBeLessThan(before * 0.65);
		expect(request.messages.length).toBe(9);
	});

	test('when it fits, then it is left alone, and trimming leaves room for a while', () => {
		const request = conversation([long, long, long]);
		expect(trimResults(request, requestTokens(request) * 2)).toBe(0);
		const room = requestTokens(request);
		trimResults(request, room);
		expect(trimResults(request, room)).toBe(0);
	});

	test('then results of the last round, short results and loaded definitions stay', () => {
		const request = conversation(['short', long, long]);
		trimResults(request, 10);
		expect(texts(request.messages)).toEqual(['short', '[This result', 'one word aft']);
		const loaded = request.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		expect(loaded.every((result) => result.loaded?.[0] === definition)).toBe(true);
		request.messages.push(plainAnswer('Done.'));
		trimResults(request, 10);
		expect(texts(request.messages).at(-1)).toBe('one word aft');
	});

	test('when a failed result is removed, then it still counts as failed', () => {
		const request = conversation([long, long]);
		request.messages[2] = { role: 'tool', results: [{ callId: '0', result: errorResult(long) }] };
		trimResults(request, 10);
		expect(request.messages[2]).toMatchObject({ results: [{ callId: '0', result: { isError: true } }] });
	});
});

describe('given a chat of many small results', () => {
	const limit = 16_000;
	const small = 'a line of a result '.repeat(15);
	const turn = (n: number): ChatMessage[] => [
		{ role: 'user', text: `What is number ${n}?` },
		plainAnswer('', [{ id: `${n}`, name: 'a__b', input: { n } }]),
		{ role: 'tool', results: [{ callId: `${n}`, result: textResult(small) }] },
		plainAnswer(`It is ${n}.`),
	];

	test('then it always fits the model, and keeps its turns in place and its last question', () => {
		const messages: ChatMessage[] = [];
		const request = { system: '', tools: [] as [], messages };
		for (let n = 0; n < 600; n++) {
			messages.push(...turn(n));
			trimResults(request, limit);
			expect(requestTokens(request)).toBeLessThan(limit);
		}
		expect(messages).toHaveLength(2_400);
		expect(messages.slice(-4)).toEqual(turn(599));
		expect(messages.slice(0, 3)).toEqual([
			{ role: 'user', text: '[Removed to make room.]' },
			{ role: 'assistant', parts: [] },
			{ role: 'tool', results: [] },
		]);
		const sent = trim.withOnePlaceholder(messages);
		expect(sent.slice(0, 2)).toEqual([messages[0], messages[messages.length - sent.length + 1]]);
		expect(JSON.stringify(sent).match(/Removed to make room/g)).toHaveLength(1);
	});

	test('then each part is measured once, however full the chat is', () => {
		let looked = 0;
		const counted = (n: number): ChatMessage => ({
			role: 'tool',
			results: [
				{
					callId: `${n}`,
					result: {
						get content() {
							looked++;
							return textResult('ok').content;
						},
						isError: false,
					},
				},
			],
		});
		const messages = Array.from({ length: 100 }, (_, n) => [...turn(n).slice(0, 2), counted(n)]).flat();
		const request = { system: '', tools: [] as [], messages };
		const full = requestTokens(request) / 0.9;
		trimResults(request, full);
		looked = 0;
		trimResults(request, full);
		expect(looked).toBe(0);
	});
});

test('attachments of earlier messages are removed, and those of the last message stay', () => {
	const asked: ChatMessage = { role: 'user', text: 'What is this?', attached: long };
	const request = { system: '', tools: [] as [], messages: [asked, { ...asked }, { ...asked }] };
	const removed = {
		role: 'user',
		text: 'What is this?\n[What was attached to this was removed to make room.]',
	};
	expect(trimHarder(request)).toBe(2);
	expect(request.messages).toEqual([removed, removed, asked]);
});

test('a request to continue starts no new turn, so thoughts and attachments of the turn stay', () => {
	const thought: AnswerPart = { type: 'thinking', text: '', origin: { by: 'model', data: long } };
	const { parts } = plainAnswer('', [{ id: '0', name: 'a__b', input: {} }]);
	const messages: ChatMessage[] = [
		{ role: 'user', text: 'What is this?', attached: long },
		{ role: 'assistant', parts: [thought, ...parts] },
		{ role: 'tool', results: [{ callId: '0', result: textResult('short') }] },
		{ role: 'user', text: '', news: 'Go on.' },
	];
	expect(trimHarder({ system: '', tools: [], messages: [...messages] })).toBe(0);
	expect(
		trimHarder({ system: '', tools: [], messages: [...messages, { role: 'user', text: 'And this?' }] }),
	).toBe(2);
});

test('when the provider rejects it as too long, half of the results are removed, whatever the estimate', () => {
	const request = conversation([long, long, long, long]);
	expect(trimHarder(request)).toBe(3);
	expect(trimHarder(conversation([long]))).toBe(0);
});

test('results that carry schemas are removed last, because without them the model must search again', () => {
	const request = conversation([long, long, long, long]);
	for (const at of [4, 6]) {
		request.messages[at] = { role: 'tool', results: [{ callId: `${at / 2 - 1}`, result: textResult(long) }] };
	}
	trimResults(request, requestTokens(request));
	expect(texts(request.messages)).toEqual(['one word aft', '[This result', '[This result', 'one word aft']);
});

describe('given a conversation that is too large to store', () => {
	const megabyte = 'x'.repeat(1024 * 1024);
	const size = ({ messages }: { messages: ChatMessage[] }) => JSON.stringify(messages).length;

	test('then its oldest results are removed', () => {
		const request = conversation(Array.from({ length: 30 }, () => megabyte));
		expect(trimResults(request)).toBeGreaterThan(10);
		expect(size(request)).toBeLessThan(16 * megabyte.length);
		expect(trimResults(request)).toBe(0);
	});

	test('then its images are removed, except those of the newest prompt', () => {
		const images = [{ type: 'image', data: megabyte.repeat(5), mimeType: 'image/png' } as const];
		const messages = Array.from(
			{ length: 6 },
			(_, i): ChatMessage => ({ role: 'user', text: `${i}`, images }),
		);
		const request = { system: '', tools: [], messages };
		expect(trimResults(request)).toBe(4);
		expect(messages[0]).toEqual({
			role: 'user',
			text: '0\n[What was attached to this was removed to make room.]',
		});
		expect(messages[5]).toHaveProperty('images');
	});
});

test('the estimate includes definitions in results, and images', () => {
	const plain = { ...conversation(['x']), searchTool: 'search_tools' };
	expect(requestTokens(plain)).toBeGreaterThan(requestTokens(conversation(['x'])) + 3);
	const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
	const shown: ChatMessage[] = [{ role: 'user', text: 'Go.', images: [image] }];
	expect(requestTokens({ system: '', tools: [], messages: shown })).toBeGreaterThan(1000);
});

test('the size of a huge text is estimated from its beginning', () => {
	const text = 'one word after another '.repeat(20_000);
	const tokens = (said: string) =>
		requestTokens({ system: '', tools: [], messages: [{ role: 'user', text: said }] });
	expect(tokens(text) / (10 * tokens(text.slice(0, text.length / 10)))).toBeCloseTo(1, 1);
});
