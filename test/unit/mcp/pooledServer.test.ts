import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import type { ServerPool } from '../../../src/mcp/serverPool.ts';
import { idle, launchesOf, poolInFakeTime, stateOf } from './poolInFakeTime.ts';

/** A pool with one server that has started for the first time. */
async function poolOfOne(connect: Parameters<typeof poolInFakeTime>[0]) {
	const fake = await poolInFakeTime(connect);
	fake.pool.setLaunches(launchesOf('server'));
	await fake.clock.pass(1);
	return fake;
}

const crashed = () => new ServerError('server', 'crashed', 'crashed');

test('a server that never comes up is started six times in half a minute, and then only by the user', async () => {
	const { pool, clock, starts } = await poolOfOne(async () => {
		throw crashed();
	});
	await clock.pass(3_600_000);
	expect(starts.map(({ at }) => at)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000]);
	expect(pool.servers()[0]?.state).toMatchObject({
		kind: 'failed',
		error: { reason: 'crashed' },
	});
	expect(pool.servers()[0]?.state).not.toHaveProperty('nextAttemptAt');
	const died = { reason: 'crashed' };
	await expect(pool.callTool('server', 'tool', {})).rejects.toMatchObject(died);
	expect(starts).toHaveLength(6);
	await expect(pool.restart('server')).rejects.toMatchObject(died);
	expect(starts).toHaveLength(7);
});

test('the restart budget resets after a minute of uptime, not earlier', async () => {
	const lifetimes = [10_000, 10_000, 60_000, 10_000];
	const { clock, starts } = await poolOfOne(async ({ onLost }, time) => {
		const lifetime = lifetimes.shift();
		if (lifetime !== undefined) time.after(lifetime, () => onLost(crashed()));
		return idle;
	});
	await clock.pass(200_000);
	const waits = starts.slice(1).map(({ at }, i) => at - (starts[i]?.at ?? 0));
	expect(waits).toEqual([10_000 + 1_000, 10_000 + 2_000, 60_000 + 1_000, 10_000 + 2_000]);
});

test('stopping a server cancels its pending restart', async () => {
	const { pool, clock, starts } = await poolOfOne(async () => {
		throw crashed();
	});
	await pool.stop('server');
	await clock.pass(100_000);
	expect(starts).toHaveLength(1);
	expect(pool.servers()[0]?.state.kind).toBe('stopped');
});

test('a server that says when to try again is restarted then, but within a minute', async () => {
	const asked = [5_000, 3_600_000, undefined];
	const { clock, starts } = await poolOfOne(async () => {
		throw new ServerError('server', 'http-error', 'busy', { retryAfterMs: asked.shift() });
	});
	await clock.pass(5_000 + 60_000 + 4_000);
	expect(starts.map(({ at }) => at)).toEqual([0, 5_000, 65_000, 69_000]);
});

const minuteMs = 60_000;

/** A pool with two servers, of which the second may be barred; `apply` tells the pool. */
async function twoServers(bar: 'isApproved' | 'isDisabled') {
	const fake = await poolInFakeTime();
	const apply = async (isBarred: boolean) => {
		const isSecond = (name: string) => (name === 'second') === (bar === 'isDisabled');
		fake.pool.setLaunches(launchesOf('first', 'second'), isBarred ? { [bar]: isSecond } : {});
		await fake.clock.pass(minuteMs);
	};
	return { ...fake, apply };
}

describe.each([
	['unapproved', 'isApproved', 'not-approved', 'Review Servers'],
	['disabled', 'isDisabled', 'disabled', '"second" is disabled'],
] as const)('a server that is %s', (state, bar, reason, says) => {
	test('does not start, whatever is tried, and is not waited for; others start', async () => {
		const { pool, starts, apply } = await twoServers(bar);
		await apply(true);
		const refused = { reason, message: expect.stringContaining(says) };
		await expect(pool.start('second')).rejects.toMatchObject(refused);
		await expect(pool.restart('second')).rejects.toMatchObject(refused);
		await expect(pool.callTool('second', 'tool', {})).rejects.toMatchObject(refused);
		await expect(
			pool.withClient('second', (offered, its) => offered.resources(its.signal)),
		).rejects.toMatchObject(refused);
		await pool.refresh();
		await pool.stop('second');
		await expect(pool.whenReady(['second'], { timeoutMs: minuteMs })).resolves.toBeUndefined();
		expect(starts.map(({ server }) => server)).toEqual(['first']);
		expect([stateOf(pool, 'first'), stateOf(pool, 'second')]).toEqual(['ready', state]);
		expect(pool.catalogServers().map(({ name }) => name)).toEqual(['first']);
	});

	test('starts once that has changed, and nothing else starts again', async () => {
		const { pool, starts, apply } = await twoServers(bar);
		await apply(true);
		await apply(false);
		expect(starts.map(({ server }) => server)).toEqual(['first', 'second']);
		expect(stateOf(pool, 'second')).toBe('ready');
	});

	test('stops if it was running, and its tools are no longer offered', async () => {
		const { pool, apply } = await twoServers(bar);
		await apply(false);
		expect(pool.catalogServers()).toHaveLength(2);
		await apply(true);
		expect(stateOf(pool, 'second')).toBe(state);
		expect(pool.catalogServers().map(({ name }) => name)).toEqual(['first']);
	});
});

