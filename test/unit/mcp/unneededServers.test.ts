import { expect, test } from 'vitest';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { launchesOf, poolInFakeTime, stateOf } from './poolInFakeTime.ts';

const { unneededMs } = defaultLimits;
const deferred = { eager: () => false };

/** A server that has started because nobody knew its tools, and has listed them. */
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
	const { version } = pool;

	await clock.pass(200);

	expect(stateOf(pool, 'server')).toBe('stopped');
	expect(pool.catalogServers()[0]?.tools).toHaveLength(1);
	expect(pool.version).toBe(version);
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
	await clock.pass(unneededMs);
	expect(stateOf(pool, 'unneeded')).toBe('stopped');
});
