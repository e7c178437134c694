import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import { fill as fillTool } from '../../../../src/models/planner/fill.ts';
import { readLiterals } from '../../../../src/models/planner/literals.ts';
import { type Parameter, parametersOf } from '../../../../src/models/planner/parameters.ts';
import { today } from './requests.ts';

/** What a prompt gives a tool of these properties, of which all are required. */
function fill(prompt: string, properties: Record<string, JsonSchema>, more: JsonSchema = {}) {
	const inputSchema = { type: 'object', properties, required: Object.keys(properties), ...more };
	const sources = { text: prompt, literals: readLiterals(prompt, today), isNext: false };
	const { input, missing } = fillTool({ name: 'any__do', description: '', inputSchema }, sources);
	return { input, missing: missing.map(({ name }) => name) };
}

const string = { type: 'string' };

test.each<[string, Record<string, JsonSchema>, Record<string, unknown>]>([
	['do n=3', { n: { type: 'integer' } }, { n: 3 }],
	['do n="3"', { n: { type: 'number' } }, { n: 3 }],
	['do id=007', { id: string }, { id: '007' }],
	['do flag=false', { flag: { type: 'boolean' } }, { flag: false }],
	['do tags=a,b', { tags: { type: 'array', items: string } }, { tags: ['a', 'b'] }],
	['do ids=[1, 2]', { ids: { type: 'array', items: { type: 'number' } } }, { ids: [1, 2] }],
	['do options={"a": 1}', { options: { type: 'object' } }, { options: { a: 1 } }],
	['do level=HIGH', { level: { enum: ['low', 'high'] } }, { level: 'high' }],
	['do it in the open state', { state: { enum: ['open', 'closed'] } }, { state: 'open' }],
	['do value=true', { value: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } }, { value: true }],
	['do value=yesterday', { value: { type: ['boolean', 'string'] } }, { value: 'yesterday' }],
	['do value=3', { value: { $ref: '#/$defs/n' } }, { value: 3 }],
	['do value=4', { value: { $ref: '#/$defs/The%20number' } }, { value: 4 }],
	['do', { kind: { const: 'k' }, size: { type: 'number', default: 5 } }, { kind: 'k', size: 5 }],
	['mail bob@x.com from ann@y.org', { from: string, to: string }, { from: 'ann@y.org', to: 'bob@x.com' }],
	['fetch https://x.y/z?a=b.', { url: string }, { url: 'https://x.y/z?a=b' }],
	['do __proto__=x', JSON.parse('{"__proto__": {"type": "string"}}'), JSON.parse('{"__proto__": "x"}')],
])('"%s" gives values of the types asked for', (prompt, properties, input) => {
	expect(
		fill(prompt, properties, { $defs: { n: { type: 'integer' }, 'The number': { type: 'integer' } } }),
	).toEqual({ input, missing: [] });
});

test.each<[string, Record<string, JsonSchema>]>([
	['do n=3.5', { n: { type: 'integer' } }],
	['do n=12345678901234567890', { n: { type: 'integer' } }],
	['do level=medium', { level: { enum: ['low', 'high'] } }],
	['do it low or high', { level: { enum: ['low', 'high'] } }],
	['do options=none', { options: { type: 'object' } }],
	['do', { text: string }],
	['read the config file', { path: string }],
])('"%s" gives no value rather than a wrong one', (prompt, properties) => {
	expect(fill(prompt, properties)).toEqual({ input: {}, missing: Object.keys(properties) });
});

test('each value is used once, the surest label first', () => {
	const properties = { content: string, path: string, title: string };

	expect(fill('write "a" and "b" to c.md, title="b.md"', properties)).toEqual({
		input: { content: 'a', path: 'c.md', title: 'b.md' },
		missing: [],
	});
});

test('a required parameter without a schema is a text', () => {
	expect(fill('do what=x', {}, { required: ['what'] })).toEqual({ input: { what: 'x' }, missing: [] });
});

test('of a schema that names itself a hundred times, all is read at the top and a bounded part below', () => {
	const names = Array.from({ length: 100 }, (_, i) => `p${i}`);
	const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
	const count = (parameters: readonly Parameter[]): number =>
		parameters.reduce((sum, { properties: inner = [] }) => sum + 1 + count(inner), 0);
	const all = parametersOf({ inputSchema: { type: 'object', properties } });
	expect(all.map(({ name }) => name)).toEqual(names);
	expect(count(all)).toBeLessThan(2_000);
});
