const wanted = Number(process.env.PROPERTY_RUNS ?? 0);

/**
 * How many random cases a property tries: few in `npm test`, as many as `PROPERTY_RUNS` says where there is time. Then the first failure ends the
 * property and is not made smaller, which could take an hour. Either way fast-check prints the seed and the path that repeat it.
 */
export function runs(usual: number): { readonly numRuns: number; readonly endOnFailure: boolean } {
	return { numRuns: Math.max(usual, wanted), endOnFailure: wanted > 0 };
}

/** Milliseconds for these cases, if the usual number of them takes `usualMs` at most. */
export function runsTimeout(usual: number, usualMs: number): number {
	return (usualMs * runs(usual).numRuns) / usual;
}
