import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RemoteLaunch } from '../../src/config/servers/launch.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { handshake, type Json, text, tool } from './faults/server/messages.ts';
import { bodyOf } from './loopback.ts';
import { eventually, serve, startedPool, statusOf } from './poolFixture.ts';

interface Received {
	/** The method of its message; absent for requests that are no POST. */
	readonly method: string | undefined;
	readonly id: number | undefined;
	readonly params: Json;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

/** An MCP server over HTTP that works, unless `fault` handles a request and returns true. */
async function faultyHttpServer(fault: (received: Received) => boolean): Promise<string> {
	return serve(async (request, response) => {
		const body = await bodyOf(request);
		const isPost = request.method === 'POST';
		const { method, id, params = {} } = isPost ? JSON.parse(body) : {};
		if (fault({ method, id, params, request, response })) return;
		if (!isPost) response.writeHead(405).end();
		else if (id === undefined) response.writeHead(202).end();
		else if (method === 'initialize') answer(response, id, handshake(params));
		else if (method === 'tools/list') answer(response, id, { tools: [tool('work')] });
		else answer(response, id, text('worked'));
	});
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
	const url = await faultyHttpServer(({ method, response }) => {
		if (method !== undefined) return false;
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write('event: endpoint\ndata: /message\n\n');
		setTimeout(() => response.end(), 100);
		return true;
	});
	const pool = await startedPool({ remote: { ...remote(url), transport: 'sse' } });
	expect(statusOf(pool, 'remote').state).toMatchObject({ kind: 'failed', error: { reason: 'unreachable' } });
});

/** Responses that the server has begun and that are still open. */
function openResponses() {
	const open = new Set<ServerResponse>();
	let most = 0;
	return {
		get count() {
			return open.size;
		},
		get most() {
			return most;
		},
		add(response: ServerResponse) {
			open.add(response);
			most = Math.max(most, open.size);
			response.once('close', () => open.delete(response));
		},
	};
}

/** Writes as long as the client reads. */
function writeForEver(stream: NodeJS.WritableStream, piece: Buffer): void {
	const go = () => {
		if (!stream.writable) return;
		while (stream.write(piece));
		stream.once('drain', go);
	};
	go();
}

test.each(['packed', 'plain'] as const)(
	'of the body of an error nothing is read, however long it is: %s',
	async (how) => {
		const open = openResponses();
		const url = await faultyHttpServer(({ method, response }) => {
			if (method !== 'tools/call') return false;
			open.add(response);
			response.writeHead(500, how === 'packed' ? { 'content-encoding': 'gzip' } : {});
			const zeros = Buffer.alloc(1_000_000);
			if (how === 'plain') writeForEver(response, zeros);
			else {
				const packed = createGzip();
				packed.pipe(response);
				response.once('close', () => packed.destroy());
				writeForEver(packed, zeros);
			}
			return true;
		});
		const pool = await startedPool({ remote: remote(url) }, { limits });
		await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'http-error' });
		await eventually(() => open.count === 0);
		expect(open.most).toBe(1);
	},
);

test('a packed answer is counted as it is unpacked', async () => {
	const open = openResponses();
	const url = await faultyHttpServer(({ method, response }) => {
		if (method !== 'tools/call') return false;
		open.add(response);
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		const packed = createGzip();
		packed.pipe(response);
		response.once('close', () => packed.destroy());
		writeForEver(packed, Buffer.alloc(1_000_000, ' '));
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits });
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'message-too-large' });
	await eventually(() => open.count === 0);
});

