import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/discovery/tool.ts';
import { sendableTools } from '../../../../src/models/toolSchemas/sendableTools.ts';
import { parsed, providers, reasonFor, sent, tool } from '../../../unit/models/toolSchemas/asking.ts';
import { refusals } from '../../../unit/models/toolSchemas/refusals.ts';

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
] as const)('a bomb of %s is defused', (_, part) => {
	for (const provider of providers) {
		const { inputSchema } = sent(bomb(40, 40, part), provider);
		expect(JSON.stringify(inputSchema).length).toBeLessThan(100_000);
	}
});

test.each(providers)(
	'for %s, nesting is cut where the provider would not follow, or the stack would end',
	(provider) => {
		for (const [open, close] of [
			['{"type":"object","properties":{"a":', '}}'],
			['{"type":"array","items":', '}'],
			['{"anyOf":[', ']}'],
			['{"not":', '}'],
			['{"allOf":[', ']}'],
		] as const) {
			const deep = parsed(`{"properties":{"top":${open.repeat(3_000)}{}${close.repeat(3_000)}}}`);
			expect(refusals(sent(deep, provider), provider)).toEqual([]);
		}
		const value = parsed(`{"properties":{"a":{"default":${'['.repeat(3_000)}${']'.repeat(3_000)}}}}`);
		expect(sent(value, provider).inputSchema.properties).toEqual({ a: {} });
	},
);

test('what is cut keeps its type, its description and its values', () => {
	const wrap = (schema: JsonSchema, times: number): JsonSchema =>
		times === 0 ? schema : { type: 'object', properties: { in: wrap(schema, times - 1) } };
	const deep = wrap({ type: 'array', description: 'Many', items: wrap({ type: 'string' }, 3) }, 9);
	const kept = wrap({ type: 'array', description: 'Many', items: {} }, 9);
	expect(sent(deep, 'openai').inputSchema).toEqual(kept);
	expect(sent(deep, 'anthropic').inputSchema).toBe(deep);
});

test.each(providers)('for %s, a schema of unlikely size has no tool', (provider) => {
	const names = Array.from({ length: 12_000 }, (_, at) => [`property_${at}`, { type: 'string' }]);
	expect(reasonFor({ type: 'object', properties: Object.fromEntries(names) }, provider)).toBe(tooLarge);
	const text = {
		type: 'object',
		properties: { a: { default: 'x'.repeat(150_000), const: 'x'.repeat(150_000) } },
	};
	expect(reasonFor(text, provider)).toBe(tooLarge);
});

test('one tool that is too large costs no other', () => {
	const names = Array.from({ length: 30_000 }, (_, at) => [`property_${at}`, {}]);
	const large = { ...tool({ properties: Object.fromEntries(names) }), name: 'large' };
	const small = tool({ type: 'object', properties: {} });
	expect(sendableTools([large, small], 'openai')).toEqual({
		tools: [small],
		dropped: [{ name: 'large', reason: tooLarge }],
	});
});

test('long references read again and again are paid for', () => {
	const $ref = `#/${'x/'.repeat(50_000)}`;
	const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { $ref }]));
	expect(reasonFor({ properties })).toBe(tooLarge);
});
