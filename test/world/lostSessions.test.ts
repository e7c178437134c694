import { expect, test } from 'vitest';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { startedPool } from '../servers/poolFixture.ts';
import { handshake, loopbackServer, type Received, send } from './loopbackServer.ts';

/**
 * How servers answer a request of a session that they have forgotten, as JSON or in an event. `repeats`: the call was refused before it ran, and is
 * made again; otherwise the model learns that it was not. `from`: where it was seen.
 */
interface Row {
	readonly what: string;
	readonly status: number;
	readonly body: string;
	readonly type?: string;
	readonly repeats: boolean;
	readonly from: string;
}

const error = (code: number, message: string, id: unknown = null) =>
	JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });

const rows: readonly Row[] = [
	{
		what: '404, as specified',
		status: 404,
		body: error(-32_600, 'Session not found', 'server-error'),
		repeats: true,
		from: 'modelcontextprotocol/python-sdk#1676',
	},
	{
		what: '404 without a word',
		status: 404,
		body: '',
		repeats: true,
		from: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports',
	},
	{
		what: '404 with an internal error',
		status: 404,
		body: error(-32_603, 'Session not found: a992387e'),
		repeats: true,
		from: 'augmentcode/auggie#149',
	},
	{
		what: '400, no valid session id',
		status: 400,
		body: error(-32_000, 'Bad Request: No valid session ID or not an initialize request'),
		repeats: true,
		from: 'DAWNCR0W/affine-mcp-server#301',
	},
	{
		what: '400 as a text',
		status: 400,
		body: 'Invalid session ID',
		type: 'text/plain',
		repeats: true,
		from: 'mark3labs/mcp-go#689',
	},
	{
		what: '400, not initialized',
		status: 400,
		body: error(-32_000, 'Bad Request: Server not initialized'),
		repeats: true,
		from: 'mcp-use/mcp-use#1133',
	},
	{
		what: '400 without a word',
		status: 400,
		body: '',
		repeats: false,
		from: 'modelcontextprotocol/python-sdk#1004',
	},
	{
		what: '401 with a token that is right',
		status: 401,
		body: error(-32_000, 'Unauthorized'),
		repeats: true,
		from: 'punkpeye/mcp-proxy#108',
	},
	{
		what: '401 as a text',
		status: 401,
		body: 'Unauthorized: Session not found',
		type: 'text/plain',
		repeats: true,
		from: 'modelcontextprotocol/rust-sdk#689',
	},
	{
		what: '403, somebody else’s session',
		status: 403,
		body: error(-32_001, 'Mcp-Session-Id principal mismatch'),
		repeats: true,
		from: 'LanternOps/breeze#3744',
	},
	{
		what: '503',
		status: 503,
		body: '{"error":"Session unavailable"}',
		repeats: false,
		from: 'markmhendrickson/neotoma#1923',
	},
	{
		what: '500 that wraps a 400',
		status: 500,
		body: error(-32_000, 'HTTP 400: No valid session ID provided'),
		repeats: false,
		from: 'punkpeye/fastmcp#121',
	},
	{
		what: '200 with an error of its own code',
		status: 200,
		body: error(-32_005, 'Session expired or server restarted', 'ID'),
		repeats: true,
		from: 'joshrotenberg/tower-mcp#65',
	},
	{
		what: '200 with an internal error, which may come from the tool',
		status: 200,
		body: error(-32_603, 'Internal error', 'ID'),
		repeats: false,
		from: 'anthropics/claude-code#59442',
	},
	{
		what: '200 with an event that is no message',
		status: 200,
		body: 'event: message\ndata: {"error":"Session not found"}\n\n',
		type: 'text/event-stream',
		repeats: false,
		from: 'actionhero/keryx#503',
	},
	{
		what: '202, as if it were a notification',
		status: 202,
		body: '',
		repeats: false,
		from: 'samanhappy/mcphub#742',
	},
];

/** Forgets its session after the first call. */
function forgetfulServer({ status, body, type }: Row, ran: string[]) {
	let sessions = 0;
	const forgotten = new Set<unknown>();
	return ({ method, id, request, response }: Received): boolean => {
		const session = request.headers['mcp-session-id'];
		if (method === 'initialize') {
			const answer = { jsonrpc: '2.0', id, result: handshake };
			sessions += 1;
			return send(response, 200, answer, { 'mcp-session-id': `session-${sessions}` });
		}
		if (session !== undefined && forgotten.has(session))
			return send(response, status, body.replace('"ID"', String(id)), type ? { 'content-type': type } : {});
		if (method !== 'tools/call') return false;
		ran.push(String(session));
		if (ran.length === 1) forgotten.add(session);
		return false;
	};
}

test.each(rows)('$what ($from)', async (row) => {
	const ran: string[] = [];
	const limits = { restartDelaysMs: [60_000] };
	const pool = await startedPool({ s: await loopbackServer(forgetfulServer(row, ran)) }, { limits });
	const call = async () => resultText(await pool.callTool('s', 'work', {}));
	expect(await call()).toBe('worked');
	if (row.repeats) expect(await call()).toBe('worked');
	else
		await expect(call()).rejects.toMatchObject({
			reason: 'session-lost',
			message: expect.stringContaining('The call was not repeated, because it may have run.'),
		});
	expect(await call()).toBe('worked');
	expect(ran).toEqual(row.repeats ? ['session-1', 'session-2', 'session-2'] : ['session-1', 'session-2']);
});

test('a call that the tool itself refuses ends no session and is not repeated', async () => {
	let calls = 0;
	const launch = await loopbackServer(({ method, id, response }) => {
		if (method === 'initialize')
			return send(response, 200, { jsonrpc: '2.0', id, result: handshake }, { 'mcp-session-id': 'one' });
		if (method !== 'tools/call') return false;
		calls += 1;
		return send(response, 400, error(-32_000, 'Session of your bank not found'));
	});
	const pool = await startedPool({ s: launch });
	await expect(pool.callTool('s', 'work', {})).rejects.toMatchObject({ reason: 'http-error' });
	expect(calls).toBe(1);
	expect(pool.servers()[0]?.state.kind).toBe('ready');
});
