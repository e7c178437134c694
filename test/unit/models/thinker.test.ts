import { describe, expect, test } from 'vitest';
import type { AnswerPart } from '../../../src/discovery/catalog/message.ts';
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
});
