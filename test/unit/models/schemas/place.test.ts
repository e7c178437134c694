import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import { sent } from './asking.ts';

const person = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

test('a reference is replaced by its definition', () => {
	const schema = {
		type: 'object',
		properties: {
			by: { $ref: '#/$defs/person' },
			for: { $ref: '#/definitions/a~1b%20c' },
			also: { $ref: '#/properties/by' },
		},
		$defs: { person },
		definitions: { 'a/b c': person },
	};
	const { inputSchema } = sent(schema);
	expect(inputSchema).toEqual({ type: 'object', properties: { by: person, for: person, also: person } });
});

test('keywords next to a reference are merged into the definition', () => {
	const { inputSchema } = sent({
		properties: { count: { $ref: '#/$defs/count', description: 'How many', maximum: 5, default: 2 } },
		$defs: { count: { type: 'integer', minimum: 1, maximum: 9, description: 'A count' } },
	});
	expect(inputSchema.properties).toEqual({
		count: { description: 'How many', maximum: 5, default: 2, type: 'integer', minimum: 1 },
	});
});

test('the whole schema may be a reference', () => {
	expect(sent({ $ref: '#/definitions/args', definitions: { args: person } }).inputSchema).toEqual(person);
});

test('a recursive definition is named where it repeats', () => {
	const node = {
		type: 'object',
		properties: { value: {}, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
	};
	const { inputSchema } = sent({ properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node } });
	const items = { type: 'object', description: 'Like node above' };
	expect(inputSchema.properties).toEqual({
		tree: { type: 'object', properties: { value: {}, children: { type: 'array', items } } },
	});
});

test('circular references, and references to the whole schema, terminate', () => {
	const circle = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
	expect(
		sent({ properties: { x: { $ref: '#/$defs/a' }, y: { $ref: '#' } }, $defs: circle }).inputSchema,
	).toMatchObject({
		properties: { x: {}, y: { type: 'object' } },
	});
	const { inputSchema, description } = sent({ $ref: '#' });
	expect(inputSchema).toEqual({ type: 'object', properties: {} });
	expect(description).toContain('Like the whole above');
});

test('a reference to outside of the schema is named and never fetched', () => {
	const { inputSchema } = sent({
		properties: { schema: { $ref: 'https://json-schema.org/draft-07/schema' } },
	});
	expect(inputSchema.properties).toEqual({
		schema: { description: 'Defined as https://json-schema.org/draft-07/schema' },
	});
	const whole = sent({ $ref: 'https://example.com/args.json' });
	expect(whole.inputSchema).toEqual({ type: 'object', properties: {} });
	expect(whole.description).toContain('Defined as https://example.com/args.json');
});

test('references resolve to own properties only', () => {
	const { inputSchema } = sent({
		properties: { a: { $ref: '#/__proto__' }, b: { $ref: '#/constructor/prototype' } },
	});
	expect(inputSchema.properties).toEqual({
		a: { description: 'Defined as #/__proto__' },
		b: { description: 'Defined as #/constructor/prototype' },
	});
});

test('definitions that would make a schema very large are expanded less deeply', () => {
	const wide = (next?: string): JsonSchema => ({
		type: 'object',
		properties: Object.fromEntries(
			Array.from({ length: 30 }, (_, at) => [`property${at}`, next ? { $ref: next } : { type: 'string' }]),
		),
	});
	const $defs = { one: wide('#/$defs/two'), two: wide('#/$defs/three'), three: wide() };
	const { inputSchema } = sent({ properties: { top: { $ref: '#/$defs/one' } }, $defs });
	expect(JSON.stringify(inputSchema).length).toBeLessThan(25_000);
	expect(inputSchema).toMatchObject({
		properties: { top: { properties: { property0: { type: 'object' } } } },
	});
});
