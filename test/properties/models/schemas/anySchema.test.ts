import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import { runs } from '../../../effort.ts';
import {
	parsed,
	providers,
	reasonFor,
	sendableTools,
	sent,
	tool,
} from '../../../unit/models/schemas/asking.ts';
import { refusals } from './refusals.ts';

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
		'not',
	],
	...['if', 'then', '$ref', '$defs', 'definitions', 'prefixItems', 'additionalItems', 'additionalProperties'],
	...['pattern', 'format', 'minimum', 'exclusiveMinimum', 'maxLength', 'multipleOf', 'description', 'title'],
	...[
		'patternProperties',
		'dependencies',
		'dependentRequired',
		'propertyNames',
		'$schema',
		'$id',
		'nullable',
	],
	...['__proto__', 'constructor', 'toString', 'a', 'x y'],
);
const leaf = fc.oneof(
	fc.jsonValue({ maxDepth: 2 }),
	fc.string({ unit: 'binary' }),
	fc.constantFrom(
		...[
			'string',
			'object',
			'array',
			'STRING',
			'dict',
			'any',
			'#',
			'#/$defs/a',
			'#/properties/a',
			'https://a.example/b',
		],
		...['^(?=a)', '^a$', '[', 'date-time', 'uri'],
	),
	fc.constantFrom<unknown>(
		Number.NaN,
		Number.POSITIVE_INFINITY,
		1e308,
		-0,
		['string', 'null'],
		['a', 'a'],
		[{ toString: 1 }],
	),
);
/** Anything that a server might send, and more. */
const hostile = fc.letrec((tie) => ({
	schema: fc.dictionary(
		keyword,
		fc.oneof({ depthSize: 'small' }, leaf, tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
		{ maxKeys: 6 },
	),
})).schema as fc.Arbitrary<JsonSchema>;

const scalar = fc.constantFrom<JsonSchema>(
	{ type: 'string' },
	{ type: 'string', enum: ['a', 'b', 'a'] },
	{ type: 'integer', minimum: 1 },
	{ minimum: 2, exclusiveMinimum: 4 },
	{ type: ['string', 'null'], maxLength: 3 },
	{ type: 'boolean' },
	{ const: 'a' },
	{ enum: [1, 'a', null] },
	{ $ref: '#/$defs/named' },
	{ $ref: '#/$defs/named', description: 'its name' },
	{},
);
const agreeing = fc.constantFrom<JsonSchema>({ type: 'integer', maximum: 5 }, { enum: [1, 5, 'a'] }, {});
/** What well-meaning servers send; every rule for these is exact, or allows less than the server does. */
const sane = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
	schema: fc.oneof(
		{ depthSize: 'small' },
		scalar,
		tie('object'),
		fc.record({ type: fc.constant('array'), items: tie('schema') }, { requiredKeys: ['type'] }),
		fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
		fc.record({ allOf: fc.tuple(fc.constantFrom({ type: 'number' }, { minimum: 3 }), agreeing) }),
	),
	object: fc.record(
		{
			type: fc.constant('object'),
			properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('schema'), { maxKeys: 3 }),
			required: fc.array(fc.constantFrom('a', 'b', 'z'), { maxLength: 3 }),
			additionalProperties: fc.constantFrom<unknown>(true, { type: 'string' }),
		},
		{ requiredKeys: ['type', 'properties'] },
	),
})).object;
const input = fc.object({
	key: fc.constantFrom('a', 'b', 'c', 'z'),
	maxDepth: 3,
	values: [fc.constantFrom<unknown>('a', 'b', 'long text', 1, 5, 1.5, true, null, [], ['a'], [1], {})],
});

test.each([...providers, 'gemini'] as const)(
	'whatever schema a server sends, %s accepts the tool that we send',
	(provider) => {
		fc.assert(
			fc.property(fc.oneof(hostile, sane), (schema) => {
				const before = JSON.stringify(schema);
				const { tools, dropped } = sendableTools([tool(schema)], provider);
				expect(tools.length + dropped.length).toBe(1);
				for (const kept of tools) expect(refusals(kept, provider)).toEqual([]);
				for (const { reason } of dropped) expect(reason).toMatch(/^[A-Z].*\.$/s);
				expect(JSON.stringify(schema)).toBe(before);
			}),
			{ numRuns: runs(40) },
		);
	},
);

test.each(providers)('a schema prepared for %s does not change when it is prepared again', (provider) => {
	fc.assert(
		fc.property(sane, (schema) => {
			const { inputSchema } = sent(schema, provider);
			expect(sent(structuredClone(inputSchema), provider).inputSchema).toEqual(inputSchema);
		}),
		{ numRuns: runs(40) },
	);
});

