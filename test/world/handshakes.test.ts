import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { startedPool, statusOf, toolNames } from '../servers/poolFixture.ts';
import { handshake, loopbackServer, send, sendResult, tool } from './loopbackServer.ts';

/** Members of the answer to `initialize` that are missing or odd; the server works nevertheless. `from`: where it was seen. */
interface Row {
	readonly what: string;
	readonly answer: Readonly<Record<string, unknown>>;
	readonly from: string;
}

const { protocolVersion, capabilities, serverInfo } = handshake;

const rows: readonly Row[] = [
	{ what: 'no `serverInfo`', answer: { protocolVersion, capabilities }, from: 'ian-cowley/MCPSqlServer#3' },
	{
		what: 'no version in `serverInfo`',
		answer: { protocolVersion, capabilities, serverInfo: { name: 'hister' } },
		from: 'asciimoo/hister#363',
	},
	{ what: 'no `protocolVersion`', answer: { capabilities, serverInfo }, from: 'ian-cowley/MCPSqlServer#3' },
	{
		what: 'names in snake case',
		answer: { protocol_version: protocolVersion, capabilities, server_info: serverInfo },
		from: 'Roblox/studio-rust-mcp-server#77',
	},
	{
		what: 'a version that is no date',
		answer: { protocolVersion: '1.0', capabilities, serverInfo },
		from: 'metoro-io/mcp-golang#134',
	},
	{
		what: 'a version from a template',
		answer: { protocolVersion: '%params/protocolVersion%', capabilities, serverInfo },
		from: 'IBM/WxMCPServer#3',
	},
	{
		what: 'a version that the protocol had before its first release',
		answer: { protocolVersion: '2024-10-07', capabilities, serverInfo },
		from: 'strowk/mcp-k8s-go#40',
	},
	{
		what: 'a version that does not exist',
		answer: { protocolVersion: '9999-99-99', capabilities, serverInfo },
		from: 'edwardkim/rhwp#3720',
	},
	{ what: 'no `capabilities`', answer: { protocolVersion, serverInfo }, from: 'majiayu000/litellm-rs#1041' },
	{
		what: 'capabilities that are an empty list',
		answer: { protocolVersion, capabilities: [], serverInfo },
		from: 'logiscape/mcp-sdk-php#1',
	},
	{
		what: 'a capability that is an empty list',
		answer: { protocolVersion, capabilities: { tools: [], experimental: [] }, serverInfo },
		from: 'php-mcp/schema#2',
	},
	{
		what: 'capabilities that are switches',
		answer: { protocolVersion, capabilities: { tools: true, resources: false, logging: null }, serverInfo },
		from: 'modelcontextprotocol/swift-sdk#43',
	},
	{
		what: 'instructions and a title that are null',
		answer: { protocolVersion, capabilities, serverInfo: { ...serverInfo, title: null }, instructions: null },
		from: 'finite-sample/rmcp#10',
	},
];

test.each(rows)('a handshake with $what ($from)', async ({ answer }) => {
	const launch = await loopbackServer(
		({ method, id, response }) => method === 'initialize' && sendResult(response, id, answer),
	);
	const pool = await startedPool({ s: launch });
	expect(toolNames(pool, 's')).toEqual(['work']);
	expect(resultText(await pool.callTool('s', 'work', {}))).toBe('worked');
});

/** The answer to `initialize` in another wrapping. */
test.each<{ what: string; from: string; answer: (answer: string, response: ServerResponse) => void }>([
	{
		what: 'of the type text/plain',
		from: 'ballerina-platform/ballerina-library#8090',
		answer: (answer, response) =>
			send(response, 200, answer, { 'content-type': 'text/plain; charset=utf-8' }),
	},
	{
		what: 'without a type',
		from: 'helidon-io/helidon-mcp#97',
		answer: (answer, response) => response.writeHead(200).end(answer),
	},
	{
		what: 'with HTTP 202',
		from: 'PrefectHQ/fastmcp#909',
		answer: (answer, response) => send(response, 202, answer),
	},
	{
		what: 'behind a byte order mark',
		from: 'mendix/RestServices#53',
		answer: (answer, response) => send(response, 200, `\uFEFF${answer}`),
	},
	{
		what: 'in a batch',
		from: 'joshrotenberg/tower-mcp#2',
		answer: (answer, response) => send(response, 200, `[${answer}]`),
	},
])('a handshake $what ($from)', async ({ answer }) => {
	const launch = await loopbackServer(({ method, id, response }) => {
		if (method !== 'initialize') return false;
		answer(JSON.stringify({ jsonrpc: '2.0', id, result: handshake }), response);
		return true;
	});
	const pool = await startedPool({ s: launch });
	expect(resultText(await pool.callTool('s', 'work', {}))).toBe('worked');
});

