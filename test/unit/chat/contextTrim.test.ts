import { describe, expect, test } from 'vitest';
import { trimHarder, trimResults } from '../../../src/chat/contextTrim.ts';
import { requestTokens } from '../../../src/chat/requestSize.ts';
import { errorResult, resultText, textResult } from '../../../src/discovery/catalog/tool.ts';
import type { ChatMessage } from '../../../src/models/chatModel.ts';

const long = 'one word after another '.repeat(250);
const definition = { name: 'a__b', description: 'does b', inputSchema: { type: 'object' } };

/** A conversation with a result a round, the newest last. */
function conversation(texts: readonly string[]): { system: string; tools: []; messages: ChatMessage[] } {
	const rounds = texts.flatMap((text, i): ChatMessage[] => [
		{ role: 'assistant', text: '', toolCalls: [{ id: `${i}`, name: 'a__b', input: {} }] },
		{ role: 'tool', results: [{ callId: `${i}`, result: textResult(text), loaded: [definition] }] },
	]);
	return { system: 'Be brief.', tools: [], messages: [{ role: 'user', text: 'Go.' }, ...rounds] };
}

function texts(messages: readonly ChatMessage[]): string[] {
	return messages.flatMap((message) =>
		message.role === 'tool' ? message.results.map(({ result }) => resultText(result).slice(0, 12)) : [],
	);
}

describe('a conversation that is about to outgrow the model', () => {
	test('loses its oldest results, as many as it takes, and keeps everything else in place', () => {
		const request = conversation([long, long, long, long]);
		const before = requestTokens(request);
		const trimmed = trimResults(request, before);
		expect(trimmed).toBeGreaterThan(0);
		expect(texts(request.messages)).toEqual(['[This result', '[This result', 'one word aft', 'one word aft']);
		expect(requestTokens(request)).toBeLessThan(before * 0.65);
		expect(request.messages.length).toBe(9);
	});

	test('is left alone while it fits, and once it was trimmed fits for a while', () => {
		const request = conversation([long, long, long]);
		expect(trimResults(request, requestTokens(request) * 2)).toBe(0);
		const room = requestTokens(request);
		trimResults(request, room);
		expect(trimResults(request, room)).toBe(0);
	});

	test('never loses the results of the last round, nor short ones, nor what a search has loaded', () => {
		const request = conversation(['short', long, long]);
		trimResults(request, 10);
		expect(texts(request.messages)).toEqual(['short', '[This result', 'one word aft']);
		const loaded = request.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		expect(loaded.every((result) => result.loaded?.[0] === definition)).toBe(true);
	});

	test('a failed result stays a failed one', () => {
		const request = conversation([long, long]);
		request.messages[2] = { role: 'tool', results: [{ callId: '0', result: errorResult(long) }] };
		trimResults(request, 10);
		expect(request.messages[2]).toMatchObject({ results: [{ callId: '0', result: { isError: true } }] });
	});
});

test('texts that were attached to earlier messages go, too, and those of the last one stay', () => {
	const asked: ChatMessage = { role: 'user', text: 'What is this?', attached: long };
	const request = { system: '', tools: [] as [], messages: [asked, { ...asked }] };
	expect(trimHarder(request)).toBe(1);
	expect(request.messages).toEqual([
		{ role: 'user', text: 'What is this?\n[What was attached to this was removed to make room.]' },
		asked,
	]);
});

test('a request to go on begins no turn: the thoughts and attachments of the turn stay', () => {
	const thought = { by: 'model', data: long };
	const messages: ChatMessage[] = [
		{ role: 'user', text: 'What is this?', attached: long },
		{ role: 'assistant', text: '', toolCalls: [{ id: '0', name: 'a__b', input: {} }], thought },
		{ role: 'tool', results: [{ callId: '0', result: textResult('short') }] },
		{ role: 'user', text: '', news: 'Go on.' },
	];
	expect(trimHarder({ system: '', tools: [], messages: [...messages] })).toBe(0);
	expect(
		trimHarder({ system: '', tools: [], messages: [...messages, { role: 'user', text: 'And this?' }] }),
	).toBe(2);
});

test('where the provider finds it too long, half of it goes, whatever the estimate', () => {
	const request = conversation([long, long, long, long]);
	expect(trimHarder(request)).toBe(3);
	expect(trimHarder(conversation([long]))).toBe(0);
});

test('results that tell of schemas go last: without these the model must search again', () => {
	const request = conversation([long, long, long, long]);
	for (const at of [4, 6]) {
		request.messages[at] = { role: 'tool', results: [{ callId: `${at / 2 - 1}`, result: textResult(long) }] };
	}
	trimResults(request, requestTokens(request));
	expect(texts(request.messages)).toEqual(['one word aft', '[This result', '[This result', 'one word aft']);
});

describe('a conversation that is too large to keep, for whatever model', () => {
	const megabyte = 'x'.repeat(1024 * 1024);
	const size = ({ messages }: { messages: ChatMessage[] }) => JSON.stringify(messages).length;

	test('loses its oldest results', () => {
		const request = conversation(Array.from({ length: 30 }, () => megabyte));
		expect(trimResults(request)).toBeGreaterThan(10);
		expect(size(request)).toBeLessThan(16 * megabyte.length);
		expect(trimResults(request)).toBe(0);
	});

	test('loses pictures, but for those of the newest prompt', () => {
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

test('definitions count where results carry them to the model, and pictures count', () => {
	const plain = { ...conversation(['x']), searchTool: 'search_tools' };
	expect(requestTokens(plain)).toBeGreaterThan(requestTokens(conversation(['x'])) + 3);
	const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
	const shown: ChatMessage[] = [{ role: 'user', text: 'Go.', images: [image] }];
	expect(requestTokens({ system: '', tools: [], messages: shown })).toBeGreaterThan(1000);
});

test('a vast text is estimated by its beginning', () => {
	const text = 'one word after another '.repeat(20_000);
	const tokens = (said: string) =>
		requestTokens({ system: '', tools: [], messages: [{ role: 'user', text: said }] });
	expect(tokens(text) / (10 * tokens(text.slice(0, text.length / 10)))).toBeCloseTo(1, 1);
});
