import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { RemoteLaunch } from '../../src/config/launch.ts';
import { resultText } from '../../src/discovery/toolResult.ts';
import { handshake, type Json, text, tool } from './faults/server/messages.ts';
import { eventually, startedPool, statusOf } from './poolFixture.ts';

interface Post {
	readonly method: string;
	readonly id: number | undefined;
	readonly params: Json;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

/** An MCP server over HTTP that works until `fault` takes a request for itself by returning true. */
async function faultyHttpServer(fault: (post: Post) => boolean): Promise<string> {
	const server = createServer(async (request, response) => {
		if (request.method !== 'POST') {
			response.writeHead(405).end();
			return;
		}
		let body = '';
		for await (const chunk of request) body += chunk;
		const { method, id, params = {} } = JSON.parse(body);
		if (fault({ method, id, params, request, response })) return;
		if (id === undefined) response.writeHead(202).end();
		else if (method === 'initialize') answer(response, id, handshake(params));
		else if (method === 'tools/list') answer(response, id, { tools: [tool('work')] });
		else answer(response, id, text('worked'));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

function answer(response: ServerResponse, id: number, result: Json): void {
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function remote(url: string, headers: Record<string, string> = {}): RemoteLaunch {
	return { kind: 'remote', url: `${url}/mcp`, transport: 'streamable-http', headers };
}

const limits = { messageBytes: 100_000, restartDelaysMs: [50], restartJitter: 0 };

test('many small events in a stream that is larger than one message may be all arrive', async () => {
	const url = await faultyHttpServer(({ method, id, params, response }) => {
		if (method !== 'tools/call') return false;
		const { progressToken } = params._meta as Json;
		response.setHeader('content-type', 'text/event-stream');
		const event = (message: Json) =>
			response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
		for (let progress = 1; progress <= 50; progress += 1) {
			const step = { progressToken, progress, message: 'x'.repeat(10_000) };
			event({ method: 'notifications/progress', params: step });
		}
		event({ id, result: text('worked') });
		response.end();
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits });
	expect(resultText(await pool.callTool('remote', 'work', {}))).toBe('worked');
});

test('headers go along with every request; a redirect to elsewhere is not followed', async () => {
	const seenElsewhere: (string | undefined)[] = [];
	const elsewhere = await faultyHttpServer(({ request }) => {
		seenElsewhere.push(request.headers['x-api-key'] as string | undefined);
		return false;
	});
	const seen: (string | string[] | undefined)[] = [];
	const url = await faultyHttpServer(({ method, request, response }) => {
		seen.push(request.headers['x-api-key']);
		if (method !== 'tools/call') return false;
		response.writeHead(307, { location: `${elsewhere}/mcp` }).end();
		return true;
	});
	const pool = await startedPool({ remote: remote(url, { 'x-api-key': 'my-own-key' }) }, { limits });
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'http-error' });
	expect(new Set(seen)).toEqual(new Set(['my-own-key']));
	expect(seenElsewhere).toEqual([]);
});

test('a redirect within the origin is followed', async () => {
	const url = await faultyHttpServer(({ request, response }) => {
		if (request.url !== '/mcp') return false;
		response.writeHead(307, { location: '/mcp/' }).end();
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits });
	expect(resultText(await pool.callTool('remote', 'work', {}))).toBe('worked');
});

test.each([
	[401, 'unauthorized', false],
	[403, 'unauthorized', false],
	[500, 'http-error', true],
	[429, 'http-error', true],
] as const)('HTTP %i while starting is %s; tried again: %s', async (status, reason, isTriedAgain) => {
	const url = await faultyHttpServer(({ response }) => {
		response.writeHead(status, { 'content-type': 'text/html' }).end('<html><b>secret stack trace</b></html>');
		return true;
	});
	const pool = await startedPool(
		{ remote: remote(url) },
		{ limits: { ...limits, restartDelaysMs: [60_000] } },
	);
	const { state } = statusOf(pool, 'remote');
	expect(state).toMatchObject({ kind: 'failed', error: { reason } });
	expect('nextAttemptAt' in state).toBe(isTriedAgain);
	expect(state.kind === 'failed' && state.error.message).not.toContain('<');
});

test('a session that the server has lost fails the call and is opened anew, without calling twice', async () => {
	let calls = 0;
	const url = await faultyHttpServer(({ method, response }) => {
		if (method !== 'tools/call') return false;
		calls += 1;
		if (calls > 1) return false;
		response.writeHead(404).end();
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits });
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'session-lost' });
	await eventually(() => statusOf(pool, 'remote').state.kind === 'ready');
	expect(calls).toBe(1);
});

test('an SSE stream that ends in the middle of the handshake fails the start at once', async () => {
	const server = createServer((request, response) => {
		if (request.method === 'POST') {
			response.writeHead(202).end();
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write('event: endpoint\ndata: /message\n\n');
		setTimeout(() => response.end(), 100);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	const address = server.address();
	const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/sse`;
	const pool = await startedPool({ remote: { kind: 'remote', url, transport: 'sse', headers: {} } });
	expect(statusOf(pool, 'remote').state).toMatchObject({ kind: 'failed', error: { reason: 'unreachable' } });
});
