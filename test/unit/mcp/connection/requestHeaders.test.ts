import { describe, expect, test } from 'vitest';
import type { JsonRpcMessage } from '../../../../src/mcp/connection/jsonRpc.ts';
import {
	argumentHeaders,
	repeatedArguments,
	requestHeaders,
} from '../../../../src/mcp/connection/requestHeaders.ts';

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const request = (method: string, params: object): JsonRpcMessage => ({
	jsonrpc: '2.0',
	id: 1,
	method,
	params,
});

describe('a request', () => {
	test('of the newer protocol repeats its revision, its method and its name', () => {
		expect(requestHeaders(request('tools/call', { name: 'add', arguments: {}, _meta }))).toEqual({
			'mcp-protocol-version': '2026-07-28',
			'mcp-method': 'tools/call',
			'mcp-name': 'add',
		});
		expect(requestHeaders(request('resources/read', { uri: 'file:///é', _meta }))).toMatchObject({
			'mcp-name': `=?base64?${Buffer.from('file:///é').toString('base64')}?=`,
		});
		expect(requestHeaders(request('tools/list', { name: 'not a name here', _meta }))).not.toHaveProperty(
			'mcp-name',
		);
	});

	test('of the older one repeats nothing', () => {
		expect(requestHeaders(request('tools/call', { name: 'add', arguments: {} }))).toBeUndefined();
	});
});

describe('what a tool wants repeated in headers', () => {
	const schema = {
		type: 'object',
		properties: {
			region: { type: 'string', 'x-mcp-header': 'Region' },
			where: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
			other: { type: 'string', default: { 'x-mcp-header': 'data' } },
		},
	};

	test('is found wherever it stands in an object', () => {
		const found = repeatedArguments(schema);
		expect(found).toHaveLength(2);
		expect(argumentHeaders(found ?? [], { region: 'eu west', where: { floor: 3 } })).toEqual({
			'Mcp-Param-Region': 'eu west',
			'Mcp-Param-Floor': '3',
		});
	});

	test('is left out where the argument is', () => {
		expect(argumentHeaders(repeatedArguments(schema) ?? [], { where: null })).toEqual({});
	});

	test.each([' spaced ', 'two\r\nlines: x', 'é', '', '=?base64?eA==?='])('%j is encoded', (value) => {
		const encoded = argumentHeaders([{ path: ['a'], header: 'A' }], { a: value })['Mcp-Param-A'] ?? '';
		const [, data = ''] = /^=\?base64\?(.*)\?=$/.exec(encoded) ?? [];
		expect(Buffer.from(data, 'base64').toString()).toBe(value);
	});

	test.each([
		['a name with a line break', { properties: { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } } }],
		['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
		['an item of a list', { properties: { a: { items: { type: 'string', 'x-mcp-header': 'A' } } } }],
		['a choice', { anyOf: [{ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }] }],
		['the whole', { 'x-mcp-header': 'A' }],
		[
			'the same header twice',
			{
				properties: {
					a: { type: 'string', 'x-mcp-header': 'A' },
					b: { type: 'string', 'x-mcp-header': 'a' },
				},
			},
		],
	])('%s makes the tool unusable', (_, inputSchema) => {
		expect(repeatedArguments(inputSchema)).toBeUndefined();
	});
});
