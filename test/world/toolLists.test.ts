import { expect, test } from 'vitest';
import { startedPool, statusOf, toolNames } from '../servers/poolFixture.ts';
import { loopbackServer, send, sendResult, tool } from './loopbackServer.ts';

/**
 * Pages of servers of the revision 2025-06-18, by cursor. `fails`: a cursor that is refused, with HTTP 500 or a JSON-RPC error. `cutShort`: what the
 * user learns. `from`: where it was seen.
 */
interface Row {
	readonly what: string;
	readonly pages: Readonly<Record<string, { readonly tools: readonly string[]; readonly next?: unknown }>>;
	readonly tools: readonly string[];
	readonly fails?: number;
	readonly cutShort?: string;
	readonly from: string;
}

const rows: readonly Row[] = [
	{
		what: 'ends with an empty cursor and refuses to go on',
		pages: { first: { tools: ['a', 'b'], next: '' } },
		tools: ['a', 'b'],
		from: 'modelcontextprotocol/java-sdk#628',
	},
	{
		what: 'answers an empty cursor with its first page again, for ever',
		pages: { first: { tools: ['a'], next: '' }, '': { tools: ['a'], next: '' } },
		tools: ['a'],
		from: 'ChesterRa/cccc#50',
	},
	{
		what: 'ends with null',
		pages: { first: { tools: ['a'], next: null } },
		tools: ['a'],
		from: 'modelcontextprotocol/java-sdk#575',
	},
	{
		what: 'has two pages',
		pages: { first: { tools: ['a'], next: 'page-2' }, 'page-2': { tools: ['b'] } },
		tools: ['a', 'b'],
		from: 'agentscope-ai/agentscope#2765',
	},
	{
		what: 'repeats its only page and its cursor',
		pages: { first: { tools: ['a', 'b'], next: '8' }, 8: { tools: ['a', 'b'], next: '8' } },
		tools: ['a', 'b'],
		cutShort: 'the server gave the same cursor twice',
		from: 'DeusData/codebase-memory-mcp#1247',
	},
	{
		what: 'refuses its second page',
		pages: { first: { tools: ['a'], next: 'page-2' } },
		tools: ['a'],
		cutShort: 'page 2 and what follows it are missing: Server "s" refused: Invalid cursor',
		from: 'modelcontextprotocol/csharp-sdk#1072',
	},
	{
		what: 'fails at its third page',
		pages: { first: { tools: ['a'], next: '2' }, 2: { tools: ['b'], next: '3' } },
		tools: ['a', 'b'],
		fails: 500,
		cutShort: 'page 3 and what follows it are missing: Server "s" at',
		from: 'anthropics/claude-code#59538',
	},
	{
		what: 'numbers its pages',
		pages: { first: { tools: ['a'], next: 2 } },
		tools: ['a'],
		cutShort: 'its next page has a cursor that is not a text',
		from: 'AltimateAI/altimate-code#986',
	},
];

test.each(rows)('a server that $what ($from)', async ({ pages, tools, fails, cutShort }) => {
	const launch = await loopbackServer(({ method, id, params, response }) => {
		if (method !== 'tools/list') return false;
		const page = pages[params.cursor === undefined ? 'first' : String(params.cursor)];
		if (page) return sendResult(response, id, { tools: page.tools.map(tool), nextCursor: page.next });
		if (fails !== undefined) return send(response, fails, '');
		return send(response, 200, { jsonrpc: '2.0', id, error: { code: -32_602, message: 'Invalid cursor' } });
	});
	const pool = await startedPool({ s: launch });
	expect(toolNames(pool, 's')).toEqual(tools);
	expect(statusOf(pool, 's').dropped).toEqual([]);
	if (cutShort === undefined) expect(statusOf(pool, 's').cutShort).toBeUndefined();
	else expect(statusOf(pool, 's').cutShort).toContain(cutShort);
});

test.each<{ what: string; listed: object; from: string }>([
	{ what: 'null', listed: { name: 'a', inputSchema: null }, from: 'lightweight-component/aj-mcp#4' },
	{ what: 'missing', listed: { name: 'a' }, from: 'IvanMurzak/Unity-MCP#440' },
])('a tool whose schema is $what takes no arguments that are known ($from)', async ({ listed }) => {
	const launch = await loopbackServer(
		({ method, id, response }) => method === 'tools/list' && sendResult(response, id, { tools: [listed] }),
	);
	const pool = await startedPool({ s: launch });
	expect(toolNames(pool, 's')).toEqual(['a']);
	expect(statusOf(pool, 's').dropped).toEqual([]);
});

test.each([
	['input_schema', 'https://docs.anthropic.com/en/api/messages#body-tools'],
	['parameters', 'https://platform.openai.com/docs/guides/function-calling'],
])('a schema under the key of another API counts: `%s` (%s)', async (key) => {
	const schema = { type: 'object', properties: { topic: { type: 'string' } } };
	const launch = await loopbackServer(
		({ method, id, response }) =>
			method === 'tools/list' && sendResult(response, id, { tools: [{ name: 'a', [key]: schema }] }),
	);
	const pool = await startedPool({ s: launch });
	expect(statusOf(pool, 's').tools).toMatchObject([{ name: 'a', inputSchema: schema }]);
});

test('tools of pages that are missing now stay as they were listed before', async () => {
	let isBroken = false;
	const launch = await loopbackServer(({ method, id, params, response }) => {
		if (method !== 'tools/list') return false;
		if (params.cursor === undefined) return sendResult(response, id, { tools: [tool('a')], nextCursor: '2' });
		return isBroken ? send(response, 500, '') : sendResult(response, id, { tools: [tool('b')] });
	});
	const pool = await startedPool({ s: launch });
	isBroken = true;
	await pool.refresh();
	expect(toolNames(pool, 's')).toEqual(['a', 'b']);
	expect(statusOf(pool, 's').cutShort).toContain('page 2 and what follows it are missing');
});
