import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerLaunch } from '../../src/config/servers/launch.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import { node, publishedServer } from './launches.ts';
import { eventually, newPool, startedPool, statusOf, temporaryFolder, toolNames } from './poolFixture.ts';

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' && address ? address.port : 0;
}

/** server-everything over HTTP; `kill` ends it before the test does. */
async function everythingOverHttp(
	transport: 'streamable-http' | 'sse',
): Promise<{ readonly launch: ServerLaunch; readonly kill: () => Promise<void> }> {
	const port = await freePort();
	const child = spawn(
		process.execPath,
		[publishedServer('everything'), transport === 'sse' ? 'sse' : 'streamableHttp'],
		{
			env: { ...process.env, PORT: String(port) },
			stdio: ['ignore', 'ignore', 'pipe'],
		},
	);
	const exited = once(child, 'exit');
	const kill = async () => {
		child.kill('SIGKILL');
		await exited;
	};
	onTestFinished(kill);
	await new Promise<void>((resolve) => {
		child.stderr.on('data', (chunk) => String(chunk).includes(`port ${port}`) && resolve());
	});
	const url = `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
	return { launch: { kind: 'remote', url, transport, headers: {} }, kill };
}

async function launchOf(transport: 'stdio' | 'streamable-http' | 'sse'): Promise<ServerLaunch> {
	return transport === 'stdio'
		? node(publishedServer('everything'))
		: (await everythingOverHttp(transport)).launch;
}

describe.each(['stdio', 'streamable-http', 'sse'] as const)('server-everything over %s', (transport) => {
	test('is listed, and its tools answer', async () => {
		const pool = await startedPool({ everything: await launchOf(transport) });

		expect(statusOf(pool, 'everything')).toMatchObject({
			state: { kind: 'ready' },
			cached: false,
			dropped: [],
		});
		expect(toolNames(pool, 'everything')).toEqual(
			expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']),
		);
		expect(statusOf(pool, 'everything').instructions).toContain('Everything Server');

		const echo = await pool.callTool('everything', 'echo', { message: 'hello' });
		expect(echo).toEqual({ content: [{ type: 'text', text: 'Echo: hello' }], isError: false });
	});

	test('reports progress, and an image arrives as one', async () => {
		const pool = await startedPool({ everything: await launchOf(transport) });
		const seen: number[] = [];

		await pool.callTool(
			'everything',
			'trigger-long-running-operation',
			{ duration: 0.2, steps: 4 },
			{
				onProgress: ({ progress }) => seen.push(progress),
			},
		);
		const image = await pool.callTool('everything', 'get-tiny-image', {});

		// The last step may arrive together with the answer, and the SDK then drops it.
		expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
		expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
	});

	test('a call that the user cancels ends before the server does its work, and the next one works', async () => {
		const pool = await startedPool({ everything: await launchOf(transport) });
		const stop = new AbortController();
		const call = pool.callTool(
			'everything',
			'trigger-long-running-operation',
			{ duration: 60, steps: 600 },
			{
				signal: stop.signal,
				onProgress: () => stop.abort(new Error('the user said stop')),
			},
		);

		await expect(call).rejects.toThrow('the user said stop');
		expect(resultText(await pool.callTool('everything', 'get-sum', { a: 2, b: 3 }))).toContain('5');
	});

	test('wrong arguments come back as an error result, not as an exception', async () => {
		const pool = await startedPool({ everything: await launchOf(transport) });
		const result = await pool.callTool('everything', 'get-sum', { a: 'two' });
		expect(result.isError).toBe(true);
	});
});

test('filesystem and memory do their work side by side', async () => {
	const folder = temporaryFolder();
	const memory = {
		...node(publishedServer('memory')),
		env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
	};
	const pool = await startedPool({ files: node(publishedServer('filesystem'), folder), memory });

	const written = await pool.callTool('files', 'write_file', {
		path: join(folder, 'hello.txt'),
		content: 'Hello',
	});
	await pool.callTool('memory', 'create_entities', {
		entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }],
	});
	const found = await pool.callTool('memory', 'search_nodes', { query: 'Ada' });

	expect(written.isError).toBe(false);
	expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toBe('Hello');
	expect(resultText(found)).toContain('wrote the first program');
	expect(pool.catalogServers().map((server) => server.name)).toEqual(['files', 'memory']);
});

test('a server gets no variable of ours but the few it needs, and those that its entry declares', async () => {
	process.env.SOMEBODYS_SECRET = 'not for servers';
	onTestFinished(() => {
		delete process.env.SOMEBODYS_SECRET;
	});
	const pool = await startedPool({
		everything: { ...node(publishedServer('everything')), env: { DECLARED: 'yes' } },
	});
	const env = JSON.parse(resultText(await pool.callTool('everything', 'get-env', {})));
	expect(env).toMatchObject({ DECLARED: 'yes', PATH: process.env.PATH });
	expect(env).not.toHaveProperty('SOMEBODYS_SECRET');
});

test('a server that is gone from the configuration is gone, one whose entry changed is started anew', async () => {
	const everything = node(publishedServer('everything'));
	const pool = await startedPool({ everything, memory: node(publishedServer('memory')) });
	pool.setLaunches(new Map([['everything', { ...everything, env: { GREETING: 'hi' } }]]));
	await pool.whenReady(['everything'], { timeoutMs: 30_000 });

	expect(pool.servers().map((server) => server.name)).toEqual(['everything']);
	expect(resultText(await pool.callTool('everything', 'get-env', {}))).toContain('"GREETING": "hi"');
	expect(pool.catalogServers()).toHaveLength(1);
	await expect(pool.callTool('memory', 'read_graph', {})).rejects.toMatchObject({ reason: 'unknown-server' });
});

test('the same configuration again changes nothing', async () => {
	const pool = await startedPool({ everything: node(publishedServer('everything')) });
	const { state } = statusOf(pool, 'everything');
	const [before] = pool.catalogServers();

	pool.setLaunches(new Map([['everything', node(publishedServer('everything'))]]));
	await pool.refresh();

	expect(statusOf(pool, 'everything').state).toEqual(state);
	expect(pool.catalogServers()[0]).toBe(before);
});

test('a server that cannot be reached fails with its address, without the key in it', async () => {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}/mcp?key=abcdefgh`;
	const pool = await newPool();
	pool.setLaunches(new Map([['remote', { kind: 'remote', url, transport: 'streamable-http', headers: {} }]]));
	await pool.whenReady(['remote'], { timeoutMs: 10_000 });
	const { state } = statusOf(pool, 'remote');
	expect(state).toMatchObject({ kind: 'failed', error: { reason: 'unreachable' } });
	expect(state.kind === 'failed' && state.error.message).toContain(`http://127.0.0.1:${port}/mcp`);
	expect(JSON.stringify(pool.log('remote'))).not.toContain('abcdefgh');
});

test('a server over SSE that goes away is seen to be gone, and tried again', async () => {
	const { launch, kill } = await everythingOverHttp('sse');
	const pool = await startedPool({ remote: launch });
	await kill();
	await eventually(() => statusOf(pool, 'remote').state.kind === 'failed');
	expect(statusOf(pool, 'remote').state).toMatchObject({ error: { reason: 'unreachable' } });
	expect(statusOf(pool, 'remote').state).toHaveProperty('nextAttemptAt');
	expect(toolNames(pool, 'remote')).toContain('echo');
});

test('a server over streamable HTTP that went away fails the next call and is tried again', async () => {
	const { launch, kill } = await everythingOverHttp('streamable-http');
	const pool = await startedPool({ remote: launch });
	await kill();
	await expect(pool.callTool('remote', 'echo', { message: 'hi' })).rejects.toMatchObject({
		reason: 'unreachable',
	});
	expect(statusOf(pool, 'remote').state).toHaveProperty('nextAttemptAt');
});
