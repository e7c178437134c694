import type { Disposable } from './event.ts';

/** The time and a timer, passed in so that a test can control them. */
export interface Clock {
	/** Milliseconds since the epoch; never less than before. */
	now(): number;
	/** Runs once after `ms`; dispose to take it back. */
	after(ms: number, run: () => void): Disposable;
}

/** A step back of at most so many milliseconds is a correction of the clock, and ignored; a larger one means that the clock was set back. */
const setBackMs = 1_000;

/**
 * A time of day that never goes back and never stands still, even where the machine's clock is set back by an hour: what is due in a minute
 * is due in a minute. It follows the clock forward, also over the time in which the machine slept.
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

/** The real time. */
export const systemClock: Clock = {
	now: steadyTime(Date.now, () => performance.now()),
	after: (ms, run) => {
		const timer = setTimeout(run, ms);
		return { dispose: () => clearTimeout(timer) };
	},
};
