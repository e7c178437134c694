import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { restartDelayMs, StartSlots } from '../../../src/mcp/starts.ts';
import { FakeClock } from './fakeClock.ts';

const never = new AbortController().signal;

/** Asks for a place, and notes when it comes. */
function ask(slots: StartSlots, name: string, got: string[], signal = never): Promise<() => void> {
	return slots.acquire(signal).then((release) => {
		got.push(name);
		return release;
	});
}

test('no more servers start at once than there are places, and a free place goes to who waited longest', async () => {
	const slots = new StartSlots(new FakeClock(), { concurrentStarts: 2, startSlotMs: 1_000 });
	const got: string[] = [];
	const [first] = ['a', 'b', 'c', 'd'].map((name) => ask(slots, name, got));
	await first;
	await new Promise(setImmediate);
	expect(got).toEqual(['a', 'b']);

	const release = await first;
	release?.();
	release?.();
	await new Promise(setImmediate);
	expect(got).toEqual(['a', 'b', 'c']);
});

test('a server that hangs gives its place back after a while', async () => {
	const clock = new FakeClock();
	const slots = new StartSlots(clock, { concurrentStarts: 1, startSlotMs: 1_000 });
	const got: string[] = [];
	await ask(slots, 'hanging', got);
	const healthy = ask(slots, 'healthy', got);
	await clock.pass(1_000);
	await healthy;
	expect(got).toEqual(['hanging', 'healthy']);
});

test('who stops waiting loses no place for the others', async () => {
	const slots = new StartSlots(new FakeClock(), { concurrentStarts: 1, startSlotMs: 1_000 });
	const got: string[] = [];
	const release = await ask(slots, 'first', got);
	const stop = new AbortController();
	const leaving = ask(slots, 'leaving', got, stop.signal);
	const last = ask(slots, 'last', got);
	stop.abort(new Error('stopped'));
	await expect(leaving).rejects.toThrow('stopped');
	release();
	await last;
	expect(got).toEqual(['first', 'last']);
});

describe('the wait before a restart', () => {
	test('doubles from one second to sixteen, five times, then there is none', () => {
		const waits = [1, 2, 3, 4, 5, 6].map((failures) => restartDelayMs(failures, 0.5, defaultLimits));
		expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
	});

	test('varies by a fifth either way', () => {
		expect(restartDelayMs(1, 0, defaultLimits)).toBe(800);
		expect(restartDelayMs(1, 1, defaultLimits)).toBe(1_200);
	});
});
