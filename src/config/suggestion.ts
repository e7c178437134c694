import { nearestName, slipOfThePen } from '../discovery/nearestName.ts';

/** `; did you mean "servers"?`, or nothing. */
export function suggestion(name: string, candidates: readonly string[]): string {
	const nearest = nearestName(name, candidates, slipOfThePen);
	return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}
