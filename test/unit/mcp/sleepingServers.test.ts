import { expect, test } from 'vitest';
import type { McpConnection } from '../../../src/mcp/connection/connection.ts';
import { defaultLimits, type McpLimits } from '../../../src/mcp/limits.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { FakeClock } from './fakeClock.ts';
import { idle, launchesOf, poolInFakeTime, stateOf } from './poolInFakeTime.ts';

const { staleListMs: day, maintenanceMs, staleListRetryMs, idleAfterListingMs } = defaultLimits;
const deferred = { eager: () => false };

/** A server with tools of these names. */
function listing(...names: readonly string[]): McpConnection {
	const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
	return { ...idle, listToolsPage: async () => ({ tools }) };
}

/**
 * A window that opens so long after an earlier one has listed the tool `old`; in the new one the server is what `connect` gives.
 */
async function nextWindow(
	laterMs: number,
	connect: () => Promise<McpConnection>,
	limits: Partial<McpLimits> = {},
	toolCacheTtlSeconds?: number,
) {
	const [clock, folder] = [new FakeClock(), temporaryFolder()];
	const before = await poolInFakeTime(async () => listing('old'), { clock, folder });
	before.pool.setLaunches(launchesOf('server'), deferred);
	await clock.pass(1);
	await before.pool.dispose();
	await clock.pass(laterMs);
	const opened = clock.now();
	const { pool, starts } = await poolInFakeTime(connect, {
		clock,
		folder,
		limits,
		...(toolCacheTtlSeconds !== undefined && { toolCacheTtlSeconds }),
	});
	pool.setLaunches(launchesOf('server'), deferred);
	return {
		pool,
		clock,
		/** Milliseconds after the window opened. */
		starts: () => starts.map(({ at }) => at - opened),
		tools: () => pool.servers()[0]?.tools.map(({ name }) => name),
	};
}

test('the list of a server that does not run is fetched again once it is a day old, and the server stops again', async () => {
	const { pool, clock, starts, tools } = await nextWindow(day / 2, async () => listing('new'));
	await clock.pass(day / 2 - 1_000);
	expect(starts()).toEqual([]);
	expect(tools()).toEqual(['old']);

	await clock.pass(2_000);

	expect(starts()).toHaveLength(1);
	expect(tools()).toEqual(['new']);
	await clock.pass(idleAfterListingMs);
	expect(stateOf(pool, 'server')).toBe('stopped');
	await clock.pass(day);
	expect(starts()).toHaveLength(2);
});

test('a list that is older when the window opens is fetched a minute later', async () => {
	const { clock, starts } = await nextWindow(3 * day, async () => listing('new'));
	await clock.pass(maintenanceMs - 1);
	expect(starts()).toEqual([]);
	await clock.pass(1);
	expect(starts()).toEqual([maintenanceMs]);
});

test('the user can set the age, and 0 means never', async () => {
	const hourly = await nextWindow(0, async () => listing('new'), { staleListMs: 3_600_000 });
	await hourly.clock.pass(3_600_000);
	expect(hourly.starts()).toHaveLength(1);

	const never = await nextWindow(3 * day, async () => listing('new'), { staleListMs: 0 });
	await never.clock.pass(3 * day);
	expect(never.starts()).toEqual([]);
});

test.each([0, -1])('a time to live of %i keeps lists until the configuration changes it', async (ttl) => {
	const { pool, clock, starts } = await nextWindow(3 * day, async () => listing('new'), {}, ttl);
	await clock.pass(3 * day);
	expect(starts()).toEqual([]);

	pool.setLaunches(launchesOf('server'), { ...deferred, toolCacheTtlSeconds: 30 });
	await clock.pass(staleListRetryMs);
	expect(starts()).toHaveLength(1);
});

test('a failed fetch keeps the earlier list, and a call still starts the server', async () => {
	let isReachable = false;
	const { pool, clock, starts, tools } = await nextWindow(2 * day, async () => {
		if (isReachable) return listing('old');
		throw new ServerError('server', 'unreachable', 'There is no network.');
	});
	await clock.pass(maintenanceMs);
	expect(pool.servers()[0]).toMatchObject({
		state: { kind: 'stopped' },
		listError: { reason: 'unreachable' },
	});
	expect(tools()).toEqual(['old']);
	await clock.pass(staleListRetryMs - 1);
	expect(starts()).toHaveLength(1);
	await clock.pass(1);
	expect(starts()).toHaveLength(2);

	isReachable = true;
	await pool.callTool('server', 'old', {});
	expect(stateOf(pool, 'server')).toBe('ready');
	expect(pool.servers()[0]).not.toHaveProperty('listError');
});

test('a server that is stopped by the user or not approved is not started for its list', async () => {
	const stopped = await nextWindow(2 * day, async () => listing('new'));
	await stopped.pool.stop('server');
	await stopped.clock.pass(2 * day);
	expect(stopped.starts()).toEqual([]);

	const unapproved = await nextWindow(2 * day, async () => listing('new'));
	unapproved.pool.setLaunches(launchesOf('server'), { ...deferred, isApproved: () => false });
	await unapproved.clock.pass(2 * day);
	expect(unapproved.starts()).toEqual([]);
});

test('the first call of a window lists first, and a tool that is gone is not called', async () => {
	const called: string[] = [];
	const { pool } = await nextWindow(1_000, async () => ({
		...listing('new'),
		callTool: async ({ name }) => {
			called.push(name);
			return { content: [], isError: false };
		},
	}));
	await expect(pool.callTool('server', 'old', {})).rejects.toMatchObject({ reason: 'tool-gone' });
	expect(called).toEqual([]);
	await pool.callTool('server', 'new', {});
	expect(called).toEqual(['new']);
});
