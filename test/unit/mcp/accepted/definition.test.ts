import { describe, expect, test } from 'vitest';
import {
	definitionHash,
	definitionText,
	readableDefinition,
} from '../../../../src/mcp/accepted/definition.ts';
import { tool } from './accepting.ts';

const own = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"a":{}}}');

describe('given the definition of a tool', () => {
	test('when only the order of keys changes, then the hash stays', () => {
		const [a, b] = [
			{ type: 'object', properties: { x: {}, y: {} } },
			{ properties: { y: {}, x: {} }, type: 'object' },
		];
		expect(definitionHash(tool('t', 'd', { inputSchema: a }))).toBe(
			definitionHash(tool('t', 'd', { inputSchema: b })),
		);
	});

	test('when the server is renamed or the user adds a search hint, then the hash stays', () => {
		expect(definitionHash(tool('t', 'd', { server: 'other', searchHint: 'rain' }))).toBe(
			definitionHash(tool('t', 'd')),
		);
	});

	test.each([
		['name', tool('u', 'd')],
		['title', tool('t', 'd', { title: 'T' })],
		['description', tool('t', 'd ')],
		['invisible characters', tool('t', 'd\u{e0041}')],
		['schema', tool('t', 'd', { inputSchema: { type: 'object', required: ['x'] } })],
		['order of what is listed', tool('t', 'd', { inputSchema: { enum: [2, 1] } })],
		['hint', tool('t', 'd', { annotations: { readOnlyHint: true } })],
		['a parameter called __proto__', tool('t', 'd', { inputSchema: own })],
	])('when its %s changes, then the hash changes', (_, changed) => {
		const before = [tool('t', 'd'), tool('t', 'd', { inputSchema: { enum: [1, 2] } })];
		const { ['__proto__']: __, ...properties } = own.properties;
		before.push(tool('t', 'd', { inputSchema: { ...own, properties } }));
		expect(before.map((one) => definitionHash(one))).not.toContain(definitionHash(changed));
	});

	test('when it is shown, then it is formatted JSON with invisible characters escaped', () => {
		const text = readableDefinition(
			definitionText(tool('t', 'a\u200bb\u202ec\nd\u{e0041}', { inputSchema: own })),
		);
		expect(text).toBe(`{
  "description": "a\\u{200B}b\\u{202E}c\\nd\\u{E0041}",
  "inputSchema": {
    "properties": {
      "__proto__": {
        "type": "string"
      },
      "a": {}
    },
    "type": "object"
  },
  "name": "t"
}
`);
	});
});
