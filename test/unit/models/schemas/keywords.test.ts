import { expect, test } from 'vitest';
import { parsed, sent, sentArgument } from './asking.ts';

test('no keyword about the schema itself is sent, and none that nobody knows', () => {
	const { inputSchema } = sent({
		$schema: 'http://json-schema.org/draft-07/schema#',
		$id: 'not a URI',
		$comment: 'internal',
		type: 'object',
		properties: { a: { type: 'string', 'x-order': 1, nullable: true, xml: {} } },
		discriminator: { propertyName: 'a' },
	});
	expect(inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
});

test('a keyword of a wrong form is left out', () => {
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

test('an argument whose schema is none may be anything', () => {
	for (const schema of [true, 'string', null, 3, []]) expect(sentArgument(schema)).toEqual({});
	expect(sentArgument(false)).toBeUndefined();
});

test('what OpenAI-compatible servers refuse is told in words', () => {
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

test('what they take stays', () => {
	const schema = {
		type: 'string',
		format: 'date-time',
		pattern: '^[a-z]+$',
		maxLength: 100,
		default: 'a',
		title: 'A',
	};
	expect(sentArgument(schema)).toBe(schema);
});

test('what Ollama would lose on the way to the model is told in words', () => {
	expect(sentArgument({ type: 'integer', description: 'A page', minimum: 1, default: 1 }, 'ollama')).toEqual({
		type: 'integer',
		description: 'A page (minimum: 1; default: 1)',
	});
	expect(sentArgument({ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'ollama')).toEqual({
		anyOf: [{ type: 'string' }, { type: 'null' }],
	});
});

test('a union has its type in each alternative', () => {
	expect(sentArgument({ type: 'string', anyOf: [{ format: 'date' }, { enum: ['now'] }] })).toEqual({
		anyOf: [
			{ format: 'date', type: 'string' },
			{ enum: ['now'], type: 'string' },
		],
	});
});

test('required names are known, each once', () => {
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