/** How servers refuse a version, and the one that they speak. */
test.each([
	{
		status: 200,
		error: {
			code: -32_602,
			message: 'Unsupported protocol version',
			data: { code: 'AAS_MCP_PROTOCOL_VERSION_INCOMPATIBLE', expected: '2025-06-18' },
		},
		version: '2025-06-18',
		from: 'sickn33/agentic-awesome-skills#1003',
	},
	{
		status: 200,
		error: { code: -32_602, message: 'Unsupported protocol version: 2025-11-25. Supported: 2024-11-05' },
		version: '2024-11-05',
		from: 'milind-soni/OpenMausBot#517',
	},
	{
		status: 400,
		error:
			'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26, 2024-11-05)',
		version: '2025-06-18',
		from: 'xpzouying/xiaohongshu-mcp#697',
	},
])('a server that speaks only $version is asked for it ($from)', async ({ status, error, version }) => {
	const launch = await loopbackServer(({ method, id, params, response }) => {
		if (method !== 'initialize' || params.protocolVersion === version) return false;
		return send(response, status, typeof error === 'string' ? error : { jsonrpc: '2.0', id, error });
	});
	const pool = await startedPool({ s: launch });
	expect(resultText(await pool.callTool('s', 'work', {}))).toBe('worked');
});

/** What a server that cannot be used says in place of a handshake, and what is shown at once. */
test.each([
	{
		what: 'an empty result',
		body: { jsonrpc: '2.0', id: 0, result: {} },
		says: 'Invalid result for initialize: protocolVersion',
		from: 'just-every/code#611',
	},
	{
		what: 'an error without an id',
		body: {
			jsonrpc: '2.0',
			id: null,
			error: { code: -32_600, message: 'Invalid Request: method is required' },
		},
		says: 'refused: Invalid Request: method is required',
		from: 'milind-soni/OpenMausBot#517',
	},
	{
		what: 'an error that it does not know the method',
		body: { jsonrpc: '2.0', id: 0, error: { code: -32_601, message: 'unknown method' } },
		says: 'refused: unknown method',
		from: 'ramimbo/mergework#848',
	},
	{
		what: 'a text that is not JSON',
		body: 'this is not json',
		says: 'answered with a body of the type "application/json" that is not its answer',
		from: 'modelcontextprotocol/python-sdk#2432',
	},
])('$what fails the start with a sentence about it ($from)', async ({ body, says }) => {
	const launch = await loopbackServer(
		({ method, response }) => method === 'initialize' && send(response, 200, body),
	);
	const pool = await startedPool({ s: launch }, { limits: { restartDelaysMs: [60_000] } });
	expect(statusOf(pool, 's').state).toMatchObject({ error: { message: expect.stringContaining(says) } });
});

test.each([
	['400', 400, '', 'outline/outline#13775'],
	[
		'400 with an error',
		400,
		'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}',
		'samanhappy/mcphub#629',
	],
	[
		'200 with an error',
		200,
		'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}',
		'chrisns/govreposcrape#356',
	],
	['204', 204, '', 'egoist/chatwise-releases#1360'],
	['200 and nothing', 200, '', 'helidon-io/helidon-mcp#175'],
	['500', 500, 'oops', 'modelcontextprotocol/typescript-sdk#2730'],
])('a server that answers `notifications/initialized` with HTTP %s works (%s)', async (_, status, body) => {
	const launch = await loopbackServer(
		({ method, response }) => method === 'notifications/initialized' && send(response, status, body),
	);
	const pool = await startedPool({ s: launch });
	expect(resultText(await pool.callTool('s', 'work', {}))).toBe('worked');
});

test.each([
	['2', { jsonrpc: 2 }],
	['missing', {}],
])('a server whose `jsonrpc` is %s works', async (_, version) => {
	const results: Readonly<Record<string, object>> = {
		initialize: handshake,
		'tools/list': { tools: [tool('work')] },
		'tools/call': { content: [{ type: 'text', text: 'worked' }] },
	};
	const launch = await loopbackServer(
		({ method = '', id, response }) =>
			results[method] !== undefined && send(response, 200, { ...version, id, result: results[method] }),
	);
	const pool = await startedPool({ s: launch });
	expect(resultText(await pool.callTool('s', 'work', {}))).toBe('worked');
});

test('a server that declares nothing and knows no tools has none', async () => {
	const launch = await loopbackServer(({ method, id, response }) => {
		if (method === 'initialize')
			return sendResult(response, id, { protocolVersion, capabilities: {}, serverInfo });
		if (method !== 'tools/list') return false;
		return send(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
	});
	const pool = await startedPool({ s: launch });
	expect(statusOf(pool, 's')).toMatchObject({ state: { kind: 'ready' }, tools: [] });
});
