import type { Parameter } from './parameter.ts';
import { singular, wordsOf } from './words.ts';

const unitsOfTime: ReadonlyMap<string, string> = new Map(
	Object.entries({
		ms: 'ms msec millisecond milliseconds millis',
		second: 's sec secs second seconds',
		minute: 'min mins minute minutes',
		hour: 'h hr hrs hour hours',
	}).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)),
);
const timeWords: ReadonlySet<string> = new Set('duration timeout delay wait interval sleep'.split(' '));
const limitWords: ReadonlySet<string> = new Set(
	'count limit max maximum n num amount size top take'.split(' '),
);

/** What a counted noun makes of a number for a parameter: meant for it, a limit, any number, or another thing. */
export type CountedPlace = 'own' | 'limit' | 'any' | 'none';

/**
 * Where a number that counts `label` belongs. A time goes to a parameter of that unit; without a unit in its name or
 * description it is taken for seconds, for nothing is converted.
 */
export function countedPlace(label: string, { name, description = '' }: Parameter): CountedPlace {
	const words = wordsOf(name);
	const unit = unitsOfTime.get(label);
	if (unit !== undefined) return timePlace(unit, words, wordsOf(description));
	if (words.map(singular).includes(singular(label))) return 'own';
	return words.some((word) => limitWords.has(word)) ? 'limit' : 'any';
}

function timePlace(unit: string, name: readonly string[], description: readonly string[]): CountedPlace {
	const stated = unitOf(name) ?? unitOf(description);
	const isTime = [...name, ...description].some((word) => timeWords.has(word));
	if (!isTime && stated === undefined) return 'none';
	return (stated ?? 'second') === unit ? 'own' : 'none';
}

function unitOf(words: readonly string[]): string | undefined {
	const long = words.find((word) => word.length > 1 && unitsOfTime.has(word) && word !== 'min');
	return long === undefined ? undefined : unitsOfTime.get(long);
}
