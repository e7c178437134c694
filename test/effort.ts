// How much tests try. The everyday run stays short; `npm test -- nightly` tries far more.
import fc from 'fast-check';

/** Whether to try many more inputs, and every fault over every transport. */
export const isNightly = process.env.NIGHTLY !== undefined;

const NIGHTLY_FACTOR = 20;

/** How many inputs a property gets, given how many it gets every day. */
export function runs(everyDay: number): number {
	return isNightly ? everyDay * NIGHTLY_FACTOR : everyDay;
}

/** The time limit for a property's runs, given the limit for those of every day. */
export function runsTimeout(everyDayMs: number): number {
	return runs(everyDayMs);
}

/** Vitest calls this once, before its workers start: picks the seed that all made-up inputs come from. */
export function setup(): void {
	process.env.TEST_SEED ??= `${Math.floor(Math.random() * 2 ** 31)}`;
	console.log(`Seed of the made-up inputs: ${process.env.TEST_SEED} (set TEST_SEED to repeat it)`);
}

/** The seed of this run. */
export const seed = Number(process.env.TEST_SEED ?? 0);

// Vitest also imports this file in every worker.
// Making a failing input smaller could take an hour of a night; its seed and path repeat it as it is.
fc.configureGlobal({ seed, endOnFailure: isNightly });
