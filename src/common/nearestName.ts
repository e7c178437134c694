import { distance } from 'fastest-levenshtein';

/** Characters of a name that are compared: a distance costs the product of both lengths. */
export const longestCompared = 200;

/** Edits that may lie between what was written and a name that was meant, from the lengths of both. */
export type Tolerance = (written: number, name: number) => number;

/** For a key out of a few that are known: a third of the letters that were written. */
export const slipOfThePen: Tolerance = (written) => Math.max(1, Math.floor(written / 3));

/** For names that people give things, of which a half is often all that is remembered (`files` for `filesystem`). */
export const likeness: Tolerance = (written, name) => Math.max(1, written, name) / 2;

/** The name that was probably meant, if any is near enough; case, `_` and `-` make no difference. */
export function nearestName(
	written: string,
	names: readonly string[],
	tolerance: Tolerance = likeness,
): string | undefined {
	const wanted = lettersOf(written);
	const [nearest] = names
		.map((name) => ({ name, far: farness(wanted, lettersOf(name), tolerance) }))
		.sort((a, b) => a.far - b.far);
	return nearest && nearest.far <= 1 ? nearest.name : undefined;
}

/** Edits between what was written and a name as a share of those tolerated: from 0, the same, to 1, just near enough, and beyond. */
export function farness(written: string, name: string, tolerance: Tolerance = likeness): number {
	const [a, b] = [written.slice(0, longestCompared), name.slice(0, longestCompared)];
	return distance(a, b) / tolerance(a.length, b.length);
}

function lettersOf(name: string): string {
	return name.toLowerCase().replace(/[_-]/g, '');
}
