import { setImmediate as othersTurn } from 'node:timers/promises';

/** The value below which a share of all values lies, by nearest rank: always one of the values. NaN for none. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value; the lower one of two. */
export function median(values: readonly number[]): number {
	return percentile(values, 0.5);
}

/** Runs something several times after a warm-up and returns the median time in milliseconds. */
export function medianTime(run: () => unknown, runs: number): number {
	run();
	return median(Array.from({ length: runs }, () => timeOf(run)));
}

/** Milliseconds of one run. */
export function timeOf(run: () => unknown): number {
	const start = performance.now();
	run();
	return performance.now() - start;
}

/** The result of some work, and the milliseconds of each of its slices. */
export interface Sliced<T> {
	readonly result: T;
	readonly sliceMs: readonly number[];
}

/** Runs work that pauses from time to time, and times the slices between the pauses. */
export async function timeSlices<T>(work: (pause: () => Promise<void>) => Promise<T>): Promise<Sliced<T>> {
	const sliceMs: number[] = [];
	let start = performance.now();
	const endSlice = (): void => {
		sliceMs.push(performance.now() - start);
	};
	const result = await work(async () => {
		endSlice();
		await othersTurn();
		start = performance.now();
	});
	endSlice();
	return { result, sliceMs };
}
