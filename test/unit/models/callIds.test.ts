import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { errorResult, textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { isLegalId, sentMessages, WireIds } from '../../../src/models/sentMessages.ts';

/** The results of the calls of a conversation, as they are sent. */
function resultTexts(messages: readonly ChatMessage[]): string[] {
	return sentMessages(messages, { images: false }).flatMap((message) =>
		message.role === 'user' ? [] : message.calls.map(({ result }) => result.text),
	);
}

const call = (id: string, path = 'a') => ({ id, name: 'files__read', input: { path } });

describe('wire ids', () => {
	test('are the provider’s own ids if these are valid and unique', () => {
		const ids = new WireIds();
		expect(ids.next('c1', 'functions.read:0')).toBe('functions.read:0');
		expect(ids.next('c2', 'functions.read:0')).toBe('c2');
		expect(ids.next('c3', 'x'.repeat(41))).toBe('c3');
		expect(ids.next('c4', 'x'.repeat(41), true)).toBe('x'.repeat(41));
		expect(ids.next('c5', '')).toBe('c5');
	});

	test('are valid, unique, at most 40 characters long, and stable as the conversation grows', () => {
		const id = fc.oneof(
			fc.string({ maxLength: 60 }),
			fc.constantFrom('', 'a', 'a_2', 'a.b', 'x'.repeat(40), 'x'.repeat(41)),
		);
		fc.assert(
			fc.property(fc.array(id, { maxLength: 12 }), fc.nat(12), (all, length) => {
				const given = (own: readonly string[]) => {
					const ids = new WireIds();
					return own.map((one) => ids.next(one));
				};
				const ids = given(all);
				expect(ids.every(isLegalId)).toBe(true);
				expect(new Set(ids).size).toBe(ids.length);
				expect(given(all.slice(0, length))).toEqual(ids.slice(0, length));
			}),
		);
	});
});

describe('a call and its result', () => {
	const result = (callId: string, text: string) => ({ callId, result: textResult(text) });

	test('are matched in any order; calls that share an id each get their own result', () => {
		const messages: ChatMessage[] = [
			plainAnswer('', [call('x', 'a'), call('y'), call('x', 'b'), call('z')]),
			{ role: 'tool', results: [result('y', '2'), result('x', '1')] },
			{ role: 'tool', results: [{ callId: 'x', result: errorResult('3') }] },
			{ role: 'user', text: 'So?' },
			{ role: 'tool', results: [result('z', 'too late')] },
		];
		expect(resultTexts(messages)).toEqual(['1', '2', '3', expect.stringContaining('no result')]);
	});
});
