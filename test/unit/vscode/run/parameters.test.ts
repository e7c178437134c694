import { describe, expect, test } from 'vitest';
import { formOf } from '../../../../src/vscode/run/parameters.ts';
import {
	optionalLabel,
	type Parameter,
	placeholderOf,
	promptOf,
} from '../../../../src/vscode/ui/inputs/parameter.ts';

/** The only parameter of a tool, of which the schema says this. */
function parameter(schema: unknown, more: object = {}): Parameter {
	const [only] = formOf({ type: 'object', properties: { it: schema }, ...more }).parameters;
	if (!only) throw new Error('nothing is asked for');
	return only;
}

const inputOf = (schema: unknown, more: object = {}) => parameter(schema, more).input;
const required = { required: ['it'] };
const anything = { kind: 'json', of: 'any' };

describe('the input form of a tool', () => {
	test('lists required parameters first, otherwise in the order of the schema', () => {
		const properties = { a: {}, b: { type: 'string' }, c: {}, d: {} };
		const { parameters } = formOf({ type: 'object', properties, required: ['d', 'b'] });
		expect(parameters.map(({ name, required }) => [name, required])).toEqual([
			['b', true],
			['d', true],
			['a', false],
			['c', false],
		]);
	});

	test('accepts any JSON for a required parameter without a schema', () => {
		const { parameters } = formOf({ type: 'object', required: ['lost'] });
		expect(parameters).toMatchObject([{ name: 'lost', required: true, input: anything }]);
	});

	test('is empty for a tool without parameters', () => {
		expect(formOf({ type: 'object', properties: {} })).toMatchObject({ kind: 'parameters', parameters: [] });
	});

	test.each([
		[{ type: 'object', additionalProperties: { type: 'string' } }],
		[{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
		[{ additionalProperties: true }],
	])('is one JSON object if the schema lists no parameters: %j', (schema) => {
		expect(formOf(schema)).toMatchObject({
			kind: 'whole',
			parameters: [{ name: 'arguments', required: true, input: { kind: 'json', of: 'object' } }],
		});
	});
});

describe('the input of a parameter', () => {
	test.each([
		['a text', { type: 'string' }, { kind: 'text' }],
		['a whole number', { type: 'integer' }, { kind: 'number' }],
		['true or false', { type: 'boolean' }, { kind: 'boolean' }],
		['a JSON object', { properties: {} }, { kind: 'json', of: 'object' }],
		['a JSON list', { type: 'array', items: { type: 'string' } }, { kind: 'json', of: 'array' }],
		['a text without a type', { pattern: '^a' }, { kind: 'text' }],
		['anything', true, anything],
		['one of several types', { type: ['string', 'number'] }, anything],
		['a text or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, anything],
	])('is %s, as its schema says', (_, schema, expected) => {
		expect(inputOf(schema, required)).toEqual(expected);
	});

	test('is a choice for an enumeration, with the meaning of each value', () => {
		const described = { enum: ['r', 7, null, 'r'], enumDescriptions: ['reads', 'lucky', null, 'reads'] };
		expect(inputOf(described, required)).toEqual({
			kind: 'choice',
			options: [
				{ value: 'r', label: 'r', description: 'reads' },
				{ value: 7, label: '7', description: 'lucky' },
				{ value: null, label: 'null' },
			],
		});
		const titled = { oneOf: [{ const: 'r', title: 'Read' }, { const: 'w' }] };
		expect(inputOf(titled)).toEqual({
			kind: 'choice',
			options: [
				{ value: 'r', label: 'Read', description: 'r' },
				{ value: 'w', label: 'w' },
			],
		});
	});

	test('does not offer null if the parameter can be omitted', () => {
		const text = { anyOf: [{ type: 'string' }, { type: 'null' }] };
		expect(inputOf({ ...text, default: null })).toEqual({ kind: 'text' });
		expect(inputOf({ type: ['integer', 'null'] })).toEqual({ kind: 'number' });
		expect(inputOf({ anyOf: [{ enum: ['r'] }, { type: 'null' }] })).toMatchObject({ kind: 'choice' });
		expect(inputOf({ ...text, default: 'x' })).toEqual(anything);
	});

	test('starts with the required properties if it is JSON', () => {
		const item = {
			type: 'object',
			properties: {
				name: { type: 'string' },
				size: { type: 'integer', minimum: 3 },
				note: { type: 'string' },
				kind: { enum: ['a', 'b'] },
				parts: { type: 'array', items: { $ref: '#/$defs/item' } },
			},
			required: ['name', 'size', 'kind'],
		};
		const more = { ...required, $defs: { item } };
		const skeleton = { name: '', size: 3, kind: 'a' };
		expect(parameter({ $ref: '#/$defs/item' }, more).skeleton).toEqual(skeleton);
		expect(parameter({ type: 'array', items: item }, more).skeleton).toEqual([skeleton]);
		expect(parameter(item)).not.toHaveProperty('skeleton');
	});

	test('follows references in the schema, even circular ones', () => {
		const more = {
			$defs: { mode: { $ref: '#/$defs/modes' }, modes: { enum: ['r'] }, ring: { $ref: '#/$defs/ring' } },
		};
		expect(inputOf({ $ref: '#/$defs/mode' }, more)).toMatchObject({ kind: 'choice' });
		expect(inputOf({ allOf: [{ $ref: '#/$defs/mode' }] }, more)).toMatchObject({ kind: 'choice' });
		expect(inputOf({ $ref: '#/$defs/ring' }, more)).toEqual(anything);
		expect(inputOf({ $ref: 'https://a.example/schema' })).toEqual(anything);
		expect(inputOf({ $ref: '#an-anchor' }, more)).toEqual(anything);
	});
});

describe('a parameter', () => {
	test('has its default and an example', () => {
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
	])('is secret if its name or format says so: %s', (name, more, secret) => {
		const { parameters } = formOf({ type: 'object', properties: { [name]: { type: 'string', ...more } } });
		expect(parameters[0]?.secret).toBe(secret);
	});
});

describe('the prompt for a parameter', () => {
	test('describes its kind', () => {
		const schemas = [
			{ type: 'string', description: 'Where' },
			{ type: 'number', description: 'How many?' },
			{ type: 'boolean' },
			{ type: 'string', format: 'date' },
			{ enum: ['a', 'b'] },
			{ type: 'array' },
			{ type: ['string', 'number'] },
		];
		expect(schemas.map((schema) => promptOf(parameter(schema, required)))).toMatchSnapshot();
	});

	test.each([
		[{ type: 'string' }, 'it: Stored in a safe.'],
		[{ type: 'string', description: 'Your key' }, 'it: Your key. Stored in a safe.'],
		[{ type: 'number', description: 'How many?' }, 'it (number): How many? Stored in a safe.'],
	])('ends with a note, if there is one: %j', (schema, prompt) => {
		expect(promptOf(parameter(schema, required), 'Stored in a safe.')).toBe(prompt);
	});

	test('says how to omit an optional parameter', () => {
		const depth = parameter({ type: 'number', default: 5, description: 'Depth', examples: [7] });
		const deep = parameter({ type: 'boolean', default: false });
		const mode = parameter({ enum: ['r', 'w'], enumNames: ['Read', 'Write'], default: 'w' });
		expect([promptOf(depth), placeholderOf(depth)]).toMatchSnapshot();
		expect([depth, deep, mode].map(optionalLabel)).toMatchSnapshot();
	});
});
