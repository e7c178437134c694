import type { Edit } from 'jsonc-parser';

/**
 * Edits of the file's text, to be applied together; empty: nothing to change. `undefined`: the text cannot be parsed, or has no such
 * server. Edits keep comments, formatting and the user's name for the section.
 */
export type ConfigEdits = readonly Edit[] | undefined;

/** The smallest edit that turns `before` into `after`; none if they are equal. */
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

/** An editor has no position inside CR LF, or between the halves of a character such as an emoji. */
function splitsUnit(text: string, offset: number): boolean {
	return /^(\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(offset - 1, offset + 1));
}

/** A text before and after a change of ours. */
export interface TextChange {
	readonly before: string;
	readonly after: string;
}

/** A change that was written into a file. */
export interface EditedText extends TextChange {
	/** `unsaved`: its editor had unsaved changes, so the user must save it. */
	readonly outcome: 'saved' | 'unsaved';
}

/** Lines around a change by which it is found again. */
const contextLines = 2;

/** Undoes a change in a text that may have been edited elsewhere since; `undefined`: the change itself was edited. */
export function undoEdit({ before, after }: TextChange, now: string): readonly Edit[] | undefined {
	const [inverse] = smallestEdit(after, before);
	if (!inverse) return [];
	const offset = movedBy(inverse, after, now) ?? foundAgain(inverse, after, now);
	return offset === undefined ? undefined : [{ ...inverse, offset }];
}

/** After one other change, before or behind ours, or right beside it if a comma or white space is between them: another entry of the same list. */
function movedBy({ offset, length }: Edit, after: string, now: string): number | undefined {
	const [other] = smallestEdit(after, now);
	if (!other) return offset;
	const isApart = (before: number, behind: number, begin: string | undefined) =>
		before < behind || (before === behind && /^[\s,]/.test(begin ?? ''));
	if (isApart(offset + length, other.offset, other.content)) return offset;
	const end = earliest(other, after) + other.length;
	return isApart(end, offset, after[offset]) ? offset + other.content.length - other.length : undefined;
}

/** The first place at which an insertion or a removal has the same effect: of two equal commas, either may be the removed one. */
function earliest({ offset, length, content }: Edit, text: string): number {
	if (length > 0 && content !== '') return offset;
	const moved = length > 0 ? text.slice(offset, offset + length) : content;
	let back = 0;
	while (back < offset && text[offset - 1 - back] === moved.at(-1 - (back % moved.length))) back++;
	return offset - back;
}

/** After several other changes: found by the surrounding lines, if they are unique. */
function foundAgain({ offset, length }: Edit, after: string, now: string): number | undefined {
	const start = lineStart(after, offset, contextLines);
	const lines = after.slice(start, lineEnd(after, offset + length, contextLines));
	const newStart = onlyIndex(now, lines);
	return newStart === undefined || onlyIndex(after, lines) === undefined
		? undefined
		: newStart + offset - start;
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
