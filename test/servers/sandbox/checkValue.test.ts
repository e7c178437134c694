import { describe, expect, test } from 'vitest';
import { checkValue } from '../../../src/sandbox/checkValue.ts';

const schemas = {
	person: {
		type: 'object',
		properties: {
			name: { type: 'string', minLength: 1, maxLength: 5, pattern: '^[A-Z]' },
			age: { type: 'integer', minimum: 0, exclusiveMaximum: 150, multipleOf: 2 },
			tags: { type: 'array', items: { $ref: '#/$defs/tag' }, minItems: 1, maxItems: 2, uniqueItems: true },
			mode: { const: 'r' },
		},
		required: ['name', 'age'],
		additionalProperties: false,
		$defs: { tag: { enum: ['a', 'b', null] } },
	},
	optionalLimit: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
	forms: {
		oneOf: [
			{ type: 'object', required: ['url'] },
			{ type: 'object', required: ['path'] },
		],
	},
	slashed: { properties: { 'a/b ~c': { properties: { 'ä%': { type: 'boolean' } } } } },
};

const faults: [what: string, schema: unknown, value: unknown, ...faults: string[]][] = [
	['missing properties', schemas.person, {}, '"name" and "age" are missing'],
	['a missing property', schemas.person, { name: 'Ada' }, '"age" is missing'],
	['a property of another type', schemas.person, { name: 1, age: 2 }, '/name: expected string, not number'],
	[
		'a fraction',
		schemas.person,
		{ name: 'Ada', age: 2.5 },
		'/age: expected integer, not 2.5',
		'/age: must be a multiple of 2',
	],
	['a number that is too small', schemas.person, { name: 'Ada', age: -2 }, '/age: must be at least 0'],
	['a number that is too large', schemas.person, { name: 'Ada', age: 150 }, '/age: must be less than 150'],
	[
		'an empty text',
		schemas.person,
		{ name: '', age: 2 },
		'/name: needs at least 1 characters',
		'/name: must match the pattern "^[A-Z]"',
	],
	['a long text', schemas.person, { name: 'Adaline', age: 2 }, '/name: may have at most 5 characters'],
	[
		'an unknown property',
		schemas.person,
		{ name: 'Ada', age: 2, nmae: 1 },
		'/nmae: unknown property; known are "name", "age", "tags" and "mode"',
	],
	[
		'a value out of an enumeration, behind a reference',
		schemas.person,
		{ name: 'Ada', age: 2, tags: ['a', 'c'] },
		'/tags/1: expected "a", "b" or null',
	],
	[
		'a list that is too long',
		schemas.person,
		{ name: 'Ada', age: 2, tags: ['a', 'b', null] },
		'/tags: may have at most 2 items',
	],
	[
		'a list with doubles',
		schemas.person,
		{ name: 'Ada', age: 2, tags: ['a', 'a'] },
		'/tags: holds the same item twice',
	],
	['another constant', schemas.person, { name: 'Ada', age: 2, mode: 'w' }, '/mode: expected "r"'],
	['no object at all', schemas.person, [], 'expected object, not array'],
	['null', { type: 'string' }, null, 'expected string, not null'],
	['the form that was meant', schemas.optionalLimit, 0, 'must be at least 1'],
	['no form of the type', schemas.optionalLimit, 'x', 'expected integer or null, not string'],
	['none of several forms', schemas.forms, {}, 'fits none of the 2 forms that are allowed here'],
	['odd names', schemas.slashed, { 'a/b ~c': { 'ä%': 1 } }, '/a/b ~c/ä%: expected boolean, not number'],
	['an excluded form', { not: { type: 'string' } }, 'x', 'has a form that is not allowed here'],
	['a schema that allows nothing', { properties: { a: false } }, { a: 1 }, '/a: is not allowed here'],
	[
		'no item of a kind',
		{ contains: { const: 1 } },
		[2],
		'needs an item of the kind that "contains" describes',
	],
	['a format', { format: 'date' }, 'tomorrow', 'must be a date, written YYYY-MM-DD, such as 2026-01-31'],
	['a condition', { if: { required: ['a'] }, else: { required: ['b'] } }, {}, '"b" is missing'],
	[
		'a property that demands another',
		{ dependentRequired: { a: ['b'] } },
		{ a: 1 },
		'Instance has "a" but does not have "b".',
	],
];

describe('given an invalid value, then each fault is reported with its path', () => {
	test.each(faults)('%s', (_what, schema, value, ...told) => {
		expect(checkValue(schema, value)).toEqual({ kind: 'invalid', faults: told });
	});

	test('when there are more than five faults, then five are reported', () => {
		const outcome = checkValue({ items: { type: 'string' } }, [1, 2, 3, 4, 5, 6, 7]);
		expect(outcome).toMatchObject({ faults: { length: 5 } });
	});

	test('when a fault is long, then it is truncated', () => {
		const outcome = checkValue(
			{ properties: { ['a'.repeat(1000)]: { const: 'b'.repeat(1000) } } },
			{ ['a'.repeat(1000)]: 1 },
		);
		expect(outcome.kind === 'invalid' && outcome.faults[0]?.length).toBe(301);
	});
});

