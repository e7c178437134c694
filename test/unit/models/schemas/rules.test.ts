import { expect, test } from 'vitest';
import { parsed, sent, sentArgument } from './asking.ts';

test('every array has a schema for its items', () => {
	expect(sentArgument({ type: 'array' })).toEqual({ type: 'array', items: {} });
	expect(sentArgument({ type: ['string', 'array'] })).toEqual({ type: ['string', 'array'], items: {} });
	expect(sentArgument({ type: 'array', items: true })).toEqual({ type: 'array', items: {} });
	expect(sentArgument({ type: 'array', items: false })).toEqual({ type: 'array', items: {}, maxItems: 0 });
});

test('a tuple with one kind of item becomes an array of that kind', () => {
	const number = { type: 'number' };
	const point = { type: 'array', items: [number, number], additionalItems: false, minItems: 2 };
	expect(sentArgument(point)).toEqual({ type: 'array', items: number, minItems: 2, maxItems: 2 });
});

test('a tuple with different items describes their order in words', () => {
	const places = {
		type: 'array',
		description: 'A move',
		prefixItems: [{ type: 'string' }, { type: 'number' }],
	};
	expect(sentArgument(places)).toEqual({
		type: 'array',
		description: 'A move (In this order: {"type":"string"}, {"type":"number"})',
		items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
	});
});

test('the values of an enum are unique and match its type', () => {
	expect(sentArgument({ type: 'string', enum: ['a', 'b', 'a', null, 3] })).toEqual({
		type: 'string',
		enum: ['a', 'b'],
	});
	expect(sentArgument({ type: 'string', enum: [1, 2] })).toEqual({ type: 'string', enum: ['1', '2'] });
	expect(sentArgument({ enum: ['a', null] })).toEqual({ type: ['string', 'null'], enum: ['a', null] });
	expect(sentArgument({ type: 'string', enum: [] })).toEqual({ type: 'string' });
	expect(sentArgument({ const: 'x' })).toEqual({ type: 'string', enum: ['x'] });
});

test('an enum that is too large for OpenAI is summarized in the description', () => {
	const zones = Array.from({ length: 1_200 }, (_, at) => `Region/City_${at}`);
	const argument = sentArgument({ type: 'string', description: 'The zone', enum: zones });
	expect(argument).toEqual({ type: 'string', description: expect.any(String) });
	expect(argument).toMatchObject({
		description: expect.stringMatching(/^The zone \(One of 1200 values: Region\/City_0, /),
	});
});

test('all enums of a tool together stay within the number of values that OpenAI accepts', () => {
	const values = Array.from({ length: 400 }, (_, at) => `v${at}`);
	const properties = Object.fromEntries(
		['a', 'b', 'c', 'd'].map((name) => [name, { type: 'string', enum: values }]),
	);
	const { inputSchema } = sent({ type: 'object', properties });
	const kept = Object.values(Object(inputSchema.properties)).filter((schema) => 'enum' in Object(schema));
	expect(kept).toHaveLength(2);
});

test('type names are normalized to those of JSON Schema', () => {
	expect(sentArgument({ type: 'STRING' })).toEqual({ type: 'string' });
	expect(sentArgument({ type: 'dict' })).toEqual({ description: 'type: dict' });
	expect(sentArgument({ type: ['String', 'string', 'null'] })).toEqual({ type: ['string', 'null'] });
	expect(sentArgument({ type: 'any' })).toEqual({});
	expect(sentArgument({ type: 'DATE (YYYY-MM-DD)' })).toEqual({ description: 'type: DATE (YYYY-MM-DD)' });
	expect(sentArgument({ type: [{ toString: 1 }, 'string'] })).toEqual({ type: 'string' });
});

test('invalid numbers are left out', () => {
	const schema = {
		type: 'number',
		minimum: Number.NEGATIVE_INFINITY,
		maximum: Number.NaN,
		multipleOf: 0,
		default: Number.NaN,
	};
	expect(sentArgument(schema)).toEqual({ type: 'number' });
	expect(sentArgument(parsed('{"type":"number","maximum":1e999}'))).toEqual({ type: 'number' });
});

test('texts are valid Unicode', () => {
	expect(sentArgument({ type: 'string', description: 'cut \ud83d' })).toEqual({
		type: 'string',
		description: 'cut \ufffd',
	});
	expect(sentArgument({ type: 'string', enum: ['a', '\ud83d'] })).toEqual({ type: 'string', enum: ['a'] });
});
