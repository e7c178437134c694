import { describe, expect, test } from 'vitest';
import type { Parameter } from '../../../../src/vscode/run/form.ts';
import { formOf } from '../../../../src/vscode/run/form.ts';

/** The only parameter of a tool, of which the schema says this. */
function parameter(schema: unknown, more: object = {}): Parameter {
	const [only] = formOf({ type: 'object', properties: { it: schema }, ...more }).parameters;
	if (!only) throw new Error('nothing is asked for');
	return only;
}

const asking = (schema: unknown, more: object = {}) => parameter(schema, more).asking;
const required = { required: ['it'] };

describe('what a tool asks for', () => {
	test('is asked for with what is required first, else in the order of the schema', () => {
		const properties = { a: {}, b: { type: 'string' }, c: {}, d: {} };
		const { parameters, open } = formOf({ type: 'object', properties, required: ['d', 'b'] });
		expect(parameters.map(({ name, required }) => [name, required])).toEqual([
			['b', true],
			['d', true],
			['a', false],
			['c', false],
		]);
		expect(open).toBe(false);
	});

	test('is asked for as JSON where a required name has no schema', () => {
		const { parameters } = formOf({ type: 'object', required: ['lost'] });
		expect(parameters).toMatchObject([
			{ name: 'lost', required: true, asking: { kind: 'json', type: 'any' } },
		]);
	});

	test('is nothing for a tool without parameters, and all at once for one that does not list them', () => {
		expect(formOf({ type: 'object', properties: {} })).toMatchObject({ parameters: [], open: false });
		expect(formOf({ type: 'object', additionalProperties: { type: 'string' } }).open).toBe(true);
		expect(formOf({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }).open).toBe(true);
	});
});

describe('a parameter is asked for', () => {
	test.each([
		['a text', { type: 'string' }, { kind: 'text' }],
		['a whole number', { type: 'integer' }, { kind: 'number' }],
		['true or false', { type: 'boolean' }, { kind: 'boolean' }],
		['texts in a row', { type: 'array', items: { type: 'string' } }, { kind: 'list', of: 'text' }],
		['numbers in a row', { type: 'array', items: { type: 'integer' } }, { kind: 'list', of: 'number' }],
		['a text without a type', { pattern: '^a' }, { kind: 'text' }],
		['anything', true, { kind: 'json', type: 'any' }],
	])('as %s', (_, schema, expected) => {
		expect(asking(schema, required)).toEqual(expected);
	});

	test('as one of an enumeration, with what each value means', () => {
		const described = { enum: ['r', 7, null], enumDescriptions: ['reads', 'lucky'] };
		expect(asking(described, required)).toEqual({
			kind: 'choice',
			options: [
				{ value: 'r', label: 'r', description: 'reads' },
				{ value: 7, label: '7', description: 'lucky' },
				{ value: null, label: 'null' },
			],
		});
		const titled = { oneOf: [{ const: 'r', title: 'Read' }, { const: 'w' }] };
		expect(asking(titled)).toEqual({
			kind: 'choice',
			options: [
				{ value: 'r', label: 'r', description: 'Read' },
				{ value: 'w', label: 'w' },
			],
		});
	});

	test('as some of an enumeration', () => {
		expect(asking({ type: 'array', items: { enum: ['a', 'a', 'b'] } })).toEqual({
			kind: 'choices',
			options: [
				{ value: 'a', label: 'a' },
				{ value: 'b', label: 'b' },
			],
		});
	});

	test('by its kind first where it can be of several, each once', () => {
		expect(asking({ type: ['string', 'number', 'integer'] })).toEqual({
			kind: 'forms',
			forms: [{ kind: 'text' }, { kind: 'number' }],
		});
		expect(asking({ anyOf: [{ type: 'string' }, { type: 'null' }] }, required)).toEqual({
			kind: 'forms',
			forms: [{ kind: 'text' }, { kind: 'null' }],
		});
	});

	test('never for nothing where it can be left out', () => {
		expect(asking({ anyOf: [{ type: 'string' }, { type: 'null' }], default: null })).toEqual({
			kind: 'text',
		});
		expect(asking({ type: ['integer', 'null'] })).toEqual({ kind: 'number' });
	});

	test('as JSON with what it needs at least, where it has parts', () => {
		const item = {
			type: 'object',
			properties: {
				name: { type: 'string' },
				size: { type: 'integer', minimum: 3 },
				note: { type: 'string' },
			},
			required: ['name', 'size'],
		};
		expect(asking(item)).toEqual({ kind: 'json', type: 'object', skeleton: '{"name":"","size":3}' });
		expect(asking({ type: 'array', items: item })).toEqual({
			kind: 'json',
			type: 'array',
			skeleton: '[{"name":"","size":3}]',
		});
	});

	test('by what its reference leads to, and never without end', () => {
		const more = {
			$defs: { mode: { $ref: '#/$defs/modes' }, modes: { enum: ['r'] }, ring: { $ref: '#/$defs/ring' } },
		};
		expect(asking({ $ref: '#/$defs/mode' }, more)).toMatchObject({ kind: 'choice' });
		expect(asking({ allOf: [{ $ref: '#/$defs/mode' }] }, more)).toMatchObject({ kind: 'choice' });
		expect(asking({ $ref: '#/$defs/ring' }, more)).toEqual({ kind: 'json', type: 'any' });
		expect(asking({ $ref: 'https://a.example/schema' })).toEqual({ kind: 'json', type: 'any' });
	});
});

describe('beside its kind, a parameter tells', () => {
	test('what its values must be', () => {
		expect(parameter({ type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 }).rules).toEqual([
			'whole number',
			'1 to 10',
			'a multiple of 2',
		]);
		expect(parameter({ type: 'string', minLength: 3, format: 'email' }).rules).toEqual([
			'email address',
			'at least 3 characters',
		]);
		expect(parameter({ type: 'array', items: { type: 'string' }, maxItems: 2 }).rules).toEqual([
			'at most 2 items',
		]);
	});

	test('its default and an example', () => {
		expect(parameter({ type: 'string', default: 'x', examples: ['y', 'z'] })).toMatchObject({
			default: 'x',
			example: 'y',
		});
		expect(parameter({ type: 'string', default: null })).not.toHaveProperty('default');
	});

	test.each([
		['api_key', {}, true],
		['accessToken', {}, true],
		['it', { format: 'password' }, true],
		['max_tokens', {}, false],
	])('whether it is secret: %s', (name, more, secret) => {
		const { parameters } = formOf({ type: 'object', properties: { [name]: { type: 'string', ...more } } });
		expect(parameters[0]?.secret).toBe(secret);
	});
});
