import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import { checkValue } from '../../../../src/sandbox/checkValue.ts';
import { answersOf, argumentsOf } from '../../../../src/vscode/run/answers.ts';
import { formOf } from '../../../../src/vscode/run/parameters.ts';
import { stepsOf } from '../../../../src/vscode/ui/inputs/formAnswers.ts';
import { placeholderOf, promptOf } from '../../../../src/vscode/ui/inputs/parameter.ts';
import { runs } from '../../../effort.ts';

const keyword = fc.constantFrom(
	...[
		'type',
		'properties',
		'required',
		'items',
		'enum',
		'const',
		'default',
		'anyOf',
		'oneOf',
		'allOf',
		'$ref',
	],
	...[
		'$defs',
		'pattern',
		'format',
		'minimum',
		'examples',
		'description',
		'title',
		'__proto__',
		'constructor',
		'a',
	],
);
const leaf = fc.oneof(
	fc.jsonValue({ maxDepth: 2 }),
	fc.constantFrom('string', 'object', 'array', 'integer', '#', '#/$defs/a', '#/properties/a', [
		'string',
		'null',
	]),
);
const { anySchema } = fc.letrec<{ anySchema: unknown; object: object }>((tie) => ({
	anySchema: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), fc.array(tie('object'), { maxLength: 3 })),
	object: fc
		.array(fc.tuple(keyword, tie('anySchema')), { maxLength: 6 })
		.map((entries) => Object.fromEntries(entries)),
}));

test('any schema becomes a form whose questions can be shown', () => {
	fc.assert(
		fc.property(anySchema, fc.option(anySchema, { nil: undefined }), (schema, properties) => {
			const form = formOf({ ...(schema as JsonSchema), ...(properties !== undefined && { properties }) });
			const names = form.parameters.map(({ name }) => name);
			for (const parameter of form.parameters) {
				expect(typeof promptOf(parameter)).toBe('string');
				expect(typeof placeholderOf(parameter)).toBe('string');
				expect(() => JSON.stringify(parameter.skeleton)).not.toThrow();
			}
			expect(new Set(names).size).toBe(names.length);
			expect(stepsOf(form.parameters, { chosen: new Set(names) }).length).toBeGreaterThanOrEqual(
				names.length,
			);
		}),
		{ numRuns: runs(100) },
	);
});

/** Schemas as servers have them, each with a value that fits. */
const text = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((it) => it !== '""');
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((it) => !Object.is(it, -0));
const simple = fc.oneof(
	text.map((value) => ({ schema: { type: 'string', minLength: 1 }, value })),
	fc.constant({ schema: { type: 'string' }, value: '' }),
	number.map((value) => ({ schema: { type: 'number', minimum: value }, value })),
	fc.maxSafeInteger().map((value) => ({ schema: { type: 'integer', maximum: value }, value: value || 0 })),
	fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
	fc
		.uniqueArray(fc.oneof(text, number), { minLength: 1, maxLength: 5 })
		.map((values) => ({ schema: { enum: values }, value: values[0] })),
	fc.array(text).map((value) => ({ schema: { type: 'array', items: { type: 'string' } }, value })),
	fc.array(number).map((value) => ({ schema: { type: 'array', items: { type: 'number' } }, value })),
	text.map((value) => ({ schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, value })),
	fc
		.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
		.map((value) => JSON.parse(JSON.stringify({ schema: { type: 'object' }, value }))),
);

test('any value that matches a simple schema can be picked or typed, and the input matches the schema', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), simple, { maxKeys: 4 }), (parts) => {
			const parameters = Object.entries(parts);
			const schema = {
				type: 'object',
				properties: Object.fromEntries(parameters.map(([name, { schema }]) => [name, schema])),
				required: parameters.map(([name]) => name),
				additionalProperties: false,
			};
			const wanted = Object.fromEntries(parameters.map(([name, { value }]) => [name, value]));
			const form = formOf(schema);
			for (const { name, input } of form.parameters) {
				if (input.kind !== 'choice') continue;
				expect(input.options.map(({ value }) => value)).toContainEqual(wanted[name]);
			}
			const args = argumentsOf(form, answersOf(form, wanted));
			expect(args).toEqual(wanted);
			expect(checkValue(schema, args)).toEqual({ kind: 'valid' });
		}),
		{ numRuns: runs(60) },
	);
});
