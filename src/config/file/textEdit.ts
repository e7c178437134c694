import { applyEdits, type Edit } from 'jsonc-parser';

/**
 * Edits of the file's text, to be applied together; none: it already says so. `undefined`: the text cannot be
 * parsed, or has no such server. Edits keep comments, formatting and the user's own name for the section.
 */
export type ConfigEdits = readonly Edit[] | undefined;

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

/** A text before a change of ours and after it. */
export interface TextChange {
	readonly before: string;
	readonly after: string;
}

/** Lines around a change by which its place is known again. */
const contextLines = 2;

/** Several edits as one, each planned on what the last one left; `undefined` where one of them cannot be made. */
export function combinedEdits(text: string, plans: readonly ((text: string) => ConfigEdits)[]): ConfigEdits {
	let after = text;
	for (const plan of plans) {
		const edits = plan(after);
		if (!edits) return undefined;
		after = applyEdits(after, [...edits]);
	}
	return smallestEdit(text, after);
}

/** Takes a change back in a text that may have been changed since elsewhere; `undefined`: it has been changed there. */
export function undoEdit({ before, after }: TextChange, now: string): readonly Edit[] | undefined {
	const [inverse] = smallestEdit(after, before);
	if (!inverse) return [];
	const offset = movedBy(inverse, after, now) ?? foundAgain(inverse, after, now);
	return offset === undefined ? undefined : [{ ...inverse, offset }];
}

/** Where one other change, before or behind ours, has moved it. */
function movedBy({ offset, length }: Edit, after: string, now: string): number | undefined {
	const [other] = smallestEdit(after, now);
	if (!other || other.offset > offset + length) return offset;
	const moved = other.offset + other.length < offset;
	return moved ? offset + other.content.length - other.length : undefined;
}

/** Several other changes: the place is known by the lines around it, if there is one such place. */
function foundAgain({ offset, length }: Edit, after: string, now: string): number | undefined {
	const start = lineStart(after, offset, contextLines);
	const lines = after.slice(start, lineEnd(after, offset + length, contextLines));
	const there = onlyIndex(now, lines);
	return there === undefined || onlyIndex(after, lines) === undefined ? undefined : there + offset - start;
}

function onlyIndex(text: string, part: string): number | undefined {
	const index = text.indexOf(part);
	return index < 0 || text.indexOf(part, index + 1) >= 0 ? undefined : index;
}

function lineStart(text: string, offset: number, linesBefore: number): number {
	let start = offset;
	for (let i = 0; i <= linesBefore && start > 0; i++) start = text.lastIndexOf('\n', start - 2) + 1;
	return start;
}

function lineEnd(text: string, offset: number, linesAfter: number): number {
	let end = offset;
	for (let i = 0; i <= linesAfter && end < text.length; i++) {
		const next = text.indexOf('\n', end);
		end = next < 0 ? text.length : next + 1;
	}
	return end;
}
