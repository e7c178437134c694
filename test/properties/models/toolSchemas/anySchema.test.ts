import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/discovery/tool.ts';
import { sendableTools } from '../../../../src/models/toolSchemas/sendableTools.ts';
import { parsed, providers, sent, tool } from '../../../unit/models/toolSchemas/asking.ts';
import { refusals } from '../../../unit/models/toolSchemas/refusals.ts';

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

test.each(providers)('whatever a server sends, %s takes what is left of it', (provider) => {
	fc.assert(
		fc.property(hostile, (schema) => {
			const before = JSON.stringify(schema);
			const { tools, dropped } = sendableTools([tool(schema)], provider);
			expect(tools.length + dropped.length).toBe(1);
			for (const kept of tools) expect(refusals(kept, provider)).toEqual([]);
			for (const { reason } of dropped) expect(reason).toMatch(/^[A-Z].*\.$/s);
			expect(JSON.stringify(schema)).toBe(before);
		}),
		{ numRuns: 200 },
	);
});

test.each(providers)('what %s takes stays as it is when it is read again', (provider) => {
	fc.assert(
		fc.property(sane, (schema) => {
			const { inputSchema } = sent(schema, provider);
			expect(sent(structuredClone(inputSchema), provider).inputSchema).toEqual(inputSchema);
		}),
		{ numRuns: 200 },
	);
});

// Ollama knows no bounds: they are in words.
test.each(['openai', 'anthropic'] as const)(
	'arguments that fit what %s is sent fit what the server asks for',
	(provider) => {
		let admitted = 0;
		fc.assert(
			fc.property(sane, input, (schema, args) => {
				const original = { ...schema, $defs: { named: { type: 'string', maxLength: 4 } } };
				const { inputSchema } = sent(parsed(JSON.stringify(original)), provider);
				if (!isValid(inputSchema, args)) return;
				admitted += 1;
				expect(isValid(original, args), JSON.stringify({ original, inputSchema, args })).toBe(true);
			}),
			{ numRuns: 600 },
		);
		expect(admitted).toBeGreaterThan(30);
	},
);

function isValid(schema: JsonSchema, args: unknown): boolean {
	return new Validator(schema, '2020-12', true).validate(args).valid;
}
