import { expect, test } from 'vitest';
import { launchesOf, poolInFakeTime, stateOf } from './poolInFakeTime.ts';

const minuteMs = 60_000;

/** A pool of two servers, of which the user has approved one. */
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
