import { describe, expect, test } from 'vitest';
import { requestTokens, trimHarder, trimResults } from '../../../src/chat/contextTrim.ts';
import { errorResult, resultText, textResult } from '../../../src/discovery/toolResult.ts';
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

test('where the provider finds it too long, half of it goes, whatever the estimate', () => {
	const request = conversation([long, long, long, long]);
	expect(trimHarder(request)).toBe(3);
	expect(trimHarder(conversation([long]))).toBe(0);
});

test('definitions that results carry and pictures count', () => {
	const plain = conversation(['x']);
	const bare = { ...plain, messages: plain.messages.slice(0, 2) };
	expect(requestTokens(plain)).toBeGreaterThan(requestTokens(bare) + 3);
	const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
	expect(
		requestTokens({ ...bare, messages: [{ role: 'user', text: 'Go.', images: [image] }] }),
	).toBeGreaterThan(1000);
});
