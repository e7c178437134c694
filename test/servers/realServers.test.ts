import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ServerLaunch } from '../../src/config/servers/launch.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { CallProgress } from '../../src/mcp/connection/connectOptions.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { node, publishedServer } from './launches.ts';
import { freePort } from './loopback.ts';
import { openPool } from './openPool.ts';
import { eventually, newPool, startedPool, statusOf, toolNames } from './poolFixture.ts';

const longTool = 'trigger-long-running-operation';

/** server-everything over HTTP. The caller ends it with `kill`. */
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
	await new Promise<void>((resolve) => {
		child.stderr.on('data', (chunk) => String(chunk).includes(`port ${port}`) && resolve());
	});
	const url = `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`;
	return { launch: { kind: 'remote', url, transport, headers: {} }, kill };
}

describe.each(['stdio', 'streamable-http', 'sse'] as const)('server-everything over %s', (transport) => {
	let pool: ServerPool;
	const ends: (() => Promise<void> | void)[] = [];

	beforeAll(async () => {
		const folder = mkdtempSync(join(tmpdir(), 'mcp-everything-'));
		ends.push(() => rmSync(folder, { recursive: true, force: true }));
		const remote = transport === 'stdio' ? undefined : await everythingOverHttp(transport);
		if (remote) ends.push(remote.kill);
		pool = await openPool(folder);
		ends.push(() => pool.dispose());
		pool.setLaunches(new Map([['everything', remote?.launch ?? node(publishedServer('everything'))]]));
		await pool.whenReady(['everything'], { timeoutMs: 30_000 });
	});
	afterAll(async () => {
		for (const end of ends.toReversed()) await end();
	});

	test('is listed, and its tools answer', async () => {
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
		const image = await pool.callTool('everything', 'get-tiny-image', {});
		expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
		const refused = await pool.callTool('everything', 'get-sum', { a: 'two' });
		expect(refused.isError).toBe(true);
	});

	test('reports progress', async () => {
		const seen: number[] = [];
		const onProgress = ({ progress }: CallProgress) => seen.push(progress);
		await pool.callTool('everything', longTool, { duration: 0.2, steps: 4 }, { onProgress });
		// The last step may arrive together with the answer, and the SDK then drops it.
		expect(seen.slice(0, 3)).toEqual([1, 2, 3]);
	});

	test('if the user cancels a call, it ends before the server is done, and the next call works', async () => {
		const stop = new AbortController();
		const call = pool.callTool(
			'everything',
			longTool,
			{ duration: 60, steps: 600 },
			{ signal: stop.signal, onProgress: () => stop.abort(new Error('the user said stop')) },
		);

		await expect(call).rejects.toThrow('the user said stop');
		expect(resultText(await pool.callTool('everything', 'get-sum', { a: 2, b: 3 }))).toContain('5');
	});
});

test('the same configuration changes nothing; of another one, a missing server ends and a changed one restarts', async () => {
	const everything = node(publishedServer('everything'));
	const memory = node(publishedServer('memory'));
	const pool = await startedPool({ everything, memory });
	const [before] = pool.catalogServers();
	const { state } = statusOf(pool, 'everything');
	pool.setLaunches(new Map(Object.entries({ everything: structuredClone(everything), memory })));
	await pool.refresh();
	expect(statusOf(pool, 'everything').state).toEqual(state);
	expect(pool.catalogServers()[0]).toBe(before);

	pool.setLaunches(new Map([['everything', { ...everything, env: { GREETING: 'hi' } }]]));
	await pool.whenReady(['everything'], { timeoutMs: 30_000 });

	expect(pool.servers().map((server) => server.name)).toEqual(['everything']);
	expect(resultText(await pool.callTool('everything', 'get-env', {}))).toContain('"GREETING": "hi"');
	expect(pool.catalogServers()).toHaveLength(1);
	await expect(pool.callTool('memory', 'read_graph', {})).rejects.toMatchObject({ reason: 'unknown-server' });
});

test('a server that cannot be reached fails with its address, without the key in it', async () => {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}/mcp?key=abcdefgh`;
	const pool = await newPool();
	pool.setLaunches(new Map([['remote', { kind: 'remote', url, transport: 'streamable-http', headers: {} }]]));
	await pool.whenReady(['remote'], { timeoutMs: 10_000 });
	const { state } = statusOf(pool, 'remote');
	expect(state).toMatchObject({ kind: 'failed', error: { reason: 'unreachable' } });
	const explanation = `connect ECONNREFUSED 127.0.0.1:${port}`;
	expect(state).toMatchObject({ error: { details: { explanation } } });
	const message = `cannot be reached at http://127.0.0.1:${port}/mcp: ${explanation}. Check`;
	expect(state.kind === 'failed' && state.error.message).toContain(message);
	const log = JSON.stringify(pool.log('remote'));
	expect(log).toContain(explanation);
	expect(log).not.toContain('abcdefgh');
});

test('a server over SSE that goes away is seen to be gone, and tried again', async () => {
	const { launch, kill } = await everythingOverHttp('sse');
	onTestFinished(kill);
	const pool = await startedPool({ remote: launch });
	await kill();
	await eventually(() => statusOf(pool, 'remote').state.kind === 'failed');
	expect(statusOf(pool, 'remote').state).toMatchObject({ error: { reason: 'unreachable' } });
	expect(statusOf(pool, 'remote').state).toHaveProperty('nextAttemptAt');
	expect(toolNames(pool, 'remote')).toContain('echo');
});

test('a server over streamable HTTP that went away fails the next call and is tried again', async () => {
	const { launch, kill } = await everythingOverHttp('streamable-http');
	onTestFinished(kill);
	const pool = await startedPool({ remote: launch });
	await kill();
	await expect(pool.callTool('remote', 'echo', { message: 'hi' })).rejects.toMatchObject({
		reason: 'unreachable',
	});
	expect(statusOf(pool, 'remote').state).toHaveProperty('nextAttemptAt');
});
