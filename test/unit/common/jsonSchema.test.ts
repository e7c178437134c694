import { describe, expect, test } from 'vitest';
import {
	alternativesOf,
	type JsonSchema,
	membersOf,
	propertiesOf,
	requiredOf,
	resolved,
	targetOf,
	typesOf,
} from '../../../src/common/jsonSchema.ts';

describe('reading a schema', () => {
	test('ignores keywords that are malformed', () => {
		const wrong: JsonSchema = { type: 7, properties: ['a'], required: 'a', anyOf: {} };
		expect([typesOf(wrong), propertiesOf(wrong), requiredOf(wrong), alternativesOf(wrong)]).toEqual([
			[],
			{},
			[],
			[],
		]);
		expect([true, null, ['a']].map((schema) => resolved(schema, {}))).toEqual([{}, {}, {}]);
		expect(typesOf({ type: ['string', 1, 'null'] })).toEqual(['string', 'null']);
		expect(alternativesOf({ anyOf: null, oneOf: [{ type: 'string' }] })).toEqual([{ type: 'string' }]);
	});

	test('lists its properties in order, then those that are only required', () => {
		const schema = { properties: { b: { type: 'string' }, a: true }, required: ['c', 'a', 'toString'] };
		expect(membersOf(schema)).toEqual([
			{ name: 'b', schema: { type: 'string' }, required: false },
			{ name: 'a', schema: {}, required: true },
			{ name: 'c', schema: {}, required: true },
			{ name: 'toString', schema: {}, required: true },
		]);
	});

	test('treats a property named `__proto__` like any other', () => {
		const schema = JSON.parse('{"properties":{"__proto__":{"type":"number"}}}');
		expect(membersOf(schema)).toEqual([{ name: '__proto__', schema: { type: 'number' }, required: false }]);
	});
});

describe('a schema reference', () => {
	const whole: JsonSchema = {
		$defs: { 'a/b ~c': { type: 'integer' }, node: { $anchor: 'tree', type: 'object' } },
		items: [{ type: 'boolean' }],
	};

	test.each<[string, unknown]>([
		['#', whole],
		['#/items/0', { type: 'boolean' }],
		['#/$defs/a~1b%20~0c', { type: 'integer' }],
		['#/$defs/none', undefined],
		['#/constructor', undefined],
		['#/%', undefined],
		['#tree', undefined],
		['other.json#/$defs/node', undefined],
		['', undefined],
	])('%s resolves to its target', (reference, target) => {
		expect(targetOf(reference, whole)).toEqual(target);
	});

	test('is replaced by its target, and keywords beside it override the target’s', () => {
		const schema = { $ref: '#/$defs/node', description: 'A tree' };
		expect(resolved(schema, whole)).toEqual({ $anchor: 'tree', type: 'object', description: 'A tree' });
		expect(resolved({ allOf: [schema], description: 'Its own' }, whole)).toMatchObject({
			type: 'object',
			description: 'Its own',
		});
		const { $defs } = whole;
		expect(resolved({ allOf: [schema, {}] }, { $defs })).toEqual({ allOf: [schema, {}] });
	});

	test('that is circular or broken is ignored, and keywords beside it are kept', () => {
		const circle = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a', title: 'b' } } };
		expect(resolved({ $ref: '#/$defs/a', type: 'string' }, circle)).toEqual({ type: 'string', title: 'b' });
		expect(resolved({ $ref: '#/none', type: 'string' }, circle)).toEqual({ type: 'string' });
	});
});
