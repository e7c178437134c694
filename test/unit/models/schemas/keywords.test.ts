import { expect, test } from 'vitest';
import { parsed, providers, sent, sentArgument } from './asking.ts';

test.each(providers)(
	'%s is sent no keyword about the schema itself, and none that nobody knows',
	(provider) => {
		const { inputSchema } = sent(
			{
				$schema: 'http://json-schema.org/draft-07/schema#',
				$id: 'not a URI',
				$comment: 'internal',
				type: 'object',
				properties: { a: { type: 'string', 'x-order': 1, nullable: true, xml: {} } },
				discriminator: { propertyName: 'a' },
			},
			provider,
		);
		expect(inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
	},
);

test.each(providers)('for %s, a keyword of a wrong form is left out', (provider) => {
	const broken = {
		type: 'string',
		description: 7,
		title: null,
		pattern: {},
		maxLength: '5',
		minLength: -1,
		required: true,
	};
	expect(sentArgument(broken, provider)).toEqual({ type: 'string' });
	expect(sentArgument({ type: 'object', properties: [] }, provider)).toEqual({ type: 'object' });
	expect(sentArgument({ type: 'string', anyOf: [] }, provider)).toEqual({ type: 'string' });
});

test.each(providers)('for %s, an argument whose schema is none may be anything', (provider) => {
	for (const schema of [true, 'string', null, 3, []]) expect(sentArgument(schema, provider)).toEqual({});
	expect(sentArgument(false, provider)).toBeUndefined();
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

test('Anthropic takes what is JSON Schema 2020-12', () => {
	const schema = {
		type: 'string',
		format: 'uri',
		pattern: '^(?!x)\\d+$',
		maxLength: 10_000,
		not: { enum: [''] },
	};
	expect(sentArgument(schema, 'anthropic')).toBe(schema);
	expect(sentArgument({ type: 'string', pattern: '(?i)[' }, 'anthropic')).toEqual({
		type: 'string',
		description: 'pattern: (?i)[',
	});
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
