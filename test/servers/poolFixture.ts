import { createServer, type RequestListener } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import type { ServerLaunch } from '../../src/config/servers/launch.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import type { ServerStatus } from '../../src/mcp/serverStatus.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { listen } from './loopback.ts';
import { openPool, type PoolOptions } from './openPool.ts';

/** Serves HTTP on loopback until the test ends; returns the origin. */
export async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return listen(server);
}

/** A pool that is disposed after the test. */
export async function newPool({
	folder = temporaryFolder(),
	...options
}: PoolOptions & { readonly folder?: string } = {}): Promise<ServerPool> {
	const pool = await openPool(folder, options);
	onTestFinished(() => pool.dispose());
	return pool;
}

/** A pool of these servers, after each has started or failed. */
export async function startedPool(
	launches: Readonly<Record<string, ServerLaunch>>,
	options?: Parameters<typeof newPool>[0],
): Promise<ServerPool> {
	const pool = await newPool(options);
	pool.setLaunches(new Map(Object.entries(launches)));
	await pool.whenReady(Object.keys(launches), { timeoutMs: 30_000 });
	return pool;
}

export function statusOf(pool: ServerPool, name: string): ServerStatus {
	const status = pool.servers().find((server) => server.name === name);
	if (!status) throw new Error(`no server ${name}`);
	return status;
}

export function toolNames(pool: ServerPool, name: string): string[] {
	return statusOf(pool, name).tools.map((tool) => tool.name);
}

/** Resolves when `condition` holds. The test's own timeout limits the wait. */
export async function eventually(condition: () => boolean): Promise<void> {
	await vi.waitFor(
		() => {
			if (!condition()) throw new Error('not yet');
		},
		{ timeout: 30_000, interval: 20 },
	);
}
