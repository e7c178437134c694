import { distance } from 'fastest-levenshtein';

/** Characters of a name that are compared: edit distance costs the product of both lengths. */
export const maxComparedLength = 200;

/** Tolerated edits between a written and a known name, from their lengths. */
export type Tolerance = (written: number, name: number) => number;

/** For one of a few known keys: a third of the written letters. */
export const typoTolerance: Tolerance = (written) => Math.max(1, Math.floor(written / 3));

/** For names that people choose and may remember only half of (`files` for `filesystem`). */
export const looseTolerance: Tolerance = (written, name) => Math.max(1, written, name) / 2;

/** The name that was probably meant, if any is similar enough. Case, `_` and `-` are ignored. */
export function nearestName(
	written: string,
	names: readonly string[],
	tolerance: Tolerance = looseTolerance,
): string | undefined {
	const writtenLetters = lettersOf(written);
	const [nearest] = names
		.map((name) => ({ name, far: nameDistance(writtenLetters, lettersOf(name), tolerance) }))
		.sort((a, b) => a.far - b.far);
	return nearest && nearest.far <= 1 ? nearest.name : undefined;
}

/**
 * Edits between a written and a known name, relative to the tolerance: 0: equal; 1: just similar enough. A letter in the wrong place (`barnch`) is one
 * edit.
 */
export function nameDistance(written: string, name: string, tolerance: Tolerance = looseTolerance): number {
	const [a, b] = [written.slice(0, maxComparedLength), name.slice(0, maxComparedLength)];
	const edits = distance(a, b);
	return (edits === 2 && sorted(a) === sorted(b) ? 1 : edits) / tolerance(a.length, b.length);
}

function sorted(letters: string): string {
	return [...letters].sort().join('');
}

function lettersOf(name: string): string {
	return name.toLowerCase().replace(/[_-]/g, '');
}
