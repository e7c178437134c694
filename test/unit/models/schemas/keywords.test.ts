import { expect, test } from 'vitest';
import { parsed, sent, sentArgument } from './asking.ts';

test('keywords about the schema itself and unknown keywords are not sent', () => {
	const { inputSchema } = sent({
		$schema: 'http://json-schema.org/draft-07/schema#',
		$id: 'not a URI',
		$comment: 'internal',
		type: 'object',
		properties: { a: { type: 'string', 'x-order': 1, xml: {} } },
		discriminator: { propertyName: 'a' },
	});
	expect(inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
});

test('a malformed keyword is left out', () => {
	const broken = {
		type: 'string',
		description: 7,
		title: null,
		pattern: {},
		maxLength: '5',
		minLength: -1,
		required: true,
	};
	expect(sentArgument(broken)).toEqual({ type: 'string' });
	expect(sentArgument({ type: 'object', properties: [] })).toEqual({ type: 'object' });
	expect(sentArgument({ type: 'string', anyOf: [] })).toEqual({ type: 'string' });
});

test('an argument with an invalid schema accepts anything', () => {
	for (const schema of [true, 'string', null, 3, []]) expect(sentArgument(schema)).toEqual({});
	expect(sentArgument(false)).toBeUndefined();
});

test('keywords that OpenAI-compatible servers reject are moved to the description', () => {
	expect(
		sentArgument({ type: 'string', format: 'uri', pattern: '^(?!x)\\d+$', description: 'An address' }),
	).toEqual({
		type: 'string',
		description: 'An address (format: uri; pattern: ^(?!x)\\d+$)',
	});
	expect(sentArgument({ type: 'string', maxLength: 10_000, not: { enum: [''] } })).toEqual({
		type: 'string',
		description: 'maxLength: 10000; not: {"enum":[""]}',
	});
	expect(sentArgument({ type: 'object', propertyNames: { type: 'string' } })).toEqual({ type: 'object' });
});

test('words of OpenAPI 3.0 and draft 4 are those of today', () => {
	expect(sentArgument({ type: 'string', nullable: true, enum: ['a'] })).toEqual({
		type: ['string', 'null'],
		enum: ['a', null],
	});
	expect(
		sentArgument({ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }),
	).toEqual({
		type: 'number',
		exclusiveMinimum: 0,
		maximum: 9,
	});
	expect(sentArgument({ oneOf: [{ type: 'string' }, { type: 'integer' }], nullable: true })).toEqual({
		anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }],
	});
});

test('keywords that they accept are unchanged', () => {
	const schema = {
		type: 'string',
		format: 'date-time',
		pattern: '^[a-z]+$',
		maxLength: 100,
		default: 'a',
		title: 'A',
	};
	expect(sentArgument(schema)).toEqual(schema);
});

test('keywords that Ollama does not pass to the model are moved to the description', () => {
	expect(sentArgument({ type: 'integer', description: 'A page', minimum: 1, default: 1 }, 'ollama')).toEqual({
		type: 'integer',
		description: 'A page (minimum: 1; default: 1)',
	});
	expect(sentArgument({ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'ollama')).toEqual({
		anyOf: [{ type: 'string' }, { type: 'null' }],
	});
});

test('the type of a union is copied to each alternative', () => {
	expect(sentArgument({ type: 'string', anyOf: [{ format: 'date' }, { enum: ['now'] }] })).toEqual({
		anyOf: [
			{ format: 'date', type: 'string' },
			{ enum: ['now'], type: 'string' },
		],
	});
});

test('required names are defined and unique', () => {
	const object = { type: 'object', properties: { a: { type: 'string' } } };
	expect(sentArgument({ ...object, required: ['a', 'a'] })).toEqual({ ...object, required: ['a'] });
	expect(sentArgument({ ...object, required: ['a', 'b', 7] })).toEqual({
		type: 'object',
		properties: { a: { type: 'string' }, b: {} },
		required: ['a', 'b'],
	});
	expect(sentArgument({ ...object, required: ['b'], additionalProperties: false })).toEqual({
		...object,
		required: [],
		additionalProperties: false,
	});
});

test('a property may have any name', () => {
	const schema = parsed(
		'{"type":"object","properties":{"__proto__":{"type":"String"},"constructor":{},"type":{}}}',
	);
	const { inputSchema } = sent(schema);
	expect(JSON.stringify(inputSchema)).toBe(
		'{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{},"type":{}}}',
	);
	expect(Object.getPrototypeOf(inputSchema.properties)).toBe(Object.prototype);
});
