import type { Edit } from 'jsonc-parser';

/** The one edit that turns `before` into `after` and replaces least; none where they are equal. */
export function smallestEdit(before: string, after: string): readonly Edit[] {
	if (before === after) return [];
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) start++;
	if (splitsUnit(before, start) || splitsUnit(after, start)) start--;
	let tail = 0;
	while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
	if (splitsUnit(before, before.length - tail) || splitsUnit(after, after.length - tail)) tail--;
	const content = after.slice(start, after.length - tail);
	return [{ offset: start, length: before.length - tail - start, content }];
}

/** An editor has no position within CR LF, nor between the halves of a character such as an emoji. */
function splitsUnit(text: string, offset: number): boolean {
	return /^(\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(offset - 1, offset + 1));
}
