import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../bench/memory.ts';
import type { ServerPool } from '../../src/mcp/serverPool.ts';
import { faultLaunch } from './faults/faultServers.ts';
import { startedPool } from './poolFixture.ts';

/** Works, and writes every cancellation that it receives to stderr. */
const telling = faultLaunch(['hangs', 'prompts/list']);

/** Everything the server was told: it reads in order, and its last lines are read before it ends. */
async function toldAtTheEnd(pool: ServerPool): Promise<string[]> {
	await pool.callTool('telling', 'work', {});
	await pool.stop('telling');
	return pool.log('telling').flatMap(({ line }) => (line.startsWith('told') ? [line] : []));
}

test('a call that was answered is not cancelled when the turn is stopped later', async () => {
	const pool = await startedPool({ telling });
	const stop = new AbortController();
	await pool.callTool('telling', 'work', {}, { signal: stop.signal });

	stop.abort();

	expect(await toldAtTheEnd(pool)).toEqual([]);
});

test('a list that came in time is not cancelled when its time would have been up', async () => {
	// Long enough for a busy machine to list.
	const listPageMs = 2_000;
	const pool = await startedPool({ telling }, { limits: { listPageMs } });

	await delay(listPageMs);

	expect(await toldAtTheEnd(pool)).toEqual([]);
});

test('of a call that was answered nothing is held while the turn goes on', async () => {
	const pool = await startedPool({ telling });
	const stop = new AbortController();
	const call = async () => {
		const large = { text: 'x' };
		await pool.callTool('telling', 'work', { large }, { signal: stop.signal });
		return new WeakRef(large);
	};
	const held = await call();

	// Within a few turns, the event loop drops its last references to the call.
	for (let turn = 0; turn < 20 && held.deref(); turn += 1) {
		await delay(10);
		collectGarbage();
	}

	expect(held.deref()).toBeUndefined();
	expect(stop.signal.aborted).toBe(false);
});
