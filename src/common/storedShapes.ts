import * as z from 'zod';
import { isNestedDeeper } from './json.ts';

/** Deeper values could overflow the stack of recursive code. Arguments may have 200 levels, results 128. */
const maxValueDepth = 256;

/** Any value that recursive code can handle. */
export const boundedValue = z.unknown().refine((value) => !isNestedDeeper(value, maxValueDepth));

/** A list without the entries that do not fit. Of too many, the last are kept. */
export function salvagedList<Entry extends z.ZodType>(entry: Entry, most = Number.POSITIVE_INFINITY) {
	return z.array(z.unknown()).transform((stored) =>
		stored
			.flatMap((item): z.output<Entry>[] => {
				const { success, data } = entry.safeParse(item);
				return success ? [data] : [];
			})
			.slice(-most),
	);
}

/** A member that is absent or does not fit. */
export function orNothing<Member extends z.ZodType>(member: Member) {
	return member.optional().catch(undefined);
}
