import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/common/clock.ts';
import type { ServerLaunch } from '../../src/config/servers/launch.ts';
import type { AskUser } from '../../src/mcp/connection/questions.ts';
import { defaultLimits, type McpLimits } from '../../src/mcp/limits.ts';
import { CatalogStore } from '../../src/mcp/listing/catalogStore.ts';
import { ServerPool } from '../../src/mcp/serverPool.ts';
import type { ServerStatus } from '../../src/mcp/serverStatus.ts';
import type { EditorProxy } from '../../src/mcp/stdio/childEnvironment.ts';
import { listen } from './loopback.ts';

export const reaperScript = fileURLToPath(new URL('../../dist/reaper.js', import.meta.url));

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-pool-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

interface PoolOptions {
	readonly limits?: Partial<McpLimits>;
	/** Where it stores lists. */
	readonly folder?: string;
	readonly ttlSeconds?: number;
	readonly isQuarantined?: (server: string, tool: string) => boolean;
	readonly ask?: AskUser;
	readonly editorProxy?: () => EditorProxy;
}

/** Serves HTTP on loopback until the test ends; returns the origin. */
export async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return listen(server);
}

/** A pool that the caller disposes. */
export async function openPool({
	folder,
	ttlSeconds = 0,
	...options
}: PoolOptions & { readonly folder: string }): Promise<ServerPool> {
	const limits = { ...defaultLimits, ...options.limits };
	return new ServerPool({
		reaperScript,
		store: await CatalogStore.open(folder, limits, systemClock),
		client: { name: 'test', version: '1.0.0' },
		toolCacheTtlSeconds: ttlSeconds,
		...options,
		limits,
	});
}

/** A pool that is disposed after the test. */
export async function newPool(options: PoolOptions = {}): Promise<ServerPool> {
	const pool = await openPool({ folder: temporaryFolder(), ...options });
	onTestFinished(() => pool.dispose());
	return pool;
}

/** A pool of these servers, after each has started or failed. */
export async function startedPool(
	launches: Readonly<Record<string, ServerLaunch>>,
	options?: PoolOptions,
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