const { maintenanceMs, idleAfterListingMs } = defaultLimits;
const deferred = { eager: () => false };

/** A server that started because its tools were unknown, and has listed them. */
async function listedServer() {
	const fake = await poolInFakeTime();
	fake.pool.setLaunches(launchesOf('server'), deferred);
	await fake.clock.pass(1);
	return fake;
}

test('a deferred server that was started only to list its tools is stopped after a while, and its tools stay known', async () => {
	const { pool, clock } = await listedServer();
	await clock.pass(idleAfterListingMs - 100);
	expect(stateOf(pool, 'server')).toBe('ready');
	const [before] = pool.catalogServers();

	await clock.pass(200);

	expect(stateOf(pool, 'server')).toBe('stopped');
	expect(pool.catalogServers()[0]?.tools).toHaveLength(1);
	expect(pool.catalogServers()[0]).toBe(before);
});

test('a call starts it again, and then it keeps running', async () => {
	const { pool, clock, starts } = await listedServer();
	await clock.pass(idleAfterListingMs);
	expect(stateOf(pool, 'server')).toBe('stopped');
	await pool.callTool('server', 'tool', {});
	await clock.pass(10 * idleAfterListingMs);
	expect(stateOf(pool, 'server')).toBe('ready');
	expect(starts).toHaveLength(2);
});

test.each<[string, (pool: ServerPool) => unknown]>([
	['one that was called in time', (pool) => pool.callTool('server', 'tool', {})],
	['one that the user has started', (pool) => pool.restart('server')],
	[
		'one whose tools are loaded since',
		(pool) => pool.setLaunches(launchesOf('server'), { eager: () => true }),
	],
])('%s is not stopped', async (_, use) => {
	const { pool, clock } = await listedServer();
	await use(pool);
	await clock.pass(10 * idleAfterListingMs);
	expect(stateOf(pool, 'server')).toBe('ready');
});

test('a saved configuration does not start it again', async () => {
	const { pool, clock, starts } = await listedServer();
	await clock.pass(idleAfterListingMs);
	pool.setLaunches(launchesOf('server'), deferred);
	await clock.pass(1);
	expect(stateOf(pool, 'server')).toBe('stopped');
	expect(starts).toHaveLength(1);
});

test('a refresh of all lists starts it, but not a server that the user has stopped', async () => {
	const { pool, clock, starts } = await poolInFakeTime();
	pool.setLaunches(launchesOf('unneeded', 'stopped'), deferred);
	await clock.pass(1);
	await pool.stop('stopped');
	await clock.pass(idleAfterListingMs);

	await pool.refresh();

	expect(starts.map(({ server }) => server)).toEqual(['unneeded', 'stopped', 'unneeded']);
	expect(stateOf(pool, 'stopped')).toBe('stopped');
	await clock.pass(idleAfterListingMs + maintenanceMs);
	expect(stateOf(pool, 'unneeded')).toBe('stopped');
});

test('a disabled tool is not called, even by a caller who knows its name from before', async () => {
	const isDisabled = (server: string, tool: string) => `${server}:${tool}` === 'used:tool';
	const { pool, clock } = await poolInFakeTime(undefined, { isDisabled });
	pool.setLaunches(launchesOf('used', 'other'));
	await clock.pass(1);
	const message = expect.stringContaining('Tool "tool" of server "used" is disabled');
	await expect(pool.callTool('used', 'tool', {})).rejects.toMatchObject({ reason: 'disabled', message });
	await expect(pool.callTool('other', 'tool', {})).resolves.toBeDefined();
});
