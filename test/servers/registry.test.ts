import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import {
	isRegistryAddress,
	RegistryError,
	type RegistryQuery,
	searchRegistry,
} from '../../src/mcp/registry.ts';
import { serve } from './poolFixture.ts';

// The API: https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/api/openapi.yaml, 2025-12-01.

const weather = {
	server: {
		$schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
		name: 'io.github.example/weather',
		title: 'Weather',
		description: 'Forecasts',
		version: '1.0.2',
		packages: [
			{ registryType: 'npm', identifier: '@example/weather', version: '1.0.2', transport: { type: 'stdio' } },
		],
		remotes: [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }],
	},
	_meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
};
const named = (name: string, status = 'active') => ({
	server: { ...weather.server, name },
	_meta: { 'io.modelcontextprotocol.registry/official': { status } },
});

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: string[] = [];
let base: string;

beforeEach(async () => {
	base = await serve((request, response) => {
		asked.push(request.url ?? '');
		answer(request, response);
	});
});

function answerWith(body: unknown, status = 200, headers: Record<string, string> = {}): void {
	asked.length = 0;
	answer = (_, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	};
}

const search = (query: RegistryQuery = { search: 'weather' }, limits?: { totalMs: number; bytes: number }) =>
	searchRegistry(base, query, new AbortController().signal, limits);

async function failureOf(work: Promise<unknown>): Promise<unknown> {
	try {
		await work;
	} catch (error) {
		return error instanceof RegistryError ? error.failure : error;
	}
	throw new Error('it has not failed');
}

describe('given a registry on this machine', () => {
	test('when it is asked, then it gets the words and how many, and nothing else', async () => {
		let headers: IncomingMessage['headers'] = {};
		answerWith({ servers: [weather], metadata: { count: 1 } });
		const plain = answer;
		answer = (request, response) => {
			headers = request.headers;
			plain(request, response);
		};
		const page = await search({ search: 'fore cast&x=1' });
		expect(asked).toEqual(['/v0.1/servers?search=fore+cast%26x%3D1&limit=30&version=latest']);
		expect(headers.authorization ?? headers.cookie).toBeUndefined();
		expect(page.nextCursor).toBeUndefined();
		expect(page.servers).toMatchObject([
			{ name: 'io.github.example/weather', title: 'Weather', version: '1.0.2', isDeprecated: false },
		]);
		expect(page.servers[0]?.ways.map(({ way }) => way)).toEqual([
			'npm package @example/weather@1.0.2',
			'https://weather.example.com/mcp',
		]);
	});

	test.each(['', '/', '/v0.1', '/v0.1/servers', '/v0/servers/'])('its address may end in %j', async (end) => {
		answerWith({ servers: [] });
		await searchRegistry(base + end, { search: 'x' }, new AbortController().signal);
		expect(asked[0]).toMatch(/^\/v0\.1\/servers\?/);
	});

	test('when it has more, then its cursor asks for that, unless it gives the same one again', async () => {
		answerWith({ servers: [weather], metadata: { nextCursor: 'a/b:1' } });
		expect((await search()).nextCursor).toBe('a/b:1');
		const again = await search({ search: 'weather', cursor: 'a/b:1' });
		expect(asked.at(-1)).toContain('cursor=a%2Fb%3A1');
		expect(again.nextCursor).toBeUndefined();
	});

	test('when servers are deleted, deprecated or no servers, then they are left out or marked', async () => {
		answerWith({
			servers: [
				named('a', 'deleted'),
				named('b', 'deprecated'),
				{ server: { description: 'x' } },
				7,
				null,
				named(''),
			],
		});
		expect((await search()).servers.map(({ name, isDeprecated }) => [name, isDeprecated])).toEqual([
			['b', true],
		]);
	});

	test('when it lies about a package, then that is no way to have the server', async () => {
		const packages = [
			{
				registryType: 'npm',
				identifier: 'good',
				version: '1.0.0',
				runtimeArguments: [{ type: 'named', name: '-p', value: 'evil' }],
			},
		];
		answerWith({ servers: [{ server: { name: 'io.github.example/good', packages } }] });
		const [server] = (await search()).servers;
		expect(server?.ways).toEqual([]);
		expect(server?.faults.join()).toContain('run something else');
	});

	test('when it sends more servers than were asked for, then the rest is not read', async () => {
		answerWith({ servers: Array.from({ length: 500 }, (_, index) => named(`io.github.example/s${index}`)) });
		expect((await search()).servers).toHaveLength(30);
	});
});

describe('given a registry that does not answer as it should', () => {
	test.each([
		['a page', '<html>', 200, { kind: 'malformed' }],
		['something else', '{"data": []}', 200, { kind: 'malformed' }],
		['a problem of its own', 'no', 503, { kind: 'failed', status: 503 }],
		['that it has too much to do', '', 429, { kind: 'failed', status: 429 }],
		['that it wants a sign-in', 'no', 401, { kind: 'refused', status: 401 }],
		['nothing there', '', 404, { kind: 'refused', status: 404 }],
	])('then %s is told', async (_, body, status, failure) => {
		answerWith(body, status);
		expect(await failureOf(search())).toEqual(failure);
	});

	test('then it is not followed to another address', async () => {
		answerWith('', 302, { location: 'http://127.0.0.1:9/elsewhere' });
		expect(await failureOf(search())).toEqual({ kind: 'redirected' });
		expect(asked).toHaveLength(1);
	});

	test('then no more is read than is allowed', async () => {
		let sent = 0;
		answer = (_, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const part = ' '.repeat(65_536);
			const more = () => {
				while (!response.destroyed && response.write(part)) sent += part.length;
				response.once('drain', more);
			};
			more();
		};
		expect(await failureOf(search({ search: 'x' }, { totalMs: 60_000, bytes: 1024 * 1024 }))).toEqual({
			kind: 'large',
			megabytes: 1,
		});
		expect(sent).toBeLessThan(64 * 1024 * 1024);
	});

	test('then one that says nothing, or only a little now and then, is given up', async () => {
		const limits = { totalMs: 300, bytes: 1024 };
		answer = () => {};
		expect(await failureOf(search({ search: 'x' }, limits))).toEqual({ kind: 'slow', seconds: 1 });
		answer = (_, response) => {
			response.writeHead(200);
			const timer = setInterval(() => response.write(' '), 20);
			response.on('close', () => clearInterval(timer));
		};
		expect(await failureOf(search({ search: 'x' }, limits))).toEqual({ kind: 'slow', seconds: 1 });
	});

	test('then one that is not there is told', async () => {
		const gone = searchRegistry('http://127.0.0.1:9', { search: 'x' }, new AbortController().signal);
		expect(await failureOf(gone)).toEqual({ kind: 'unreachable' });
	});

	test('then who types on ends the request', async () => {
		const closed = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		answer = (request) => {
			request.socket.on('close', () => closed.resolve());
			begun.resolve();
		};
		const typing = new AbortController();
		const failure = failureOf(searchRegistry(base, { search: 'x' }, typing.signal));
		await begun.promise;
		typing.abort(new Error('typed on'));
		expect(await failure).toMatchObject({ message: 'typed on' });
		await closed.promise;
	});
});

test.each([
	['https://registry.example.com', true],
	['http://127.0.0.1:8080/x', true],
	['http://localhost:1', true],
	['http://registry.example.com', false],
	['https://ada:pw@registry.example.com', false],
	['ftp://x', false],
	['registry', false],
	['', false],
])('%j can be the address of a registry: %s', (address, can) => {
	expect(isRegistryAddress(address)).toBe(can);
});
