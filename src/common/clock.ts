import type { Disposable } from './event.ts';

/** The time and timers, passed in so that tests can control them. */
export interface Clock {
	/** Milliseconds since the epoch; never decreases. */
	now(): number;
	/** Runs once after `ms`; dispose to cancel. */
	after(ms: number, run: () => void): Disposable;
}

/** Smaller steps back are corrections of the clock and ignored; larger ones mean that it was set back. */
const setBackMs = 1_000;

/**
 * A time of day that never goes back or stands still, even if the machine's clock is set back: what is due in a minute stays due in a minute. It follows
 * the clock forward, including time asleep.
 */
export function steadyTime(wall: () => number, steady: () => number): () => number {
	let ahead = 0;
	let anchor = { wall: wall(), steady: steady() };
	let latest = anchor.wall;
	return () => {
		const now = { wall: wall(), steady: steady() };
		const missing = now.steady - anchor.steady - (now.wall - anchor.wall);
		if (missing > setBackMs) ahead += missing;
		if (Math.abs(missing) > setBackMs) anchor = now;
		latest = Math.max(latest, now.wall + ahead);
		return latest;
	};
}

export const systemClock: Clock = {
	now: steadyTime(Date.now, () => performance.now()),
	after: (ms, run) => {
		const timer = setTimeout(run, ms);
		return { dispose: () => clearTimeout(timer) };
	},
};
