// A separate process: starts as many servers as its argument says, and prints the longest turns of its event loop, `Stalls` as JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StdioLaunch } from '../../src/config/servers/launch.ts';
// In the extension, the first server loads it, long before a hundred start.
import '../../src/mcp/connection/connect.ts';
import { PROJECT_ROOT } from '../../scripts/projectPaths.ts';
import { systemClock } from '../../src/common/clock.ts';
import { defaultLimits } from '../../src/mcp/limits.ts';
import { CatalogStore } from '../../src/mcp/listing/catalogStore.ts';
import { ServerPool } from '../../src/mcp/serverPool.ts';
import type { Stalls } from './startOptions.ts';

const ALL_READY_MS = 120_000;

const server: StdioLaunch = {
	kind: 'stdio',
	command: process.execPath,
	args: [path.join(PROJECT_ROOT, 'test/servers/programs/plainServer.mjs')],
	env: {},
	cwd: tmpdir(),
};

const turnsMs: number[] = [];
let isOver = false;

/** A chain of immediates sees every turn of the event loop. */
function watchTurns(previous: number): void {
	const now = performance.now();
	turnsMs.push(now - previous);
	if (!isOver) setImmediate(() => watchTurns(now));
}

const storage = mkdtempSync(path.join(tmpdir(), 'bench-many-'));
const pool = new ServerPool({
	reaperScript: path.join(PROJECT_ROOT, 'src/mcp/stdio/reaper.ts'),
	store: await CatalogStore.open(storage, defaultLimits, systemClock),
	client: { name: 'mcp-discovery', version: '0.0.0' },
	toolCacheTtlSeconds: 0,
});
try {
	const names = Array.from({ length: Number(process.argv[2]) }, (_, i) => `server-${i}`);
	const started = performance.now();
	setImmediate(() => watchTurns(started));
	pool.setLaunches(new Map(names.map((name) => [name, server])));
	await pool.whenReady(names, { timeoutMs: ALL_READY_MS });
	isOver = true;
	const stalls: Stalls = {
		longestMs: Math.max(...turnsMs),
		allReadyMs: performance.now() - started,
		ready: pool.servers().filter(({ state }) => state.kind === 'ready').length,
	};
	console.log(JSON.stringify(stalls));
} finally {
	await pool.dispose();
	rmSync(storage, { recursive: true, force: true });
}
