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

/** The everyday run repeats the same inputs, so that it never fails by chance. The nightly run finds new ones. */
const everyDaySeed = 1;

/** Vitest calls this once, before its workers start, to choose the seed of all random inputs. */
export function setup(): void {
	process.env.TEST_SEED ??= `${isNightly ? Math.floor(Math.random() * 2 ** 31) : everyDaySeed}`;
	console.log(`Seed of the random inputs: ${process.env.TEST_SEED} (set TEST_SEED to repeat it)`);
}

/** The seed of this run. */
export const seed = Number(process.env.TEST_SEED ?? everyDaySeed);

// Vitest also imports this file in every worker.
// Making a failing input smaller could take an hour of a night; its seed and path repeat it as it is.
fc.configureGlobal({ seed, endOnFailure: isNightly });
