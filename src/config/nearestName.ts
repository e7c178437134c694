import { closest, distance } from 'fastest-levenshtein';

/** Longer names are no typing mistakes, and comparing them costs the square of their length. */
const longestCompared = 64;

/**
 * The candidate that was probably meant: the same but for case, `_` and `-`, or at most a third of the letters away.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
	if (name.length > longestCompared || candidates.length === 0) return undefined;
	const plain = lettersOf(name);
	const nearest = closest(plain, candidates.map(lettersOf));
	if (distance(plain, nearest) > Math.max(1, Math.floor(plain.length / 3))) return undefined;
	return candidates.find((candidate) => lettersOf(candidate) === nearest);
}

/** `; did you mean "servers"?`, or nothing. */
export function suggestion(name: string, candidates: readonly string[]): string {
	const nearest = nearestName(name, candidates);
	return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

function lettersOf(name: string): string {
	return name.toLowerCase().replace(/[_-]/g, '');
}
