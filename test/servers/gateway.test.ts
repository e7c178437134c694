import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ToolResult, textResult } from '../../src/discovery/catalog/tool.ts';
import { defaultGatewayLimits, Gateway, type GatewayLimits } from '../../src/gateway/gateway.ts';
import type { GatewayCall, GatewayClient, GatewayTools } from '../../src/gateway/gatewayTools.ts';
import { mcpPath, openWindows, registerWindow } from '../../src/gateway/windows.ts';
import { bodyOf } from './loopback.ts';

const token = 'token-of-the-window';
const me = { name: 'codex', version: '1' };
const url = () => new URL(`http://127.0.0.1:${gateway.port}${mcpPath}`);
const requestInit = { headers: { authorization: `Bearer ${token}` } };
const program = join(import.meta.dirname, '../../src/gateway/program.ts');

let folder: string;
let gateway: Gateway;
let calls: { client: GatewayClient; tool: string; input: unknown }[];
let answer: (call: GatewayCall) => Promise<ToolResult>;
const tools: GatewayTools = {
	services: async () => ['github', 'files'],
	call: async (client, tool, input, call) => {
		calls.push({ client, tool, input });
		return answer(call);
	},
};

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'mcp-gateway-'));
	calls = [];
	answer = async () => textResult('done');
	gateway = await Gateway.open({ tools, version: '1.0.0', token, editor: 'Visual Studio Code' });
	await registerWindow(folder, { folders: [folder], port: gateway.port, token, pid: process.pid });
});
afterEach(() => {
	gateway.dispose();
	rmSync(folder, { recursive: true, force: true });
});

/** The SDKs of both generations have another order of arguments. */
type Connected = Pick<Client, 'listTools' | 'getInstructions' | 'close'> & {
	readonly call: (options?: {
		signal?: AbortSignal;
		onprogress?: (progress: { message?: string }) => void;
	}) => Promise<unknown>;
};
const call = { name: 'call_tool', arguments: { tool: 'github:x', id: JSON.rawJSON('1234567890123456789') } };

async function older(transport: Parameters<Client['connect']>[0]): Promise<Connected> {
	const client = new Client(me);
	await client.connect(transport);
	return Object.assign(client, {
		call: (options = {}) => client.callTool(call, undefined, options),
	}) as Connected;
}

async function newer(transport: Parameters<ModernClient['connect']>[0]): Promise<Connected> {
	const client = new ModernClient(me, { versionNegotiation: { mode: 'auto' } });
	await client.connect(transport);
	return Object.assign(client, {
		call: (options = {}) => client.callTool(call, options),
	}) as unknown as Connected;
}

/** Clients of both generations of the protocol, over HTTP and through the program that agents start. */
const clients = {
	'the older protocol over HTTP': () =>
		older(new OlderHttp(url(), { requestInit }) as Parameters<Client['connect']>[0]),
	'the newer protocol over HTTP': () => newer(new StreamableHTTPClientTransport(url(), { requestInit })),
	'the older protocol over stdio': () => older(new StdioClientTransport(started())),
	'the newer protocol over stdio': () => newer(new ModernStdio(started())),
};

function started() {
	return { command: process.execPath, args: [program, folder], cwd: folder };
}

