import type { Disposable } from './event.ts';

/** Time, passed in so that a test can be the one who lets it pass. */
export interface Clock {
	/** Milliseconds since the epoch; never less than before. */
	now(): number;
	/** Runs once after `ms`; dispose to take it back. */
	after(ms: number, run: () => void): Disposable;
}

/** What the clock may be set back by without being noticed, in milliseconds; one that is only put right is not set. */
const setBackMs = 1_000;

/**
 * A time of day that never goes back, and never stands still: what is due in a minute is due in a minute, though the machine's clock be
 * set back by an hour. It goes on from where it was; with a clock that is set forward, or has gone on while the machine slept, it goes too.
 *
 * @param wall the machine's clock, in milliseconds since the epoch
 * @param steady milliseconds from any beginning; does not count while the machine sleeps
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
