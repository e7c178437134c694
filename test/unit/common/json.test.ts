import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionHash, stableJson } from '../../../src/common/json.ts';
import type { JsonSchema } from '../../../src/common/jsonSchema.ts';

function of(inputSchema: JsonSchema, description = 'Sends.', name = 'slack__send'): string {
	return definitionHash({ name, description, inputSchema });
}

/** The same value with the keys of every object the other way round. */
function turned(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(turned);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, its]) => [key, turned(its)] as const);
	return Object.fromEntries(entries.reverse());
}

test('equal values read the same as JSON, and as what `JSON.stringify` writes of them', () => {
	const anyValue = fc.property(fc.jsonValue(), (value) => {
		expect(stableJson(turned(value))).toBe(stableJson(value));
		expect(JSON.parse(stableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
	});
	fc.assert(anyValue, { numRuns: 300 });
	const value = { b: [1, { z: undefined, y: null }], 10: true, 9: 'a', a: {}, __proto__: {}, c: [] };
	expect(stableJson(value)).toBe('{"9":"a","10":true,"a":{},"b":[1,{"y":null}],"c":[]}');
});

const schemas = fc.dictionary(fc.string(), fc.jsonValue());

describe('a fingerprint', () => {
	test('is the same whatever the order of keys, and after a way through JSON', () => {
		const anySchema = fc.property(schemas, (schema) => {
			expect(of(turned(schema) as JsonSchema)).toBe(of(schema));
			expect(of(JSON.parse(JSON.stringify(schema)))).toBe(of(JSON.parse(JSON.stringify(turned(schema)))));
		});
		fc.assert(anySchema, { numRuns: 300 });
	});

	test('is short, whatever it is of', () => {
		expect(of({ description: 'x'.repeat(100_000) })).toMatch(/^[a-z0-9]{1,11}$/);
	});

	test('is the same for two schemas only if they are', () => {
		const json = schemas.map((schema): JsonSchema => JSON.parse(JSON.stringify(schema)));
		const twoSchemas = fc.property(json, json, (a, b) => {
			expect(of(a) === of(b)).toBe(isDeepStrictEqual(a, b));
		});
		fc.assert(twoSchemas, { numRuns: 300 });
	});

	test.each<[string, string]>([
		['the description', of({ type: 'object' }, 'Sends a letter.')],
		['the name', of({ type: 'object' }, 'Sends.', 'slack__post')],
		['a type', of({ type: 'array' })],
		['one more key', of({ type: 'object', required: [] })],
		['what a list is nested in', of({ type: ['object'] })],
	])('tells a change of %s', (_what, changed) => {
		expect(changed).not.toBe(of({ type: 'object' }));
	});

	test('tells the order of a list, and text from structure', () => {
		expect(of({ required: ['a', 'b'] })).not.toBe(of({ required: ['b', 'a'] }));
		expect(of({ required: ['a,b'] })).not.toBe(of({ required: ['a', 'b'] }));
		expect(of({ a: '{"b":1}' })).not.toBe(of({ a: { b: 1 } }));
	});

	test('is made of a schema that is nested deeper than the stack', () => {
		let deep: JsonSchema = {};
		for (let i = 0; i < 100_000; i++) deep = { items: deep };
		expect(of(deep)).not.toBe(of({}));
	});
});