describe.each(Object.entries(clients))('given a client of %s', (what, connect) => {
	test('when it lists and calls, then it gets four tools that name the services, and its name is known', async () => {
		const client = await connect();
		const { tools: listed } = await client.listTools();
		expect(listed.map(({ name }) => name)).toEqual([
			'search_tools',
			'list_tools',
			'tool_details',
			'call_tool',
		]);
		expect(listed[0]?.description).toContain('github, files');
		expect(client.getInstructions()).toContain('search_tools');
		expect(await client.call()).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
		expect(calls).toMatchObject([
			{ client: { name: 'codex' }, tool: 'call_tool', input: { tool: 'github:x' } },
		]);
		expect(JSON.stringify(calls[0]?.input)).toContain('"id":1234567890123456789');
		await client.close();
	});

	test('when it calls twice, then both are of one session, and those of another client are not', async () => {
		const [client, other] = [await connect(), await connect()];
		for (const one of [client, client, other]) await one.call();
		const [first, second, third] = calls.map(({ client }) => client.session);
		expect(second).toBe(first);
		// Over HTTP, the newer protocol does not tell sessions apart.
		if (what !== 'the newer protocol over HTTP') expect(third).not.toBe(first);
		for (const one of [client, other]) await one.close();
	});

	test('when a call reports progress, then the client gets it', async () => {
		const client = await connect();
		const heard = Promise.withResolvers<string | undefined>();
		answer = async ({ onProgress }) => {
			onProgress('waiting for you in VS Code');
			await heard.promise;
			return textResult('done');
		};
		await client.call({ onprogress: ({ message }) => heard.resolve(message) });
		expect(await heard.promise).toBe('waiting for you in VS Code');
		await client.close();
	});

	test('when it ends during a call without a word, then the call is told', async () => {
		const running = Promise.withResolvers<AbortSignal>();
		answer = ({ signal }) => {
			running.resolve(signal);
			return new Promise(() => {});
		};
		const client = await connect();
		client.call().catch(() => {});
		const signal = await running.promise;
		expect(signal.aborted).toBe(false);
		await client.close();
		await expect.poll(() => signal.aborted).toBe(true);
	});

	test('when the client cancels, then the call is told', async () => {
		const client = await connect();
		const aborted = Promise.withResolvers<void>();
		const began = Promise.withResolvers<void>();
		answer = ({ signal }) =>
			new Promise((_resolve, reject) => {
				began.resolve();
				signal.addEventListener('abort', () => {
					aborted.resolve();
					reject(signal.reason);
				});
			});
		const stop = new AbortController();
		const failed = expect(client.call({ signal: stop.signal })).rejects.toThrow();
		await began.promise;
		stop.abort();
		await aborted.promise;
		await failed;
		await client.close();
	});
});

const initialize = {
	jsonrpc: '2.0',
	id: 1,
	method: 'initialize',
	params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: me },
};

interface Attempt {
	readonly method?: string;
	readonly path?: string;
	readonly headers?: Readonly<Record<string, string | undefined>>;
	readonly body?: string;
}

/** One request as any program can make it; `undefined` leaves a header out. Resolves to status and body. */
function attempt({
	method = 'POST',
	path = '/mcp',
	headers = {},
	body = JSON.stringify(initialize),
}: Attempt) {
	const all = {
		host: `127.0.0.1:${gateway.port}`,
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
		authorization: `Bearer ${token}`,
		...headers,
	};
	const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
	return new Promise<{ status: number; text: string; session: string | undefined }>((resolve, reject) => {
		const sending = request(
			{ host: '127.0.0.1', port: gateway.port, method, path, headers: sent as Record<string, string> },
			async (response) => {
				const text = await bodyOf(response).catch(() => '');
				const session = response.headers['mcp-session-id'];
				resolve({ status: response.statusCode ?? 0, text, session: session?.toString() });
			},
		);
		sending.on('error', reject);
		sending.end(method === 'GET' || method === 'DELETE' ? undefined : body);
	});
}

