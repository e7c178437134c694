import { describe, expect, test } from 'vitest';
import { sendableTools } from '../unit/models/schemas/asking.ts';

/** Schemas of arguments that contradict themselves, and what is sent of them. */
interface Row {
	readonly what: string;
	readonly schema: object;
	readonly sent: object;
	readonly from: string;
}

const rows: readonly Row[] = [
	{
		what: 'values of the items beside the array',
		schema: { type: 'array', items: { type: 'string' }, enum: ['createdTime', 'createdTime desc'] },
		sent: { type: 'array', items: { type: 'string', enum: ['createdTime', 'createdTime desc'] } },
		from: 'arcadeai-labs/mcpx#87',
	},
	{
		what: 'the same without items',
		schema: { type: 'array', enum: ['VISA', 'AMEX'] },
		sent: { type: 'array', items: { type: 'string', enum: ['VISA', 'AMEX'] } },
		from: 'ajv-validator/ajv#102',
	},
	{
		what: 'an array that may be null, with null among the values',
		schema: { type: ['array', 'null'], items: { type: 'string' }, enum: ['a', 'b', null] },
		sent: { type: ['array', 'null'], items: { type: 'string', enum: ['a', 'b'] } },
		from: 'ArcadeAI/arcade-mcp#939',
	},
	{
		what: 'values at the array and at the items',
		schema: { type: 'array', items: { type: 'string', enum: ['a'] }, enum: ['a', 'b'] },
		sent: { type: 'array', items: { type: 'string', enum: ['a'] } },
		from: 'java-json-tools/json-schema-validator#26',
	},
	{
		what: 'numbers of a text',
		schema: { type: 'string', enum: [256, 512] },
		sent: { type: 'string', enum: ['256', '512'] },
		from: 'mongodb-js/mongodb-mcp-server#715',
	},
	{
		what: 'texts of a number',
		schema: { type: 'integer', enum: ['1', '2', '3'] },
		sent: { type: 'integer', enum: [1, 2, 3] },
		from: 'kensho-technologies/kfinance#128',
	},
	{
		what: 'texts of an object',
		schema: { type: 'object', enum: ['a', 'b'] },
		sent: { type: 'object', description: 'One of 2 values: a, b' },
		from: 'jsonsystems/json-schema#104',
	},
	{
		what: 'a value that may be left out, as zod writes it',
		schema: { anyOf: [{ not: {} }, { type: 'string', enum: ['wnam', 'enam'] }] },
		sent: { type: 'string', enum: ['wnam', 'enam'] },
		from: 'cloudflare/mcp-server-cloudflare#391',
	},
	{
		what: 'no values',
		schema: { type: 'array', items: { type: 'string', enum: null } },
		sent: { type: 'array', items: { type: 'string' } },
		from: 'windmill-labs/windmill#8462',
	},
	{
		what: 'no contradiction',
		schema: { type: 'integer', enum: [15, 120, 300] },
		sent: { type: 'integer', enum: [15, 120, 300] },
		from: 'tetherto/qvac#3278',
	},
	{
		what: 'a closed object with members by pattern',
		schema: { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
		sent: {
			type: 'object',
			additionalProperties: { type: 'string' },
			description: 'patternProperties: {"^x-":{"type":"string"}}',
		},
		from: 'apache/maka#4553',
	},
	{
		what: 'an object with members by several patterns',
		schema: { patternProperties: { '^S_': { type: 'string' }, '^N_': { type: 'number' } }, type: 'object' },
		sent: {
			additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
			type: 'object',
			description: 'patternProperties: {"^S_":{"type":"string"},"^N_":{"type":"number"}}',
		},
		from: 'colinhacks/zod#6259',
	},
];

describe('schemas that contradict themselves', () => {
	test.each(rows)('$what ($from)', ({ schema, sent }) => {
		const tool = { name: 'x', description: 'd', inputSchema: { type: 'object', properties: { v: schema } } };
		const [sendable] = sendableTools([tool], 'openai').tools;
		expect(Object(sendable?.inputSchema.properties).v).toEqual(sent);
	});
});
