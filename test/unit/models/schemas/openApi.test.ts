import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../../../src/common/json.ts';
import { sent, sentArgument } from './asking.ts';

const anything = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

describe('a schema for Gemini', () => {
	test.each<[string, unknown, unknown]>([
		['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
		[
			'several types',
			{ type: ['string', 'array'], minLength: 1, description: 'One or many.' },
			{
				description: 'One or many.',
				anyOf: [
					{ type: 'string', minLength: 1 },
					{ type: 'array', items: anything },
				],
			},
		],
		[
			'an enumeration of numbers',
			{ type: 'integer', enum: [1, 2] },
			{ type: 'integer', description: 'One of 1, 2' },
		],
		['an enumeration with null', { enum: ['a', null] }, { type: 'string', enum: ['a'], nullable: true }],
		[
			'an enumeration with an empty text',
			{ type: 'string', enum: ['', 'a'] },
			{ type: 'string', enum: ['a'], description: 'May be empty' },
		],
		['items without a type', { type: 'array', items: {} }, { type: 'array', items: anything }],
		['no items', { type: 'array' }, { type: 'array', items: anything }],
		['no type', { description: 'Anything.' }, { description: 'Anything.', ...anything }],
		[
			'an exclusive bound',
			{ type: 'number', exclusiveMinimum: 0 },
			{ type: 'number', description: 'exclusiveMinimum: 0' },
		],
		['a multiple', { type: 'number', multipleOf: 5 }, { type: 'number', description: 'multipleOf: 5' }],
		['another format', { type: 'string', format: 'uuid' }, { type: 'string', description: 'format: uuid' }],
	])('expresses %s in keywords that Gemini accepts', (_, written, said) => {
		expect(sentArgument(written, 'gemini')).toEqual(said);
	});

	test('does not affect the schema for other providers', () => {
		const schema = { type: ['string', 'null'], enum: ['a', null] };
		expect(sentArgument(schema, 'openai')).toEqual(schema);
	});

	/** https://ai.google.dev/api/caching#Schema */
	const known = new Set(
		'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf default items minimum maximum'.split(
			' ',
		),
	);
	function faults(schema: unknown, isTop = false): string[] {
		if (!isRecord(schema)) return ['no schema'];
		const { type, anyOf, properties, items } = schema;
		return [
			...Object.keys(schema).filter((keyword) => !known.has(keyword)),
			...(typeof type === 'string' || (type === undefined && Array.isArray(anyOf)) || isTop ? [] : ['type']),
			...(type === 'array' && items === undefined ? ['items'] : []),
			...(Array.isArray(schema.enum) && schema.enum.some((value) => typeof value !== 'string' || value === '')
				? ['enum']
				: []),
			...(Array.isArray(anyOf) ? anyOf.flatMap((one) => faults(one)) : []),
			...(isRecord(properties) ? Object.values(properties).flatMap((one) => faults(one)) : []),
			...(items === undefined ? [] : faults(items)),
		];
	}

	const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null');
	const value = fc.constantFrom('', 'a', 'b', 1, 2.5, true, null);
	// Bounded: else what stands in a schema grows faster than it ends, and some seeds are never done.
	const inner = (schema: fc.Arbitrary<unknown>) =>
		fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, fc.constant({}), schema);
	const { schema } = fc.letrec((tie) => ({
		schema: fc.record(
			{
				type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
				enum: fc.array(value, { maxLength: 3 }),
				const: value,
				items: fc.oneof(fc.constant({}), fc.constant(true), inner(tie('schema'))),
				properties: fc.dictionary(fc.constantFrom('a', 'b'), inner(tie('schema')), { maxKeys: 2 }),
				required: fc.constant(['a']),
				anyOf: fc.array(inner(tie('schema')), { minLength: 1, maxLength: 2 }),
				exclusiveMinimum: fc.integer(),
				multipleOf: fc.constant(2),
				additionalProperties: fc.boolean(),
				format: fc.constantFrom('uri', 'date-time'),
			},
			{ requiredKeys: [] },
		),
	}));

	test('breaks none of Gemini’s documented rules, whatever a server sends', () => {
		fc.assert(
			fc.property(schema, (argument) => {
				const { inputSchema } = sent({ type: 'object', properties: { argument } }, 'gemini');
				expect(faults(inputSchema, true)).toEqual([]);
			}),
		);
	});
});
