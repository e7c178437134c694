import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../src/mcp/limits.ts';
import { restartDelay, StartSlots } from '../../../src/mcp/starts.ts';
import { FakeClock } from './fakeClock.ts';

const never = new AbortController().signal;

/** Asks for a slot, and notes when it is granted. */
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

describe('a server that fails', () => {
	const crash = { reason: 'crashed', details: {} } as const;

	test.each(['command-not-found', 'unauthorized'] as const)('because of %s is given up at once', (reason) => {
		expect(restartDelay({ ...crash, reason }, 1, defaultLimits)).toBeUndefined();
	});
});
