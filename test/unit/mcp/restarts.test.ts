import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CatalogStore } from '../../../src/mcp/catalogStore.ts';
import type { ConnectOptions, McpConnection } from '../../../src/mcp/connection.ts';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import { ServerPool } from '../../../src/mcp/serverPool.ts';
import { FakeClock } from './fakeClock.ts';

const launch = { kind: 'stdio' as const, command: 'c', args: [], env: {}, cwd: '/' };

const idle: McpConnection = {
	serverInfo: undefined,
	instructions: undefined,
	hasTools: false,
	listToolsPage: async () => ({ tools: [] }),
	callTool: async () => ({ content: [] }),
	close: async () => {},
};

/** A pool of one server in a time of its own: minutes of waiting are what is tested, not processes. */
async function poolInFakeTime(
	connect: (options: ConnectOptions, clock: FakeClock) => Promise<McpConnection>,
) {
	const clock = new FakeClock();
	const starts: number[] = [];
	const pool = new ServerPool({
		reaperScript: 'none: no process is started',
		store: await CatalogStore.open(join(tmpdir(), 'never-written'), defaultLimits, clock),
		client: { name: 'test', version: '1.0.0' },
		toolCacheTtlSeconds: 0,
		clock,
		random: () => 0.5,
		connect: (_, options) => {
			starts.push(clock.now());
			return connect(options, clock);
		},
	});
	pool.setLaunches(new Map([['server', launch]]));
	await clock.pass(1);
	return { pool, clock, starts };
}

const crashed = () => new ServerError('server', 'crashed', 'crashed');

test('a server that never comes up is started six times in half a minute, and then no more', async () => {
	const { pool, clock, starts } = await poolInFakeTime(async () => {
		throw new ServerError('server', 'died-while-starting', 'died');
	});
	await clock.pass(3_600_000);
	expect(starts).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000]);
	expect(pool.servers()[0]?.state).toMatchObject({
		kind: 'failed',
		error: { reason: 'died-while-starting' },
	});
	expect(pool.servers()[0]?.state).not.toHaveProperty('nextAttemptAt');
});

test('a server that ran for a minute has its restarts back, one that ran for less has not', async () => {
	const lifetimes = [10_000, 10_000, 60_000, 10_000];
	const { clock, starts } = await poolInFakeTime(async ({ onLost }, time) => {
		const lifetime = lifetimes.shift();
		if (lifetime !== undefined) time.after(lifetime, () => onLost(crashed()));
		return idle;
	});
	await clock.pass(200_000);
	const waits = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
	expect(waits).toEqual([10_000 + 1_000, 10_000 + 2_000, 60_000 + 1_000, 10_000 + 2_000]);
});

test('a stopped server is not started by a restart that was waiting', async () => {
	const { pool, clock, starts } = await poolInFakeTime(async () => {
		throw new ServerError('server', 'died-while-starting', 'died');
	});
	await pool.stop('server');
	await clock.pass(100_000);
	expect(starts).toHaveLength(1);
	expect(pool.servers()[0]?.state.kind).toBe('stopped');
});
