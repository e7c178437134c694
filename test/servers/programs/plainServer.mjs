#!/usr/bin/env node
// An MCP server without dependencies, so that an otherwise empty registry can install it.
import { createInterface } from 'node:readline';

const results = {
	initialize: {
		protocolVersion: '2025-06-18',
		capabilities: { tools: {} },
		serverInfo: { name: 'plain', version: '1.0.0' },
	},
	'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
	'tools/call': { content: [{ type: 'text', text: 'hello' }] },
};

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method } = JSON.parse(line);
	if (id === undefined) continue;
	const answer = results[method]
		? { result: results[method] }
		: { error: { code: -32601, message: 'no such method' } };
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
