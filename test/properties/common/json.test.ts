import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionHash, stableJson } from '../../../src/common/json.ts';
import type { JsonSchema } from '../../../src/common/jsonSchema.ts';
import { runs } from '../../effort.ts';

function of(inputSchema: JsonSchema): string {
	return definitionHash({ name: 'slack__send', description: 'Sends.', inputSchema });
}

/** The same value with the keys of every object in reverse order. */
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
	fc.assert(anyValue, { numRuns: runs(60) });
});

const schemas = fc.dictionary(fc.string(), fc.jsonValue());

describe('a fingerprint', () => {
	test('is the same whatever the order of keys, and after a way through JSON', () => {
		const anySchema = fc.property(schemas, (schema) => {
			expect(of(turned(schema) as JsonSchema)).toBe(of(schema));
			expect(of(JSON.parse(JSON.stringify(schema)))).toBe(of(JSON.parse(JSON.stringify(turned(schema)))));
		});
		fc.assert(anySchema, { numRuns: runs(60) });
	});

	test('is the same for two schemas only if they are', () => {
		const json = schemas.map((schema): JsonSchema => JSON.parse(JSON.stringify(schema)));
		const twoSchemas = fc.property(json, json, (a, b) => {
			expect(of(a) === of(b)).toBe(isDeepStrictEqual(a, b));
		});
		fc.assert(twoSchemas, { numRuns: runs(60) });
	});
});
