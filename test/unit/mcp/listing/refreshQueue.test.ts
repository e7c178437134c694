import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { RefreshQueue } from '../../../../src/mcp/listing/refreshQueue.ts';
import { FakeClock } from '../fakeClock.ts';

describe('announcements of a changed list', () => {
	function announced() {
		const clock = new FakeClock();
		const refreshes: number[] = [];
		const queue = new RefreshQueue(async () => void refreshes.push(clock.now()), clock, defaultLimits);
		return { clock, refreshes, queue };
	}

	test('lead to one refresh after 300 ms of quiet', async () => {
		const { clock, refreshes, queue } = announced();
		queue.announce();
		await clock.pass(200);
		queue.announce();
		await clock.pass(1_000);
		expect(refreshes).toEqual([500]);
	});

	test('that never end lead to a refresh after two seconds, then at most every five seconds', async () => {
		const { clock, refreshes, queue } = announced();
		for (let i = 0; i < 180; i += 1) {
			queue.announce();
			await clock.pass(100);
		}
		expect(refreshes).toEqual([2_000, 7_000, 12_000, 17_000]);
	});

	test('are forgotten when the queue is disposed', async () => {
		const { clock, refreshes, queue } = announced();
		queue.announce();
		queue.dispose();
		await clock.pass(10_000);
		expect(refreshes).toEqual([]);
	});
});

describe('refreshes at the same time', () => {
	function slow() {
		const finish: (() => void)[] = [];
		const run = () => new Promise<void>((resolve) => finish.push(resolve));
		return { finish, queue: new RefreshQueue(run, new FakeClock(), defaultLimits) };
	}

	test('are limited to one in flight and one queued', async () => {
		const { finish, queue } = slow();
		const all = [queue.refresh(), queue.refresh(), queue.refresh()];
		expect(finish).toHaveLength(1);
		finish[0]?.();
		await all[0];
		await Promise.resolve();
		expect(finish).toHaveLength(2);
		finish[1]?.();
		await Promise.all(all);
		expect(finish).toHaveLength(2);
	});

	test('are shared by callers that join', async () => {
		const { finish, queue } = slow();
		const all = [queue.join(), queue.join()];
		finish[0]?.();
		await Promise.all(all);
		expect(finish).toHaveLength(1);
	});
});
