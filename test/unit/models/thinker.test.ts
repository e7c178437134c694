import { describe, expect, test } from 'vitest';
import type { AnswerPart, ChatMessage } from '../../../src/discovery/catalog/message.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { Thinker } from '../../../src/models/thinker.ts';

const here = { baseUrl: 'https://a.example/v1' };
const me = () => new Thinker(here, 'chat', 'm');
const thoughtOf = (thinker: Thinker, data: unknown): AnswerPart => ({
	type: 'thinking',
	text: '',
	origin: thinker.origin(data),
});

describe('the thinker of a part', () => {
	test('is identified by model, address and protocol', () => {
		const others = [
			new Thinker({ baseUrl: 'https://b.example/v1' }, 'chat', 'm'),
			new Thinker(here, 'responses', 'm'),
			new Thinker(here, 'chat', 'n'),
		];
		expect(new Set([me(), ...others].map(({ id }) => id)).size).toBe(4);
		expect(me().id).toBe(me().id);
	});

	test.each(['https://a.example/v1/', 'https://A.example:443/v1', 'HTTPS://a.example/./v1'])(
		'is the same at the same address, written %s',
		(baseUrl) => {
			expect(new Thinker({ baseUrl }, 'chat', 'm').id).toBe(me().id);
		},
	);

	test('reveals nothing of the address in its id', () => {
		expect(new Thinker({ baseUrl: 'https://key@a.example' }, 'chat', 'm').id).toMatch(/^[0-9a-f]{16}$/);
	});

	test('gets its own origins back, and no other thinker does', () => {
		const part = thoughtOf(me(), 'deep');
		expect(me().dataOf(part)).toBe('deep');
		expect(new Thinker(here, 'chat', 'n').dataOf(part)).toBeUndefined();
		expect(me().dataOf({ type: 'thinking' })).toBeUndefined();
	});

	test('gets its own answer in order; from others it gets the text, then the calls', () => {
		const call = { type: 'toolCall' as const, call: { id: 'a', name: 'read', input: {} } };
		const parts: AnswerPart[] = [thoughtOf(me(), 1), call, { type: 'text', text: 'Read.' }];
		expect(me().inOrder(parts)).toBe(parts);
		expect(new Thinker(here, 'chat', 'n').inOrder(parts)).toEqual(plainAnswer('Read.', [call.call]).parts);
	});
});

describe('origins that the provider rejects', () => {
	const answer = (data: string): ChatMessage => ({ role: 'assistant', parts: [thoughtOf(me(), data)] });
	const left = (thinker: Thinker, messages: readonly ChatMessage[]) =>
		messages.flatMap((message) =>
			message.role === 'assistant' ? message.parts.flatMap((part) => thinker.dataOf(part) ?? []) : [],
		);

	const messages = [
		{ role: 'user' as const, text: 'a' },
		answer('old'),
		{ role: 'user' as const, text: 'b' },
		answer('new'),
	];

	test('are dropped from earlier turns first, then from this turn, until none is left', () => {
		const thinker = me();
		expect(thinker.reject(messages, false)).toBe(true);
		expect(left(thinker, messages)).toEqual(['new']);
		expect(thinker.reject(messages, false)).toBe(true);
		expect(left(thinker, messages)).toEqual([]);
		expect(thinker.reject(messages, false)).toBe(false);
	});

	test('are all dropped at once if all are bound to what came before', () => {
		const thinker = me();
		expect(thinker.reject(messages, true)).toBe(true);
		expect(left(thinker, messages)).toEqual([]);
	});

	test('leave the calls their ids and namespaces, without what is signed', () => {
		const thinker = me();
		const origin = thinker.origin({ id: 'call_1', namespace: 'a__b', extra: 'signed' });
		const part = { type: 'toolCall' as const, call: { id: 'a', name: 'a__b', input: {} }, origin };
		expect(thinker.reject([{ role: 'assistant', parts: [part] }], false)).toBe(true);
		expect(thinker.dataOf(part)).toEqual({ id: 'call_1', namespace: 'a__b' });
	});
});
