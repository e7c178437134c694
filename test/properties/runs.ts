/**
 * How many random cases a property tries: few in `npm test`, as many as `PROPERTY_RUNS` says where somebody has the time. A failure prints the
 * seed and the path with which fast-check repeats it.
 */
export function runs(usual: number): number {
	return Math.max(usual, Number(process.env.PROPERTY_RUNS ?? 0));
}

/** Milliseconds for these cases, if the usual number of them takes `usualMs` at most. */
export function runsTimeout(usual: number, usualMs: number): number {
	return (usualMs * runs(usual)) / usual;
}
