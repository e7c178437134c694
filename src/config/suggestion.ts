import { nearestName, slipOfThePen } from '../discovery/nearestName.ts';

/** The name that was probably meant, in quotes, or nothing. */
export function suggestion(name: string, candidates: readonly string[]): string | undefined {
	const nearest = nearestName(name, candidates, slipOfThePen);
	return nearest === undefined ? undefined : JSON.stringify(nearest);
}
