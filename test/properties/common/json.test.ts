import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortDefinitionHash, stableJson } from '../../../src/common/json.ts';
import type { JsonSchema } from '../../../src/common/jsonSchema.ts';
import { runs } from '../../effort.ts';

function of(inputSchema: JsonSchema): string {
	return shortDefinitionHash({ name: 'slack__send', description: 'Sends.', inputSchema });
}

/** The same value with the keys of every object in reverse order. */
function turned(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(turned);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, its]) => [key, turned(its)] as const);
	return Object.fromEntries(entries.reverse());
}

test('the stable JSON of equal values is equal, and parses to the same as `JSON.stringify`', () => {
	const anyValue = fc.property(fc.jsonValue(), (value) => {
		expect(stableJson(turned(value))).toBe(stableJson(value));
		expect(JSON.parse(stableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
	});
	fc.assert(anyValue, { numRuns: runs(60) });
});

const schemas = fc.dictionary(fc.string(), fc.jsonValue());

describe('a fingerprint', () => {
	test('does not depend on the order of keys, and survives a JSON round trip', () => {
		const anySchema = fc.property(schemas, (schema) => {
			expect(of(turned(schema) as JsonSchema)).toBe(of(schema));
			expect(of(JSON.parse(JSON.stringify(schema)))).toBe(of(JSON.parse(JSON.stringify(turned(schema)))));
		});
		fc.assert(anySchema, { numRuns: runs(60) });
	});

	test('is equal for two schemas only if they are equal', () => {
		const json = schemas.map((schema): JsonSchema => JSON.parse(JSON.stringify(schema)));
		const twoSchemas = fc.property(json, json, (a, b) => {
			expect(of(a) === of(b)).toBe(isDeepStrictEqual(a, b));
		});
		fc.assert(twoSchemas, { numRuns: runs(60) });
	});
});