describe('given a valid value, then it is accepted', () => {
	test.each([
		['by every keyword', schemas.person, { name: 'Ada', age: 36, tags: ['a', null], mode: 'r' }],
		['in one of several forms', schemas.forms, { path: 'x' }],
		['in several forms', schemas.forms, { url: '', path: '' }],
		[
			'under a reference into forms',
			{ prefixItems: [{ oneOf: [{ type: 'string' }] }, { $ref: '#/prefixItems/0/oneOf/0' }] },
			['a', 'b'],
		],
		['under a format within, which is a note', { items: { format: 'date-time' } }, ['2026-01-31T14:30']],
		['under a schema that says nothing', {}, { a: [1] }],
		['under a format that nobody knows', { format: 'constructor' }, 'x'],
	])('%s', (_what, schema, value) => {
		expect(checkValue(schema, value)).toEqual({ kind: 'valid' });
	});

	test('property names that JavaScript reserves are treated like any other', () => {
		const schema = JSON.parse(
			'{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}, "required": ["toString"]}',
		);
		expect(checkValue(schema, JSON.parse('{"toString": 1, "__proto__": "a"}'))).toEqual({ kind: 'valid' });
		expect(checkValue(schema, JSON.parse('{"constructor": 1}'))).toEqual({
			kind: 'invalid',
			faults: ['"toString" is missing', '/constructor: expected string, not number'],
		});
	});
});

describe('the schema is read by the draft that it names', () => {
	const exclusive = (uri: string | undefined) => ({
		...(uri && { $schema: uri }),
		minimum: 1,
		exclusiveMinimum: true,
	});
	const tuple = (uri: string | undefined) => ({
		...(uri && { $schema: uri }),
		$ref: '#/$defs/n',
		type: 'string',
		$defs: { n: {} },
	});

	test('draft 4 has boolean exclusive bounds', () => {
		expect(checkValue(exclusive('http://json-schema.org/draft-04/schema#'), 1).kind).toBe('invalid');
	});

	test.each([
		['an excluded bound', { minimum: 0, exclusiveMinimum: true }, 1, 0],
		['a bound that is not excluded', { maximum: 5, exclusiveMaximum: false }, 5, 6],
		['a type or null', { type: 'string', nullable: true }, null, 1],
		['values or null', { type: 'string', enum: ['a'], nullable: true }, null, 'b'],
		[
			'a reference or null',
			{ items: { $ref: '#/$defs/n', nullable: true }, $defs: { n: { type: 'string' } } },
			[null],
			[1],
		],
		['forms or null', { oneOf: [{ type: 'string' }, { type: 'object' }], nullable: true }, null, 1],
	])('OpenAPI 3.0 is read whatever the draft: %s', (_what, schema, valid, invalid) => {
		expect([valid, invalid].map((value) => checkValue(schema, value).kind)).toEqual(['valid', 'invalid']);
	});

	test.each([
		['http://json-schema.org/draft-06/schema#', 'valid'],
		['http://json-schema.org/draft-07/schema#', 'valid'],
		['https://json-schema.org/draft/2019-09/schema', 'invalid'],
		['https://json-schema.org/draft/2020-12/schema', 'invalid'],
		['https://example.com/my-own', 'invalid'],
		[undefined, 'invalid'],
	])('with %s, a keyword next to a reference makes the value %s', (uri, kind) => {
		expect(checkValue(tuple(uri), 1).kind).toBe(kind);
	});
});

describe('given a schema with what means nothing, then the rest is checked', () => {
	const properties = (field: object) => ({ type: 'object', properties: { a: field } });
	test.each([
		[
			'null for names (anthropics/claude-code#44364)',
			{ ...properties({}), required: null },
			{ a: 1 },
			'valid',
		],
		['null for properties', { type: 'object', properties: null }, { a: 1 }, 'valid'],
		['null for values', properties({ type: 'string', enum: null, default: null }), { a: 'x' }, 'valid'],
		['null for values, and a fault', properties({ type: 'string', enum: null }), { a: 1 }, 'invalid'],
		['null as the only value', properties({ const: null }), { a: 1 }, 'invalid'],
		['null among values', properties({ enum: ['x', null] }), { a: null }, 'valid'],
		[
			'a type that JSON has not (zanetworker/mcp-docling#5, can4hou6joeng4/boss-agent-cli#367)',
			properties({ type: 'int' }),
			{ a: 1 },
			'valid',
		],
		['a type in capitals', properties({ type: 'STRING' }), { a: 1 }, 'invalid'],
		[
			'a property called type',
			{ type: 'object', properties: { type: { type: 'string' } } },
			{ type: 1 },
			'invalid',
		],
	])('%s', (_what, schema, value, kind) => {
		expect(checkValue(schema, value).kind).toBe(kind);
	});
});

describe('given a schema that cannot be evaluated, then the value is not checked', () => {
	test.each([
		[
			'a reference to the network',
			{ $ref: 'https://example.com/schema' },
			/cannot be evaluated: Unresolved \$ref/,
		],
		['a reference to nothing', { $ref: '#/$defs/none' }, /cannot be evaluated/],
		['a reference to itself', { $ref: '#' }, /cannot be evaluated/],
		['a broken pattern', { pattern: '(' }, /cannot be evaluated/],
		['a list', [], /not an object/],
		['null', null, /not an object/],
	])('%s', (_what, schema, reason) => {
		expect(checkValue(schema, 'x')).toEqual({ kind: 'unchecked', reason: expect.stringMatching(reason) });
	});
});
