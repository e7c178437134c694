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

const limits = { messageBytes: 100_000, restartDelaysMs: [50] };

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

/** What servers do that a client has to get along with. `from`: where it was seen. */
const ways: readonly {
	readonly what: string;
	readonly from: string;
	readonly way: () => (received: Received) => boolean;
}[] = [
	{
		what: 'is several machines behind a load balancer that sets a cookie',
		from: 'punkpeye/mcp-remote#168',
		way: () => {
			let machines = 0;
			let home = '';
			return ({ method, id = 0, params, request, response }) => {
				machines += 1;
				const machine = /AWSALB=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? String(machines);
				response.setHeader('set-cookie', [
					`AWSALB=${machine}; Expires=${new Date(Date.now() + 1e9)}; Path=/`,
				]);
				if (method === 'initialize') {
					home = machine;
					response.setHeader('mcp-session-id', 'session');
					answer(response, id, handshake(params));
				} else if (request.headers['mcp-session-id'] !== undefined && machine !== home) {
					response.writeHead(404).end();
				} else return false;
				return true;
			};
		},
	},
	{
		what: 'refuses a request of the newer protocol with 401, and no other',
		from: 'agentscope-ai/QwenPaw#7620, adcontextprotocol/adcp-client#2434',
		way:
			() =>
			({ method, response }) => {
				if (method !== 'server/discover') return false;
				response.writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' });
				response.end('{"error":{"code":401,"message":"MCP Failure"}}');
				return true;
			},
	},
	{
		what: 'writes null for what it has not',
		from: 'r33drichards/mcp-js#117, in a result',
		way:
			() =>
			({ method, id = 0, response }) => {
				if (method !== 'tools/call') return false;
				const result = { ...text('worked'), structuredContent: null, isError: null, _meta: null };
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify({ jsonrpc: '2.0', id, error: null, result }));
				return true;
			},
	},
];

test.each(ways)('a server that $what works ($from)', async ({ way }) => {
	const url = await faultyHttpServer(way());
	const pool = await startedPool({ remote: remote(url, { authorization: 'Bearer own' }) }, { limits });
	expect(resultText(await pool.callTool('remote', 'work', {}))).toBe('worked');
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

/** Counts a response among those that are open until it closes. */
function keepIn(open: Set<ServerResponse>, response: ServerResponse): void {
	open.add(response);
	response.once('close', () => open.delete(response));
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

test.each([
	['nothing is read of the body of an error', 500, 'plain', 'http-error'],
	['nothing is read of the body of an error', 500, 'packed', 'http-error'],
	['an answer is counted as it is unpacked', 200, 'packed', 'message-too-large'],
] as const)('%s, however long it is: HTTP %i, %s', async (_, status, how, reason) => {
	const open = new Set<ServerResponse>();
	const url = await faultyHttpServer(({ method, response }) => {
		if (method !== 'tools/call') return false;
		keepIn(open, response);
		const encoding = how === 'packed' ? { 'content-encoding': 'gzip' } : {};
		response.writeHead(status, { 'content-type': 'application/json', ...encoding });
		const spaces = Buffer.alloc(1_000_000, ' ');
		if (how === 'plain') writeForEver(response, spaces);
		else {
			const packed = createGzip();
			packed.pipe(response);
			response.once('close', () => packed.destroy());
			writeForEver(packed, spaces);
		}
		return true;
	});
	const pool = await startedPool({ remote: remote(url) }, { limits });
	await expect(pool.callTool('remote', 'work', {})).rejects.toMatchObject({ reason });
	await eventually(() => open.size === 0);
});

test.each(['before its headers', 'in a stream', 'in a body', 'numbered, in a stream'] as const)(
	'calls that are given up leave nothing open: %s',
	async (where) => {
		const open = new Set<ServerResponse>();
		const url = await faultyHttpServer(({ method, response }) => {
			if (method !== 'tools/call') return false;
			keepIn(open, response);
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
		await eventually(() => open.size === 60);
		giveUp.abort(new Error('given up'));
		const ends = await Promise.allSettled(calls);
		expect(ends.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
		await eventually(() => open.size === 0);
		expect(statusOf(pool, 'remote').state.kind).toBe('ready');
	},
);

test('a stream that the server leaves open after its answer is closed', async () => {
	const open = new Set<ServerResponse>();
	const url = await faultyHttpServer(({ method, id, response }) => {
		if (method !== 'tools/call') return false;
		keepIn(open, response);
		response.setHeader('content-type', 'text/event-stream');
		response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('worked') })}\n\n`);
		return true;
	});
	const pool = await startedPool({ remote: remote(url) });
	for (let i = 0; i < 5; i += 1) expect(resultText(await pool.callTool('remote', 'work', {}))).toBe('worked');
	await eventually(() => open.size === 0);
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
