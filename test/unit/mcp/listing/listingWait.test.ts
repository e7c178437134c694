import { describe, expect, test, vi } from 'vitest';
import { abortable } from '../../../../src/common/cancellation.ts';
import type { McpConnection } from '../../../../src/mcp/connection/connection.ts';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { ListingWait } from '../../../../src/mcp/listing/listingWait.ts';
import { searchMiss, unsearchedOf } from '../../../../src/mcp/listing/unsearched.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import { idle, launchesOf, poolInFakeTime } from '../poolInFakeTime.ts';

const never = new AbortController().signal;

/** A pool whose servers have just started. Each lists after the given milliseconds. */
async function started(listsAfterMs: Readonly<Record<string, number>>) {
	const { pool, clock } = await poolInFakeTime(({ server, signal }, time) => {
		const listed = new Promise<McpConnection>((resolve) => {
			const ms = listsAfterMs[server] ?? 0;
			if (Number.isFinite(ms)) time.after(ms, () => resolve(idle));
		});
		return abortable(listed, signal);
	});
	pool.setLaunches(launchesOf(...Object.keys(listsAfterMs)));
	await clock.pass(1);
	const listings = new ListingWait(pool, clock);
	/** A message, and what has become of it so far. */
	const message = (signal = never, isWanted?: (server: string) => boolean) => {
		const outcome = { awaited: [] as readonly string[], late: undefined as readonly string[] | undefined };
		const waiting = listings
			.wait(
				(names) => {
					outcome.awaited = names;
				},
				signal,
				isWanted,
			)
			.then((late) => {
				outcome.late = late;
			});
		return { outcome, waiting };
	};
	return { clock, message, pool };
}

test('the first message waits only until the servers have listed', async () => {
	const { clock, message } = await started({ quick: 100, slow: 2_000 });
	const { outcome } = message();
	expect(outcome.awaited).toEqual(['quick', 'slow']);
	await clock.pass(1_000);
	expect(outcome.late).toBeUndefined();
	await clock.pass(1_100);
	expect(outcome.late).toEqual([]);
});

test("a server outside the chat's toolset is neither waited for nor named", async () => {
	const { clock, message } = await started({ wanted: 100, other: Number.POSITIVE_INFINITY });
	const { outcome } = message(never, (server) => server === 'wanted');
	expect(outcome.awaited).toEqual(['wanted']);
	await clock.pass(200);
	expect(outcome.late).toEqual([]);
});

test('if no tool is known, one message waits for a hanging server, up to five seconds after its start', async () => {
	const { clock, message } = await started({ hanging: Number.POSITIVE_INFINITY });
	await clock.pass(3_000);
	const { outcome } = message();
	expect(outcome.awaited).toEqual(['hanging']);
	await clock.pass(1_900);
	expect(outcome.late).toBeUndefined();
	await clock.pass(200);
	expect(outcome.late).toEqual(['hanging']);

	const second = message();
	await second.waiting;
	expect(second.outcome).toEqual({ awaited: [], late: [] });
});

test('a message stops waiting for a server that is two seconds behind the last one that listed', async () => {
	const { clock, message } = await started({ quick: 100, slow: 1_500, hanging: Number.POSITIVE_INFINITY });
	const { outcome } = message();
	await clock.pass(3_400);
	expect(outcome.late).toBeUndefined();
	await clock.pass(400);
	expect(outcome.late).toEqual(['hanging']);
});

test('a server that was added later gets as long as if no other had listed', async () => {
	const listsAfterMs: Record<string, number> = { earlier: 100 };
	const { clock, message, pool } = await started(listsAfterMs);
	await clock.pass(10_000);
	listsAfterMs.added = 4_000;
	// Another command, as servers with the same one share their stored list.
	const added = [...launchesOf('added')].map(
		([name, launch]) => [name, { ...launch, command: 'another' }] as const,
	);
	pool.setLaunches(new Map([...launchesOf('earlier'), ...added]));
	await clock.pass(1);
	const { outcome } = message();
	expect(outcome.awaited).toEqual(['added']);
	await clock.pass(3_800);
	expect(outcome.late).toBeUndefined();
	await clock.pass(400);
	expect(outcome.late).toEqual([]);
});

test('a message waits at most five seconds, even while other servers list', async () => {
	const { clock, message } = await started({
		a: 1_500,
		b: 3_000,
		c: 4_500,
		hanging: Number.POSITIVE_INFINITY,
	});
	const { outcome } = message();
	await clock.pass(4_900);
	expect(outcome.late).toBeUndefined();
	await clock.pass(200);
	expect(outcome.late).toEqual(['hanging']);
});

