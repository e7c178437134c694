/**
 * Stands for windows that are reloaded: `reloadHost.ts TIMES MARK`. Each time, a pool starts servers, answers a call and is disposed; then
 * a line on stdout tells what remains. Run it with `--expose-gc`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPool } from '../openPool.ts';
import { faultLaunch } from './faultServers.ts';

/** What remains after a reload. */
export interface Reloaded {
	/** Calls that were answered. */
	readonly answered: number;
	readonly heapBytes: number;
	/** Processes, pipes, timers and whatever else Node counts as active. */
	readonly resources: number;
}

/** Time for what closes in the next turns of the event loop. */
const settlingMs = 50;
const startMs = 60_000;

const [, , times = '1', mark = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'mcp-reloads-'));
for (let i = 0; i < Number(times); i += 1) {
	const answered = await reload();
	await delay(settlingMs);
	globalThis.gc?.();
	const resources = process.getActiveResourcesInfo().length;
	const left: Reloaded = { answered, heapBytes: process.memoryUsage().heapUsed, resources };
	console.log(JSON.stringify(left));
}
rmSync(folder, { recursive: true, force: true });

/** A window with three servers, one of which resists its end. */
async function reload(): Promise<number> {
	const pool = await openPool(folder, {
		limits: { connectMs: startMs, closeGraceMs: 100, closeTermMs: 100 },
	});
	const env = { RELOADS: mark };
	const modes = [['healthy'], ['stubborn'], ['many-tools', '1000']] as const;
	pool.setLaunches(new Map(modes.map((mode) => [mode[0], faultLaunch(mode, env)])));
	const names = modes.map(([name]) => name);
	await pool.whenReady(names, { timeoutMs: startMs });
	const calls = await Promise.allSettled(names.map((name) => pool.callTool(name, 'work', {})));
	await pool.dispose();
	return calls.filter(({ status }) => status === 'fulfilled').length;
}
