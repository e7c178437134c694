import { describe, expect, test } from 'vitest';
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

	test('keeps the definitions of references, and the type beside a union, in each alternative', () => {
		const page = { type: 'object', properties: { page_id: { type: 'string' } }, required: ['page_id'] };
		const { inputSchema } = sent(
			{
				properties: {
					parent: { anyOf: [{ $ref: '#/$defs/page' }, { type: 'string' }] },
					ip: { type: 'string', anyOf: [{ minLength: 7 }, { minLength: 15 }] },
				},
				$defs: { page },
			},
			'gemini',
		);
		expect(inputSchema.properties).toEqual({
			parent: { anyOf: [page, { type: 'string' }] },
			ip: {
				anyOf: [
					{ type: 'string', minLength: 7 },
					{ type: 'string', minLength: 15 },
				],
			},
		});
	});

	test('does not affect the schema for other providers', () => {
		const schema = { type: ['string', 'null'], enum: ['a', null] };
		expect(sentArgument(schema, 'openai')).toEqual(schema);
	});
});
