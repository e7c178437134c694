import { expect, test } from 'vitest';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import { idle, launchesOf, poolInFakeTime, stateOf } from './poolInFakeTime.ts';

/** A pool with one server that has started for the first time. */
async function poolOfOne(connect: Parameters<typeof poolInFakeTime>[0]) {
	const fake = await poolInFakeTime(connect);
	fake.pool.setLaunches(launchesOf('server'));
	await fake.clock.pass(1);
	return fake;
}

const crashed = () => new ServerError('server', 'crashed', 'crashed');

test('a server that never comes up is started six times in half a minute, and then no more', async () => {
	const { pool, clock, starts } = await poolOfOne(async () => {
		throw new ServerError('server', 'died-while-starting', 'died');
	});
	await clock.pass(3_600_000);
	expect(starts.map(({ at }) => at)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000]);
	expect(pool.servers()[0]?.state).toMatchObject({
		kind: 'failed',
		error: { reason: 'died-while-starting' },
	});
	expect(pool.servers()[0]?.state).not.toHaveProperty('nextAttemptAt');
});

test('a server that ran for a minute has its restarts back, one that ran for less has not', async () => {
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

test('a stopped server is not started by a restart that was waiting', async () => {
	const { pool, clock, starts } = await poolOfOne(async () => {
		throw new ServerError('server', 'died-while-starting', 'died');
	});
	await pool.stop('server');
	await clock.pass(100_000);
	expect(starts).toHaveLength(1);
	expect(pool.servers()[0]?.state.kind).toBe('stopped');
});

test('a server that says when to come again is not started before, but within a minute', async () => {
	const asked = [5_000, 3_600_000, undefined];
	const { clock, starts } = await poolOfOne(async () => {
		throw new ServerError('server', 'http-error', 'busy', { retryAfterMs: asked.shift() });
	});
	await clock.pass(5_000 + 60_000 + 4_000);
	expect(starts.map(({ at }) => at)).toEqual([0, 5_000, 65_000, 69_000]);
});

const minuteMs = 60_000;

/** A pool with two servers, one of which the user has approved. */
async function halfApproved(approved: Set<string> = new Set(['known'])) {
	const fake = await poolInFakeTime();
	const apply = () =>
		fake.pool.setLaunches(launchesOf('known', 'strange'), { isApproved: (name) => approved.has(name) });
	apply();
	await fake.clock.pass(1);
	return { ...fake, apply };
}

test('a server that is not approved is not started, whatever is tried; the others are', async () => {
	const { pool, clock, starts } = await halfApproved();
	const refused = { reason: 'not-approved', message: expect.stringContaining('Review Servers') };
	await expect(pool.start('strange')).rejects.toMatchObject(refused);
	await expect(pool.restart('strange')).rejects.toMatchObject(refused);
	await expect(pool.callTool('strange', 'tool', {})).rejects.toMatchObject(refused);
	await pool.refresh();
	await pool.stop('strange');
	await clock.pass(minuteMs);
	expect(starts.map(({ server }) => server)).toEqual(['known']);
	expect([stateOf(pool, 'known'), stateOf(pool, 'strange')]).toEqual(['ready', 'unapproved']);
	expect(pool.catalogServers().map(({ name }) => name)).toEqual(['known']);
});

test('it starts once it is approved, and nothing else starts again', async () => {
	const approved = new Set(['known']);
	const { pool, clock, starts, apply } = await halfApproved(approved);
	approved.add('strange');
	apply();
	await clock.pass(1);
	expect(starts.map(({ server }) => server)).toEqual(['known', 'strange']);
	expect(stateOf(pool, 'strange')).toBe('ready');
});

test('one whose approval is withdrawn ends, and what it has listed is not offered any more', async () => {
	const approved = new Set(['known', 'strange']);
	const { pool, clock, apply } = await halfApproved(approved);
	expect(pool.catalogServers()).toHaveLength(2);
	approved.delete('strange');
	apply();
	await clock.pass(minuteMs);
	expect(stateOf(pool, 'strange')).toBe('unapproved');
	expect(pool.catalogServers().map(({ name }) => name)).toEqual(['known']);
});

test('waiting for servers does not wait for it', async () => {
	const { pool } = await halfApproved();
	await expect(pool.whenReady(['strange'], { timeoutMs: minuteMs })).resolves.toBeUndefined();
});

const { tendMs, unneededMs } = defaultLimits;
const deferred = { eager: () => false };

/** A server that started because its tools were unknown, and has listed them. */
async function listedServer() {
	const fake = await poolInFakeTime();
	fake.pool.setLaunches(launchesOf('server'), deferred);
	await fake.clock.pass(1);
	return fake;
}

test('a deferred server that was started for its list only is ended after a while, and its tools stay known', async () => {
	const { pool, clock } = await listedServer();
	await clock.pass(unneededMs - 100);
	expect(stateOf(pool, 'server')).toBe('ready');
	const [before] = pool.catalogServers();

	await clock.pass(200);

	expect(stateOf(pool, 'server')).toBe('stopped');
	expect(pool.catalogServers()[0]?.tools).toHaveLength(1);
	expect(pool.catalogServers()[0]).toBe(before);
});

test('a call starts it again, and then it stays', async () => {
	const { pool, clock, starts } = await listedServer();
	await clock.pass(unneededMs);
	expect(stateOf(pool, 'server')).toBe('stopped');
	await pool.callTool('server', 'tool', {});
	await clock.pass(10 * unneededMs);
	expect(stateOf(pool, 'server')).toBe('ready');
	expect(starts).toHaveLength(2);
});

test('one that was called in time is not ended', async () => {
	const { pool, clock, starts } = await listedServer();
	await pool.callTool('server', 'tool', {});
	await clock.pass(10 * unneededMs);
	expect(stateOf(pool, 'server')).toBe('ready');
	expect(starts).toHaveLength(1);
});

test('nor one that the user has started', async () => {
	const { pool, clock } = await listedServer();
	await pool.restart('server');
	await clock.pass(10 * unneededMs);
	expect(stateOf(pool, 'server')).toBe('ready');
});

test('nor one with tools that are loaded, by the configuration as it is then', async () => {
	const { pool, clock } = await listedServer();
	pool.setLaunches(launchesOf('server'), { eager: () => true });
	await clock.pass(10 * unneededMs);
	expect(stateOf(pool, 'server')).toBe('ready');
});

test('a saved configuration does not start it again', async () => {
	const { pool, clock, starts } = await listedServer();
	await clock.pass(unneededMs);
	pool.setLaunches(launchesOf('server'), deferred);
	await clock.pass(1);
	expect(stateOf(pool, 'server')).toBe('stopped');
	expect(starts).toHaveLength(1);
});

test('a refresh of all lists starts it for its list, but not one that the user has stopped', async () => {
	const { pool, clock, starts } = await poolInFakeTime();
	pool.setLaunches(launchesOf('unneeded', 'stopped'), deferred);
	await clock.pass(1);
	await pool.stop('stopped');
	await clock.pass(unneededMs);

	await pool.refresh();

	expect(starts.map(({ server }) => server)).toEqual(['unneeded', 'stopped', 'unneeded']);
	expect(stateOf(pool, 'stopped')).toBe('stopped');
	await clock.pass(unneededMs + tendMs);
	expect(stateOf(pool, 'unneeded')).toBe('stopped');
});

test('a server that the user has disabled ends, is not started, whatever is tried, and lists nothing until it is enabled', async () => {
	const fake = await poolInFakeTime();
	const { pool, clock, starts } = fake;
	const apply = (disabled: readonly string[]) =>
		pool.setLaunches(launchesOf('used', 'other'), { isDisabled: (name) => disabled.includes(name) });
	apply([]);
	await clock.pass(1);
	apply(['other']);
	const refused = { reason: 'disabled', message: expect.stringContaining('"other" is disabled') };
	await expect(pool.start('other')).rejects.toMatchObject(refused);
	await expect(pool.callTool('other', 'tool', {})).rejects.toMatchObject(refused);
	await expect(pool.resources('other')).rejects.toMatchObject(refused);
	await pool.refresh();
	await clock.pass(minuteMs);
	expect(starts.map(({ server }) => server)).toEqual(['used', 'other']);
	expect([stateOf(pool, 'used'), stateOf(pool, 'other')]).toEqual(['ready', 'disabled']);
	expect(pool.catalogServers().map(({ name }) => name)).toEqual(['used']);
	apply([]);
	await clock.pass(minuteMs);
	expect(stateOf(pool, 'other')).toBe('ready');
});

test('a tool that the user has disabled is not called, even by who has its name from before', async () => {
	const isDisabled = (server: string, tool: string) => `${server}:${tool}` === 'used:tool';
	const { pool, clock } = await poolInFakeTime(undefined, { isDisabled });
	pool.setLaunches(launchesOf('used', 'other'));
	await clock.pass(1);
	const message = expect.stringContaining('Tool "tool" of server "used" is disabled');
	await expect(pool.callTool('used', 'tool', {})).rejects.toMatchObject({ reason: 'disabled', message });
	await expect(pool.callTool('other', 'tool', {})).resolves.toBeDefined();
});
