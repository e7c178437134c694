import { setImmediate as othersTurn } from 'node:timers/promises';

/** The value below which a share of all values lies, by the nearest rank: always one of the values. NaN for none. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle value; the lower one of two. */
export function median(values: readonly number[]): number {
	return percentile(values, 0.5);
}

/** Runs something several times after a warm-up and gives the median of its times in milliseconds. */
export function medianTime(run: () => unknown, runs: number): number {
	run();
	return median(Array.from({ length: runs }, () => timeOf(run)));
}

/** Milliseconds that one run takes. */
export function timeOf(run: () => unknown): number {
	const start = performance.now();
	run();
	return performance.now() - start;
}

/** What some work gave, and the milliseconds of each of its slices. */
export interface Sliced<T> {
	readonly result: T;
	readonly sliceMs: readonly number[];
}

/** Does work that pauses now and then, and times what lies between the pauses; in each of them, others have their turn. */
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
