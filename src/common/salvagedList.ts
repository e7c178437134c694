import * as z from 'zod';
import { isNestedDeeper } from './json.ts';

/** Deeper values are rejected: they could overflow the stack of recursive code. Arguments may have 200 levels, results 128. */
const deepestEntry = 256;

/** A list without the entries that do not fit. Of too many, the last are kept. */
export function salvagedList<Entry extends z.ZodType>(entry: Entry, most = Number.POSITIVE_INFINITY) {
	return z.array(z.unknown()).transform((stored) =>
		stored
			.flatMap((one): z.output<Entry>[] => {
				if (isNestedDeeper(one, deepestEntry)) return [];
				const { success, data } = entry.safeParse(one);
				return success ? [data] : [];
			})
			.slice(-most),
	);
}
