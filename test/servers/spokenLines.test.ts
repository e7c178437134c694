import { expect, test } from 'vitest';
import type { StdioLaunch } from '../../src/config/servers/launch.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { callFrom } from '../../src/models/wireCalls.ts';
import { stdio } from './launches.ts';
import { startedPool } from './poolFixture.ts';

/** How programs write messages to stdout; `send(message)` of a server in Node. `from`: where it was seen. */
interface Row {
	readonly what: string;
	readonly send: string;
	readonly from: string;
}

const rows: readonly Row[] = [
	{
		what: 'a banner in front of the first message',
		send: `if (!globalThis.said) process.stdout.write('STDIO MCP Server started'); globalThis.said = true; line(m);`,
		from: 'hustcc/mcp-mermaid#25',
	},
	{
		what: 'a banner with braces in front of every message',
		send: `process.stdout.write("[Breadcrumb] { message: 'Loaded' } "); line(m);`,
		from: 's-stefanov/actual-mcp#161',
	},
	{
		what: 'lines of a log between the messages',
		send: `console.log('info: Microsoft.Hosting.Lifetime[14]'); line(m);`,
		from: 'sbroenne/mcp-server-excel#636',
	},
	{
		what: 'a word behind a message',
		send: `process.stdout.write(JSON.stringify(m) + 'done\\n');`,
		from: 'Aas-ee/open-webSearch#23',
	},
	{
		what: 'another object over several lines before each message',
		send: `process.stdout.write(JSON.stringify({ status: 200, results: [] }, undefined, 2) + '\\n'); line(m);`,
		from: 'Azure/azure-mcp#644',
	},
	{
		what: 'a brace that nothing closes',
		send: `process.stdout.write('{\\n  log\\n'); line(m);`,
		from: 's-stefanov/actual-mcp#161',
	},
];

function server(send: string): StdioLaunch {
	return stdio(process.execPath, [
		'-e',
		`const line = (m) => process.stdout.write(JSON.stringify(m) + '\\n');
		const send = (m) => { ${send} };
		const results = {
			initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'Ä', version: '1' } },
			'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
			'tools/call': { content: [{ type: 'text', text: 'wörked' }] },
		};
		require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
			const { id, method } = JSON.parse(text);
			if (id === undefined) return;
			const error = { code: -32601, message: 'no such method' };
			send({ jsonrpc: '2.0', id, ...(results[method] ? { result: results[method] } : { error }) });
		});`,
	]);
}

test.each(rows)('a server that writes $what works ($from)', async ({ send }) => {
	const pool = await startedPool({ s: server(send) });
	expect(resultText(await pool.callTool('s', 'work', {}))).toBe('wörked');
});

test('whole numbers keep all their digits on their way to a server and back (anthropics/claude-code#78762)', async () => {
	const echo = `const line = (id, result) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n');
		require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
			const { id, method } = JSON.parse(text);
			if (method === 'initialize') line(id, '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}');
			if (method === 'tools/list') line(id, '{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}');
			if (method === 'tools/call') line(id, '{"content":[{"type":"text","text":"{\\\\"id\\\\":2512292042121000001}"}],"structuredContent":' + /"arguments":({.*?})/.exec(text)[1] + '}');
		});`;
	const pool = await startedPool({ s: stdio(process.execPath, ['-e', echo]) });
	const call = async (json: string) =>
		resultText(await pool.callTool('s', 'work', callFrom('1', 'work', json).input));
	expect(await call('{"id":2512292042121000001}')).toBe('{"id":2512292042121000001}');
	expect(await call('{"id":2512292042121000002}')).toBe(
		'{"id":2512292042121000001}\n{"id":2512292042121000002}',
	);
});
