import { expect, test } from 'vitest';
import { ServerError } from '../../../src/mcp/serverError.ts';
import { idle, launchesOf, poolInFakeTime } from './poolInFakeTime.ts';

/** A pool of one server, which has been started for the first time. */
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