// Ollama knows no bounds: they are in words.
test('arguments that match the schema sent to OpenAI also match the server’s schema', () => {
	let admitted = 0;
	fc.assert(
		fc.property(sane, input, (schema, args) => {
			const original = { ...schema, $defs: { named: { type: 'string', maxLength: 4 } } };
			const { inputSchema } = sent(parsed(JSON.stringify(original)));
			if (!isValid(inputSchema, args)) return;
			admitted += 1;
			expect(isValid(original, args), JSON.stringify({ original, inputSchema, args })).toBe(true);
		}),
		{ numRuns: runs(120) },
	);
	expect(admitted).toBeGreaterThan(5);
});

function isValid(schema: JsonSchema, args: unknown): boolean {
	return new Validator(schema, '2020-12', true).validate(args).valid;
}

const tooLarge = 'Its schema is too large.';

/** Each definition refers to the next one many times: written out, it would have `breadth ** depth` parts. */
function bomb(
	breadth: number,
	depth: number,
	part: (references: readonly JsonSchema[]) => JsonSchema,
): JsonSchema {
	const $defs = Object.fromEntries(
		Array.from({ length: depth }, (_, at) => [
			`d${at}`,
			part(Array.from({ length: breadth }, () => ({ $ref: `#/$defs/d${at + 1}` }))),
		]),
	);
	return { type: 'object', properties: { boom: { $ref: '#/$defs/d0' } }, $defs };
}

test.each([
	['properties', (all: readonly JsonSchema[]) => ({ properties: { ...all } })],
	['anyOf', (all: readonly JsonSchema[]) => ({ anyOf: all })],
	['allOf', (all: readonly JsonSchema[]) => ({ allOf: all })],
	['tuples', (all: readonly JsonSchema[]) => ({ type: 'array', items: all })],
	['dependencies', (all: readonly JsonSchema[]) => ({ dependencies: { ...all } })],
] as const)('a schema bomb of %s stays small', (_, part) => {
	const { inputSchema } = sent(bomb(40, 40, part));
	expect(JSON.stringify(inputSchema).length).toBeLessThan(100_000);
});

test('nesting is cut where the provider rejects it or the stack would overflow', () => {
	for (const [open, close] of [
		['{"type":"object","properties":{"a":', '}}'],
		['{"type":"array","items":', '}'],
		['{"anyOf":[', ']}'],
		['{"not":', '}'],
		['{"allOf":[', ']}'],
	] as const) {
		const deep = parsed(`{"properties":{"top":${open.repeat(3_000)}{}${close.repeat(3_000)}}}`);
		expect(refusals(sent(deep), 'openai')).toEqual([]);
	}
	const value = parsed(`{"properties":{"a":{"default":${'['.repeat(3_000)}${']'.repeat(3_000)}}}}`);
	expect(sent(value).inputSchema.properties).toEqual({ a: {} });
});

test('a schema that is cut keeps its type, description and values', () => {
	const wrap = (schema: JsonSchema, times: number): JsonSchema =>
		times === 0 ? schema : { type: 'object', properties: { in: wrap(schema, times - 1) } };
	const deep = wrap({ type: 'array', description: 'Many', items: wrap({ type: 'string' }, 3) }, 9);
	const kept = wrap({ type: 'array', description: 'Many', items: {} }, 9);
	expect(sent(deep).inputSchema).toEqual(kept);
});

test('a tool with an extremely large schema is dropped', () => {
	const names = Array.from({ length: 12_000 }, (_, at) => [`property_${at}`, { type: 'string' }]);
	expect(reasonFor({ type: 'object', properties: Object.fromEntries(names) })).toBe(tooLarge);
	const text = {
		type: 'object',
		properties: { a: { default: 'x'.repeat(150_000), const: 'x'.repeat(150_000) } },
	};
	expect(reasonFor(text)).toBe(tooLarge);
});

test('a tool that is too large does not affect the others', () => {
	const names = Array.from({ length: 30_000 }, (_, at) => [`property_${at}`, {}]);
	const large = { ...tool({ properties: Object.fromEntries(names) }), name: 'large' };
	const small = tool({ type: 'object', properties: {} });
	expect(sendableTools([large, small], 'openai')).toEqual({
		tools: [small],
		dropped: [{ name: 'large', reason: tooLarge }],
	});
});

test('long references that are resolved many times count towards the limit', () => {
	const $ref = `#/${'x/'.repeat(50_000)}`;
	const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { $ref }]));
	expect(reasonFor({ properties })).toBe(tooLarge);
});