test.each(['before its headers', 'in a stream', 'in a body', 'numbered, in a stream'] as const)(
	'calls that are given up leave nothing open: %s',
	async (where) => {
		const open = openResponses();
		const url = await faultyHttpServer(({ method, response }) => {
			if (method !== 'tools/call') return false;
			open.add(response);
			if (where === 'before its headers') return true;
			const type = where === 'in a body' ? 'application/json' : 'text/event-stream';
			response.writeHead(200, { 'content-type': type });
			response.write(
				where === 'in a body' ? '{' : where === 'in a stream' ? ': wait\n\n' : 'id: 1\ndata:\n\n',
			);
			return true;
		});
		const pool = await startedPool({ remote: remote(url) });
		const giveUp = new AbortController();
		const calls = Array.from({ length: 60 }, () =>
			pool.callTool('remote', 'work', {}, { signal: giveUp.signal }),
		);
		await eventually(() => open.count === 60);
		giveUp.abort(new Error('given up'));
		const ends = await Promise.allSettled(calls);
		expect(ends.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
		await eventually(() => open.count === 0);
		expect(statusOf(pool, 'remote').state.kind).toBe('ready');
	},
);

test('a stream that the server leaves open after its answer is closed', async () => {
	const open = openResponses();
	const url = await faultyHttpServer(({ method, id, response }) => {
		if (method !== 'tools/call') return false;
		open.add(response);
		response.setHeader('content-type', 'text/event-stream');
		response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('worked') })}\n\n`);
		return true;
	});
	const pool = await startedPool({ remote: remote(url) });
	for (let i = 0; i < 5; i += 1) expect(resultText(await pool.callTool('remote', 'work', {}))).toBe('worked');
	await eventually(() => open.count === 0);
});

test('a stream with an id of any letters is taken up again with it', async () => {
	const asked: string[] = [];
	let called = 0;
	const url = await faultyHttpServer(({ method, id, request, response }) => {
		const last = request.headers['last-event-id'];
		if (method !== 'tools/call' && typeof last !== 'string') return false;
		response.setHeader('content-type', 'text/event-stream');
		if (typeof last === 'string') {
			asked.push(Buffer.from(last, 'latin1').toString());
			response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: called, result: text('worked') })}\n\n`);
		} else {
			called = id ?? 0;
			response.end('retry: 0\nid: 日本 é\ndata:\n\n');
		}
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits: { callIdleMs: 10_000 } });
	expect(resultText(await pool.callTool('remote', 'work', {}))).toBe('worked');
	expect(asked).toEqual(['日本 é']);
});

test('a stream that ends at once is asked for again ever more seldom, and not at all for a call that is over', async () => {
	const asked: number[] = [];
	const url = await faultyHttpServer(({ method, request, response }) => {
		if (method !== 'tools/call' && request.headers['last-event-id'] === undefined) return false;
		asked.push(performance.now());
		response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata:\n\n');
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits: { callIdleMs: 4_500 } });
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'call-idle' });
	// The call itself, one resumption as the server asked, and one after two seconds.
	expect(asked.length).toBeLessThanOrEqual(4);
	expect(asked.length).toBeGreaterThanOrEqual(2);
	const later = asked.slice(1);
	for (const [i, at] of later.slice(1).entries()) expect(at - (later[i] ?? 0)).toBeGreaterThan(900);
	const before = asked.length;
	const giveUp = new AbortController();
	const call = pool.callTool('remote', 'work', {}, { signal: giveUp.signal });
	await eventually(() => asked.length > before);
	giveUp.abort(new Error('given up'));
	await expect(call).rejects.toThrow('given up');
	const after = asked.length;
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'call-idle' });
	// Only requests of the last call, none of the cancelled one.
	expect(asked.length - after).toBeLessThanOrEqual(4);
});

test.each([
	['HTTP 202', 202, 'application/json', ''],
	['an empty batch', 200, 'application/json', '[]'],
	['the answer to something else', 200, 'application/json', '{"jsonrpc":"2.0","id":4711,"result":{}}'],
	['nothing', 200, 'application/json', ''],
	['null', 200, 'application/json', 'null'],
	['a notification', 200, 'application/json', '{"jsonrpc":"2.0","method":"notifications/x"}'],
	['a question', 200, 'application/json', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
	[
		'an error of nobody',
		200,
		'application/json',
		'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}',
	],
	['a page', 200, 'text/html', '<html>'],
	['no type', 200, '', 'x'],
	['HTTP 204', 204, 'text/plain', ''],
])('a call that is answered with %s ends at once', async (_, status, type, body) => {
	const url = await faultyHttpServer(({ method, response }) => {
		if (method !== 'tools/call') return false;
		response.writeHead(status, { 'content-type': type }).end(body);
		return true;
	});
	const pool = await startedPool({ remote: remote(url) });
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason: 'protocol' });
	expect(statusOf(pool, 'remote').state.kind).toBe('ready');
});
