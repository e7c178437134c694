import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
	definitionHash,
	definitionText,
	readableDefinition,
} from '../../../../src/mcp/accepted/definition.ts';
import { tool } from './accepting.ts';

const own = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"a":{}}}');

describe('given the definition of a tool', () => {
	test('when only the order of keys is another, then it is the same', () => {
		const [a, b] = [
			{ type: 'object', properties: { x: {}, y: {} } },
			{ properties: { y: {}, x: {} }, type: 'object' },
		];
		expect(definitionHash(tool('t', 'd', { inputSchema: a }))).toBe(
			definitionHash(tool('t', 'd', { inputSchema: b })),
		);
	});

	test('when an earlier version has kept it, then it is the same: its text is part of what is stored', () => {
		const schema = {
			type: 'object',
			properties: { b: {}, a: { enum: ['x', 1] }, 10: {}, 9: { type: 'null' } },
		};
		const kept =
			'{"description":"d","inputSchema":{"properties":{"9":{"type":"null"},"10":{},"a":{"enum":["x",1]},"b":{}},"type":"object"},"name":"t"}';
		const one = tool('t', 'd', { inputSchema: schema });
		expect(definitionText(one)).toBe(kept);
		expect(definitionHash(one)).toBe(createHash('sha256').update(kept).digest('base64url'));
	});

	test('when the server has another name or a hint of the user’s, then it is the same', () => {
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
	])('when its %s changes, then it is another', (_, changed) => {
		const before = [tool('t', 'd'), tool('t', 'd', { inputSchema: { enum: [1, 2] } })];
		const { ['__proto__']: __, ...properties } = own.properties;
		before.push(tool('t', 'd', { inputSchema: { ...own, properties } }));
		expect(before.map((one) => definitionHash(one))).not.toContain(definitionHash(changed));
	});

	test('when it is shown, then it is JSON in lines, with all that is invisible in it escaped', () => {
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
