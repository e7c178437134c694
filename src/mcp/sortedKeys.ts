import { isRecord } from '../common/json.ts';
import { compareStrings } from '../common/text.ts';

/** The same value with the members of every object in order, so that equal values read the same as JSON. */
export function sortedKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortedKeys);
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([a], [b]) => compareStrings(a, b))
			.map(([key, member]) => [key, sortedKeys(member)]),
	);
}
