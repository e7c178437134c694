import type { RankingParameters } from '../../src/discovery/search/byFields/parameters.ts';
import type { SeededRandom } from '../random.ts';

/** Parameters to change in one step: few, so that it is clear which helped. */
const MOST_CHANGES = 3;
/** The largest factor of one step. */
const LARGEST_FACTOR = 1.6;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] };

/** Neighbouring parameters: a few are larger or smaller. Shares stay between 0 and 1. */
export function neighbour(parameters: RankingParameters, random: SeededRandom): RankingParameters {
	const changed: Mutable<RankingParameters> = structuredClone(parameters);
	const changes = 1 + Math.floor(random.next() * MOST_CHANGES);
	for (let i = 0; i < changes; i++) {
		const factor = LARGEST_FACTOR ** (2 * random.next() - 1);
		const kind = random.next();
		if (kind < 0.4) {
			const field = random.pick(Object.values(changed.fields));
			field.weight = rounded(field.weight * factor);
		} else if (kind < 0.6) changeSibling(changed.siblings, factor, random);
		else changeNumber(changed, factor, random);
	}
	return changed;
}

/** These may have either sign, which does not change. */
function changeSibling(
	siblings: Mutable<RankingParameters['siblings']>,
	factor: number,
	random: SeededRandom,
): void {
	const name = random.pick(Object.keys(siblings) as (keyof typeof siblings)[]);
	siblings[name] = rounded(siblings[name] * factor);
}

function changeNumber(parameters: Mutable<RankingParameters>, factor: number, random: SeededRandom): void {
	const { fields: _, expansion: __, siblings: ___, ...numbers } = parameters;
	const name = random.pick(Object.keys(numbers) as (keyof typeof numbers)[]);
	const most = name === 'saturation' ? Number.POSITIVE_INFINITY : 1;
	parameters[name] = rounded(Math.min(most, Math.max(0.02, parameters[name]) * factor));
}

/** The data do not support more than two digits. */
function rounded(value: number): number {
	return Number(value.toPrecision(2));
}
