import { describe, expect, test } from 'vitest';
import { shortDefinitionHash, stableJson } from '../../../src/common/json.ts';
import type { JsonSchema } from '../../../src/common/jsonSchema.ts';

function of(inputSchema: JsonSchema, description = 'Sends.', name = 'slack__send'): string {
	return shortDefinitionHash({ name, description, inputSchema });
}

test('stable JSON is the output of `JSON.stringify` with sorted keys', () => {
	const value = { b: [1, { z: undefined, y: null }], 10: true, 9: 'a', a: {}, __proto__: {}, c: [] };
	expect(stableJson(value)).toBe('{"9":"a","10":true,"a":{},"b":[1,{"y":null}],"c":[]}');
});

describe('the hash of a definition', () => {
	test('is short for any definition', () => {
		expect(of({ description: 'x'.repeat(100_000) })).toMatch(/^[a-z0-9]{1,11}$/);
	});

	test.each<[string, string]>([
		['the description', of({ type: 'object' }, 'Sends a letter.')],
		['the name', of({ type: 'object' }, 'Sends.', 'slack__post')],
		['a type', of({ type: 'array' })],
		['one more key', of({ type: 'object', required: [] })],
		['what a list is nested in', of({ type: ['object'] })],
	])('changes with %s', (_what, changed) => {
		expect(changed).not.toBe(of({ type: 'object' }));
	});

	test('depends on the order of a list, and on text versus structure', () => {
		expect(of({ required: ['a', 'b'] })).not.toBe(of({ required: ['b', 'a'] }));
		expect(of({ required: ['a,b'] })).not.toBe(of({ required: ['a', 'b'] }));
		expect(of({ a: '{"b":1}' })).not.toBe(of({ a: { b: 1 } }));
	});

	test('works for a schema nested deeper than the stack', () => {
		let deep: JsonSchema = {};
		for (let i = 0; i < 100_000; i++) deep = { items: deep };
		expect(of(deep)).not.toBe(of({}));
	});
});
