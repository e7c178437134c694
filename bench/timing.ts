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