/** Who must not get in, and how. */
const refused: readonly (readonly [what: string, attempt: Attempt, status: number])[] = [
	['another user’s process without the token', { headers: { authorization: undefined } }, 403],
	['an empty token', { headers: { authorization: 'Bearer ' } }, 403],
	['a stale token', { headers: { authorization: 'Bearer token-of-yesterday' } }, 403],
	['a part of the token', { headers: { authorization: `Bearer ${token.slice(0, -1)}` } }, 403],
	['a longer token', { headers: { authorization: `Bearer ${token}x` } }, 403],
	['the token under another scheme', { headers: { authorization: `Basic ${token}` } }, 403],
	['the token without a scheme', { headers: { authorization: token } }, 403],
	['the token in the address', { path: `/mcp?token=${token}`, headers: { authorization: undefined } }, 403],
	['the token in a cookie', { headers: { authorization: undefined, cookie: `token=${token}` } }, 403],
	['a name that was resolved to this machine', { headers: { host: 'attacker.example' } }, 403],
	['such a name with the port', { headers: { host: 'attacker.example:80' } }, 403],
	['a name that begins like ours', { headers: { host: '127.0.0.1.attacker.example' } }, 403],
	['the address without the port', { headers: { host: '127.0.0.1' } }, 403],
	['another port', { headers: { host: '127.0.0.1:1' } }, 403],
	['the address of all networks', { headers: { host: '0.0.0.0' } }, 403],
	['a web page', { headers: { origin: 'https://attacker.example' } }, 403],
	['a page of this machine', { headers: { origin: 'http://localhost:3000' } }, 403],
	['a page of the same address', { headers: { origin: 'http://127.0.0.1' } }, 403],
	['a page of another port', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
	['a file that is open in a browser', { headers: { origin: 'null' } }, 403],
	[
		'a web page before its request',
		{ method: 'OPTIONS', headers: { origin: 'https://attacker.example' } },
		403,
	],
	['another path', { path: '/' }, 404],
	['a path above it', { path: '/mcp/../secret' }, 404],
	['the whole address as the path', { path: 'http://attacker.example/mcp' }, 404],
	[
		'a session that nobody has',
		{ headers: { 'mcp-session-id': 'guessed' }, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
		404,
	],
	['a call without a session', { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, 400],
	['no JSON', { body: 'hello' }, 400],
	['an empty body', { body: '' }, 400],
	['a form of a web page', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
	['a body of plain text', { headers: { 'content-type': 'text/plain' } }, 415],
	['a client that takes no answer', { headers: { accept: 'text/html' } }, 406],
	['another method', { method: 'PUT' }, 405],
	['a body of five megabytes', { body: JSON.stringify({ ...initialize, pad: 'x'.repeat(5_000_000) }) }, 413],
	[
		'an unknown version',
		{
			headers: { 'mcp-protocol-version': '1999-01-01' },
			body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
		},
		400,
	],
];

describe('given programs and pages that must not get in', () => {
	test.each(refused)('when %s asks, then it is refused, and learns nothing', async (_, made, status) => {
		const { status: got, text, session } = await attempt(made);
		expect(got).toBe(status);
		expect(session).toBeUndefined();
		expect(text).not.toContain(token);
		expect(text).not.toContain('github');
		expect(calls).toEqual([]);
		// And everybody else goes on.
		expect((await attempt({})).status).toBe(200);
	});
});

const calling = (params: unknown, more: object = {}) => ({ method: 'tools/call', params, ...more });
const callOf = (input: unknown) => calling({ name: 'call_tool', arguments: input });
let deep: unknown = 'x';
for (let i = 0; i < 3_000; i++) deep = { deep };

/** What a client that has the token may send by mistake or to do harm, within its session. */
const odd: readonly (readonly [what: string, message: unknown])[] = [
	['an unknown method', { method: 'tools/delete' }],
	['a method of the prototype', { method: '__proto__' }],
	['a number as the method', { method: 7 }],
	['no method', {}],
	['another version of JSON-RPC', { method: 'tools/list', jsonrpc: '1.0' }],
	['an object as the id', { method: 'tools/list', id: {} }],
	['a response that nobody waits for', { id: 99, result: {} }],
	['an empty list of messages', []],
	['a list of calls', [calling({ name: 'call_tool' }), calling({ name: 'call_tool' })]],
	['a text instead of a message', 'tools/list'],
	['a number instead of a message', 7],
	['null instead of a message', null],
	['an unknown tool', calling({ name: 'delete_everything' })],
	['a tool of the prototype', calling({ name: 'constructor' })],
	['a name of a megabyte', calling({ name: 'x'.repeat(1_000_000) })],
	['no name', calling({})],
	['no parameters', { method: 'tools/call' }],
	['a list as the arguments', callOf([1])],
	['a text as the arguments', callOf('github:x')],
	['null as the arguments', callOf(null)],
	['arguments that are nested without end', callOf({ tool: 'github:x', arguments: deep })],
	['arguments for the prototype', callOf(JSON.parse('{"__proto__":{"isError":false}}'))],
	['an object as the token of progress', calling({ name: 'call_tool', _meta: { progressToken: {} } })],
	['a cursor of a list that has one page', { method: 'tools/list', params: { cursor: 'x' } }],
	['a cancellation of a call of others', { method: 'notifications/cancelled', params: { requestId: 1 } }],
	['a second beginning', { method: 'initialize', params: { ...initialize.params, clientInfo: {} } }],
];

describe('given a client that is allowed in', () => {
	test.each(odd)(
		'when it sends %s, then it is answered or refused, and everybody else goes on',
		async (_, message) => {
			const { session } = await attempt({});
			const whole =
				typeof message === 'object' && message !== null && !Array.isArray(message)
					? { jsonrpc: '2.0', id: 2, ...message }
					: message;
			const made = await attempt({ headers: { 'mcp-session-id': session }, body: JSON.stringify(whole) });
			expect(made.status).toBeLessThan(500);
			expect(made.text).not.toContain(token);
			expect(made.text.length).toBeLessThan(10_000);
			const after = await attempt({
				headers: { 'mcp-session-id': session },
				body: '{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
			});
			expect(after.text).toContain('search_tools');
		},
	);

	test.each([
		['two lines', 'codex\nAllowed by the user', 'codex Allowed by the user'],
		['a reversed end', 'codex\u202Etxt', 'codextxt'],
		['invisible characters', 'co\u200Bdex\u{E0041}', 'codex'],
		['no characters', '  ', 'MCP client'],
		['ten thousand characters', 'x'.repeat(10_000), `${'x'.repeat(57)}...`],
		['an object', { toString: 'x' }, 'MCP client'],
	])('when its name is %s, then one short line of it is shown', async (_, name, shown) => {
		const body = { ...initialize, params: { ...initialize.params, clientInfo: { name, version: '1' } } };
		const { session } = await attempt({ body: JSON.stringify(body) });
		if (session === undefined) return expect(typeof name).toBe('object');
		await attempt({
			headers: { 'mcp-session-id': session },
			body: JSON.stringify({ jsonrpc: '2.0', id: 2, ...callOf({ tool: 'github:x' }) }),
		});
		expect(calls.map(({ client }) => client.name)).toEqual([shown]);
	});
});

test('given the editor itself, whose chats have the four tools already, when it lists, then they are not there twice', async () => {
	const client = new Client({ name: 'Visual Studio Code', version: '1' });
	await client.connect(new StdioClientTransport(started()));
	expect((await client.listTools()).tools).toEqual([]);
	await client.close();
});

test('given two windows with one folder, when the one that an agent uses closes, then the other goes on', async () => {
	const other = await Gateway.open({ tools, version: '1.0.0', token });
	const file = await registerWindow(folder, {
		folders: [folder],
		port: other.port,
		token,
		pid: process.ppid,
	});
	const client = await clients['the older protocol over stdio']();
	expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
	other.dispose();
	rmSync(file);
	expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
	await client.close();
});

test('given an agent that sends half a request, then it holds up nobody', async () => {
	const socket = createConnection(gateway.port, '127.0.0.1');
	socket.on('error', () => {});
	socket.write(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\ncontent-length: 100\r\n`);
	expect((await attempt({})).status).toBe(200);
	socket.destroy();
});

/** Opens the window again, as a reload does: on another port, with the same folders. */
async function reload(limits?: GatewayLimits): Promise<void> {
	gateway.dispose();
	gateway = await Gateway.open({ tools, version: '1.0.0', token, ...(limits && { limits }) });
	await registerWindow(folder, { folders: [folder], port: gateway.port, token, pid: process.pid });
}

const textOf = (result: unknown) => JSON.stringify(result);

describe.each([
	['the older', () => clients['the older protocol over stdio']()],
	['the newer', () => clients['the newer protocol over stdio']()],
] as const)('given an agent of %s protocol that starts the program', (_, connect) => {
	test('when the window reloads between two calls, then the second goes to the new one', async () => {
		const client = await connect();
		await client.call();
		await reload();
		expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
		expect(calls).toHaveLength(2);
		expect(calls[1]?.client).toEqual(calls[0]?.client);
		await client.close();
	});

	test('when the window reloads during a call, then the agent hears that it may have run, and it is not run again', async () => {
		const client = await connect();
		const began = Promise.withResolvers<void>();
		answer = () => {
			began.resolve();
			return new Promise(() => {});
		};
		const call = client.call().catch(String);
		await began.promise;
		await reload();
		expect(textOf(await call)).toContain('The call may have run.');
		expect(calls).toHaveLength(1);
		answer = async () => textResult('done');
		expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
		await client.close();
	});
});

test('given no window that has the folder open, when an agent calls, then it hears what to do, and goes on once there is one', async () => {
	rmSync(join(folder, `${process.pid}.json`));
	const client = await clients['the older protocol over stdio']();
	expect((await client.listTools()).tools).toHaveLength(4);
	const alone = textOf(await client.call());
	expect(alone).toContain(folder);
	expect(alone).toContain('Discovery: Connect Other Agents…');
	await registerWindow(folder, { folders: [folder], port: gateway.port, token, pid: process.pid });
	expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
	await client.close();
});

test('given the note of a window that has ended without closing, when an agent looks, then the note is deleted', async () => {
	const gone = await registerWindow(folder, { folders: [folder], port: 1, token, pid: 2 ** 22 - 1 });
	expect(await openWindows(folder)).toMatchObject([{ port: gateway.port }]);
	expect(existsSync(gone)).toBe(false);
});

test('given a port that another program has, when the window opens, then it takes another', async () => {
	const other = await Gateway.open({ tools, version: '1.0.0', token }, gateway.port);
	expect(other.port).not.toBe(gateway.port);
	other.dispose();
});

test('given twenty agents at once, when all call, then each gets its own answer', async () => {
	answer = async () => textResult(`answer ${calls.length}`);
	const all = await Promise.all(Array.from({ length: 20 }, () => clients['the older protocol over HTTP']()));
	const answers = await Promise.all(all.map((client) => client.call()));
	expect(new Set(answers.map(textOf)).size).toBe(20);
	expect(new Set(calls.map(({ client }) => client.session)).size).toBe(20);
	await Promise.all(all.map((client) => client.close()));
});

const small: GatewayLimits = { ...defaultGatewayLimits, requests: 8, sessions: 3, silentMs: 300 };

test('given an agent that floods, when it has many requests open, then the rest is refused, and it recovers', async () => {
	await reload(small);
	const gate = Promise.withResolvers<void>();
	answer = async () => {
		await gate.promise;
		return textResult('done');
	};
	const client = await clients['the newer protocol over HTTP']();
	const all = Array.from({ length: 30 }, () => client.call().then(() => 'done', String));
	const refusals = (await Promise.race([Promise.all(all), Promise.all(all.slice(8))])) as string[];
	expect(refusals.filter((text) => text.includes('Too many requests'))).toHaveLength(22);
	gate.resolve();
	expect((await Promise.all(all)).filter((text) => text === 'done')).toHaveLength(8);
	expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
	await client.close();
});

test('given more sessions than are kept, when the oldest asks again, then it is told that it has ended', async () => {
	await reload(small);
	const sessions: (string | undefined)[] = [];
	for (let i = 0; i < 4; i++) sessions.push((await attempt({})).session);
	const list = (session: string | undefined) =>
		attempt({
			headers: { 'mcp-session-id': session },
			body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
		});
	expect((await list(sessions[0])).status).toBe(404);
	expect((await list(sessions[3])).status).toBe(200);
});

test('given a result with a picture, a sound and a file, when the agent gets it, then it sees and hears them, and is told of the file', async () => {
	const media = [
		{ type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
		{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
	] as const;
	const file = { type: 'file', name: 'report.pdf', data: 'JVBERg==', mimeType: 'application/pdf' } as const;
	answer = async () => ({ content: [...media, file], isError: false });
	for (const connect of [clients['the older protocol over HTTP'], clients['the newer protocol over HTTP']]) {
		const client = await connect();
		const { content } = (await client.call()) as { content: unknown[] };
		expect(content.slice(0, 2)).toEqual(media);
		expect(content[2]).toMatchObject({ type: 'text', text: expect.stringContaining('report.pdf') });
		await client.close();
	}
});

test('given a result of twenty megabytes, when the agent reads it, then it gets all of it', async () => {
	answer = async () => textResult('x'.repeat(20_000_000));
	const client = await clients['the older protocol over HTTP']();
	expect(textOf(await client.call()).length).toBeGreaterThan(20_000_000);
	await client.close();
});

test('given a call that takes long and reports nothing, when it is done, then the agent gets its result', async () => {
	await reload(small);
	answer = async () => {
		await delay(1_000);
		return textResult('done');
	};
	for (const connect of [clients['the older protocol over HTTP'], clients['the newer protocol over HTTP']]) {
		const client = await connect();
		expect(await client.call()).toMatchObject({ content: [{ text: 'done' }] });
		await client.close();
	}
});

test('given an agent that never reads, when a large result is there, then its connection is cut', async () => {
	await reload(small);
	answer = async () => textResult('x'.repeat(20_000_000));
	const { session } = await attempt({});
	const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
	const socket = createConnection(gateway.port, '127.0.0.1');
	socket.pause();
	const closed = once(socket, 'close');
	socket.on('error', () => {});
	socket.write(
		[
			'POST /mcp HTTP/1.1',
			`host: 127.0.0.1:${gateway.port}`,
			`authorization: Bearer ${token}`,
			`mcp-session-id: ${session}`,
			'content-type: application/json',
			'accept: application/json, text/event-stream',
			`content-length: ${body.length}`,
			'',
			body,
		].join('\r\n'),
	);
	await expect.poll(() => calls.length).toBe(1);
	// Only then is it read, to see that the rest is missing.
	await delay(1_000);
	let read = 0;
	socket.on('data', ({ length }) => {
		read += length;
	});
	socket.resume();
	await closed;
	expect(read).toBeLessThan(20_000_000);
});
