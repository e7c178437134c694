import type { Disposable } from '../discovery/event.ts';

/** Time, passed in so that a test can be the one who lets it pass. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Runs once after `ms`; dispose to take it back. */
	after(ms: number, run: () => void): Disposable;
}

/** The real time. */
export const systemClock: Clock = {
	now: () => Date.now(),
	after: (ms, run) => {
		const timer = setTimeout(run, ms);
		return { dispose: () => clearTimeout(timer) };
	},
};
