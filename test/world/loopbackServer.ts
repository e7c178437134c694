import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RemoteLaunch } from '../../src/config/servers/launch.ts';
import { bodyOf } from '../servers/loopback.ts';
import { serve } from '../servers/poolFixture.ts';

export interface Received {
	readonly method: string | undefined;
	readonly id: number | string | undefined;
	readonly params: Readonly<Record<string, unknown>>;
	/** Of an answer. */
	readonly result?: unknown;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

/** An MCP server of the revision 2025-06-18 over HTTP that works, except where `odd` answers and returns true. Returns its launch. */
export async function loopbackServer(odd: (received: Received) => boolean): Promise<RemoteLaunch> {
	const origin = await serve(async (request, response) => {
		const body = await bodyOf(request);
		const isPost = request.method === 'POST';
		const { method, id, params = {}, result } = isPost ? JSON.parse(body) : {};
		if (odd({ method, id, params, result, request, response })) return;
		if (!isPost) response.writeHead(405).end();
		else if (id === undefined) response.writeHead(202).end();
		else if (method === 'initialize') sendResult(response, id, handshake);
		else if (method === 'tools/list') sendResult(response, id, { tools: [tool('work')] });
		else if (method === 'tools/call')
			sendResult(response, id, { content: [{ type: 'text', text: 'worked' }] });
		else send(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
	});
	return { kind: 'remote', url: `${origin}/mcp`, transport: 'streamable-http', headers: {} };
}

export const handshake = {
	protocolVersion: '2025-06-18',
	capabilities: { tools: {} },
	serverInfo: { name: 'odd', version: '1' },
};

export function tool(name: string): Readonly<Record<string, unknown>> {
	return { name, inputSchema: { type: 'object' } };
}

export function send(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): true {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
	return true;
}

export function sendResult(response: ServerResponse, id: number | string | undefined, result: unknown): true {
	return send(response, 200, { jsonrpc: '2.0', id, result });
}