test('a message does not wait for a server that was hanging already, but names it', async () => {
	const { clock, message } = await started({ quick: 100, hanging: Number.POSITIVE_INFINITY });
	await clock.pass(2_200);
	const { outcome, waiting } = message();
	await waiting;
	expect(outcome).toEqual({ awaited: [], late: ['hanging'] });
});

test('a server that waits for its turn to start does not count as hanging', async () => {
	const names = Array.from({ length: defaultLimits.concurrentStarts }, (_, i) => `hanging ${i}`);
	const hanging = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
	const { clock, message } = await started({ ...hanging, last: 1_000 });
	await clock.pass(defaultLimits.startSlotMs - 500);
	const { outcome } = message();
	expect(outcome.awaited).toContain('last');
	await clock.pass(2_600);
	expect(outcome.late).toEqual(names);
});

test('a cancelled message stops waiting', async () => {
	const { message } = await started({ hanging: Number.POSITIVE_INFINITY });
	const stop = new AbortController();
	const { waiting } = message(stop.signal);
	stop.abort(new Error('stopped'));
	await expect(waiting).rejects.toThrow('stopped');
});

describe('a search without a likely hit', () => {
	const all = { toolset: () => undefined, faulty: () => [] };

	test('waits for servers that are starting until they have listed', async () => {
		const { clock, pool } = await started({ quick: 100, slow: 1_500 });
		const miss = searchMiss({ pool, ...all });
		let settled = false;
		const waiting = miss.settle().then(() => {
			settled = true;
		});
		await clock.pass(1_000);
		expect([settled, miss.unsearched()]).toEqual([false, { servers: [{ name: 'slow', why: 'starting' }] }]);
		await clock.pass(500);
		await waiting;
		expect(miss.unsearched()).toBeUndefined();
	});

	test('waits two seconds for a server that hangs, and then names it', async () => {
		const { clock, pool } = await started({ hanging: Number.POSITIVE_INFINITY });
		const miss = searchMiss({ pool, ...all });
		let settled = false;
		const waiting = miss.settle().then(() => {
			settled = true;
		});
		await clock.pass(1_990);
		expect(settled).toBe(false);
		await clock.pass(20);
		await waiting;
		expect(miss.unsearched()).toEqual({ servers: [{ name: 'hanging', why: 'starting' }] });
	});

	test('does not wait for a server that is installing itself', async () => {
		const state = { kind: 'starting', since: 0, first: { installs: true } } as const;
		const server = { name: 'slow', kind: 'stdio', state, tools: [], cached: false, dropped: [] } as const;
		const whenReady = vi.fn();
		const miss = searchMiss({ pool: { servers: () => [server], whenReady }, ...all });
		await miss.settle();
		expect(whenReady).not.toHaveBeenCalled();
		expect(miss.unsearched()).toEqual({ servers: [{ name: 'slow', why: 'starting' }] });
	});

	test('stops waiting when the user stops it', async () => {
		const { pool } = await started({ hanging: Number.POSITIVE_INFINITY });
		const stop = new AbortController();
		const waiting = searchMiss({ pool, ...all, signal: stop.signal }).settle();
		stop.abort(new Error('stopped'));
		await expect(waiting).rejects.toThrow('stopped');
	});

	test('names the servers whose tools are unknown, and only counts those outside the toolset', () => {
		const error = new ServerError('x', 'unreachable', 'It is not there.');
		const gone = new ServerError('x', 'exited-at-once', 'It exited.', { explanation: 'no such package' });
		const statuses = [
			{ name: 'running', state: { kind: 'ready', since: 1 }, listedAt: 1 },
			{ name: 'known', state: { kind: 'signed-out', error }, listedAt: 1 },
			{ name: 'github', state: { kind: 'signed-out', error } },
			{ name: 'new', state: { kind: 'unapproved' } },
			{ name: 'off', state: { kind: 'disabled' } },
			{ name: 'secret', state: { kind: 'failed', error: gone } },
		] as const;
		const servers = [
			{ name: 'github', why: 'signed-out' },
			{ name: 'new', why: 'unapproved' },
		];
		expect(unsearchedOf(statuses, ['broken'], undefined)?.servers).toEqual([
			...servers,
			{ name: 'secret', why: 'failed', explanation: 'no such package' },
			{ name: 'broken', why: 'faulty' },
		]);
		const toolset = {
			name: 'work',
			servers: new Map([...servers.map(({ name }) => [name, true] as const), ['running', true] as const]),
		};
		expect(unsearchedOf(statuses, ['broken'], toolset)).toEqual({
			servers,
			outside: { toolset: 'work', servers: 3 },
		});
		expect(unsearchedOf(statuses.slice(0, 2), [], undefined)).toBeUndefined();
	});
});
