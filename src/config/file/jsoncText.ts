import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { Stretch } from '../../common/text.ts';
import { rootOf, type Token, tokenKind, tokensOf } from './document.ts';

// jsonc-parser's own `modify` is not used: with its formatter it rewrites the whole lines that it touches (an
// inline list in the line above is broken up), without it the new property lands behind the comment of the one
// before, and on removal it takes the comments along.

/** A value that JSON can hold, as far as edits write such. */
export type Json = boolean | number | string | readonly string[] | { readonly [key: string]: Json };

/** Text with the value at `path` set, and what is missing on the way there added. Everything else stays as it is. */
export function withValue(text: string, root: Node, path: readonly string[], value: Json): string {
	const existing = findNodeAtLocation(root, [...path]);
	if (existing) {
		const content = inline(value) + commentsIn(text, existing);
		return splice(text, existing.offset, endOf(existing), content);
	}
	const parentPath = path.slice(0, -1);
	const key = path.at(-1) ?? '';
	const parent = findNodeAtLocation(root, [...parentPath]);
	if (parent?.type !== 'object') return withValue(text, root, parentPath, { [key]: value });
	return withChild(text, root, parent, `${JSON.stringify(key)}: ${inline(value)}`);
}

/** Text with an item added at the end of a list. */
export function withItem(text: string, root: Node, list: Node, item: string): string {
	return withChild(text, root, list, JSON.stringify(item));
}

/** Text with those items taken out of a list that `remove` is true for. Comments stay, even those of the items. */
export function withoutItems(text: string, list: Node, remove: (item: unknown) => boolean): string {
	return withoutChildren(text, list, (item) => remove(item.value));
}

/** Text without the property at `path`; a value that holds comments stays. */
export function withoutProperty(text: string, root: Node, path: readonly string[]): string {
	const value = findNodeAtLocation(root, [...path]);
	const property = value?.parent;
	if (!value || !property?.parent || commentsIn(text, value) !== '') return text;
	return withoutChildren(text, property.parent, (child) => child === property);
}

/** {@link withoutItems} for properties of an object, too. */
export function withoutChildren(text: string, parent: Node, remove: (child: Node) => boolean): string {
	const items = parent.children ?? [];
	const commas = items.map((item, index) =>
		commaAfter(text, item, items[index + 1]?.offset ?? endOf(parent) - 1),
	);
	const removed = items.map(remove);
	const keepsSome = removed.includes(false);
	const spans = items.flatMap((item, index) =>
		removed[index] ? itemSpans(text, item, commas[index], keepsSome) : [],
	);
	// A list that had no comma at its end must not get one: strict JSON has none.
	const lastKept = removed.lastIndexOf(false);
	const commaOfLast = lastKept === items.length - 1 || commas.at(-1) ? undefined : commas[lastKept];
	if (commaOfLast) spans.push(withSpaces(text, commaOfLast.offset, commaOfLast.end));
	return apart(spans).reduceRight((rest, { start, end }) => splice(rest, start, end, ''), text);
}

/** Stretches in their order, those that overlap as one. */
function apart(stretches: readonly Stretch[]): Stretch[] {
	const joined: Stretch[] = [];
	for (const stretch of stretches.toSorted((a, b) => a.start - b.start)) {
		const last = joined.at(-1);
		if (!last || stretch.start > last.end) joined.push(stretch);
		else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, stretch.end) };
	}
	return joined;
}

function itemSpans(text: string, item: Node, comma: Token | undefined, keepsSome: boolean): Stretch[] {
	const end = endOf(item);
	if (!comma) {
		const span = wholeLine(text, item.offset, end);
		// The space before the bracket goes with what is kept.
		const isBeforeBracket = span.start === item.offset && /^[ \t]*[}\]]/.test(text.slice(end));
		return [keepsSome && isBeforeBracket ? { ...span, end } : span];
	}
	if (text.slice(end, comma.offset).trim() === '') return [wholeLine(text, item.offset, comma.end)];
	return [
		{ start: item.offset, end },
		{ start: comma.offset, end: comma.end },
	];
}

/** The line of a stretch where it stands there alone, else the stretch with the spaces behind it. */
function wholeLine(text: string, start: number, end: number): Stretch {
	const before = /(?<=[\r\n])[ \t]*$/.exec(text.slice(0, start));
	const after = /^[ \t]*(\r\n|\r|\n)/.exec(text.slice(end));
	if (before && after) return { start: before.index, end: end + after[0].length };
	if (before) return { start, end: end + leadingSpaces(text.slice(end)) };
	// At the end of a line, the spaces before it would be left.
	if (after) return { start: text.slice(0, start).trimEnd().length, end };
	return withSpaces(text, start, end);
}

/** Spaces before a comment stay, so that the comment keeps its distance. */
function withSpaces(text: string, start: number, end: number): Stretch {
	const spaces = leadingSpaces(text.slice(end));
	return { start, end: text.charAt(end + spaces) === '/' ? end : end + spaces };
}

function leadingSpaces(text: string): number {
	return /^[ \t]*/.exec(text)?.[0].length ?? 0;
}

/** The comments of a value that is replaced, as they follow the new one. */
function commentsIn(text: string, node: Node): string {
	const newLine = lineEndOf(text) + indentAt(text, node.offset);
	return [...tokensOf(text, node.offset, endOf(node))]
		.filter(({ kind }) => kind === tokenKind.lineComment || kind === tokenKind.blockComment)
		.map(
			({ kind, offset, end }) =>
				` ${text.slice(offset, end)}${kind === tokenKind.lineComment ? newLine : ''}`,
		)
		.join('');
}

function withChild(text: string, root: Node, parent: Node, child: string): string {
	const close = endOf(parent) - 1;
	const last = parent.children?.at(-1);
	const isInline = !/[\r\n]/.test(text.slice(last ? endOf(last) : parent.offset, close));
	if (last) {
		return isInline
			? splice(text, endOf(last), endOf(last), `, ${child}`)
			: withNextLine(text, last, close, child);
	}
	return isInline ? withOnlyChild(text, parent, child) : withFirstLine(text, root, close, child);
}

/** `{}` becomes `{ child }`, and `[]` becomes `[child]`. */
function withOnlyChild(text: string, parent: Node, child: string): string {
	const close = endOf(parent) - 1;
	const space = parent.type === 'object' ? ' ' : '';
	const comments = text.slice(parent.offset + 1, close).trim();
	const inner = comments === '' ? child : `${child} ${comments}`;
	return splice(text, parent.offset + 1, close, space + inner + space);
}

/** The first child of something that is empty but for line breaks and comments: before its closing bracket. */
function withFirstLine(text: string, root: Node, close: number, child: string): string {
	const outer = /[ \t]*$/.exec(text.slice(0, close))?.[0] ?? '';
	const lineStart = close - outer.length;
	if (!/[\r\n]/.test(text.charAt(lineStart - 1))) return splice(text, close, close, `${child} `);
	const indent = indentAt(text, close) + indentUnit(text, root);
	return splice(text, lineStart, lineStart, indent + child + lineEndOf(text));
}

/** A line of its own below the last child and the comments in that child's line. */
function withNextLine(text: string, last: Node, close: number, child: string): string {
	const comma = commaAfter(text, last, close);
	const line = lineEndOf(text) + indentAt(text, last.offset) + child + (comma ? ',' : '');
	const place = endOfComments(text, comma?.end ?? endOf(last), close);
	const longer = splice(text, place, place, line);
	return comma ? longer : splice(longer, endOf(last), endOf(last), ',');
}

function endOfComments(text: string, start: number, stop: number): number {
	let end = start;
	for (const token of tokensOf(text, start, stop)) {
		const isComment = token.kind === tokenKind.lineComment || token.kind === tokenKind.blockComment;
		if (!isComment && token.kind !== tokenKind.space) break;
		if (/[\r\n]/.test(text.slice(token.offset, token.end))) break;
		if (isComment) end = token.end;
	}
	return end;
}

function commaAfter(text: string, node: Node, stop: number): Token | undefined {
	return [...tokensOf(text, endOf(node), stop)].find((token) => token.kind === tokenKind.comma);
}

/** The indentation of the line in which an offset stands. */
export function indentAt(text: string, offset: number): string {
	const line =
		text
			.slice(0, offset)
			.split(/[\r\n]/)
			.at(-1) ?? '';
	return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** One level of indentation, as the file's first entry shows it. */
function indentUnit(text: string, root: Node): string {
	const first = root.children?.[0];
	return (first && indentAt(text, first.offset)) || '  ';
}

function lineEndOf(text: string): string {
	return text.includes('\r\n') ? '\r\n' : '\n';
}

function inline(value: Json): string {
	if (typeof value !== 'object') return JSON.stringify(value);
	if (isList(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
	const properties = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`);
	return properties.length === 0 ? '{}' : `{ ${properties.join(', ')} }`;
}

function isList(value: Json): value is readonly string[] {
	return Array.isArray(value);
}

function endOf(node: Node): number {
	return node.offset + node.length;
}

function splice(text: string, start: number, stop: number, content: string): string {
	return text.slice(0, start) + content + text.slice(stop);
}

/**
 * A readable file's text with an object at `path`, over several lines where its neighbours are so. What was there before goes, but for its
 * comments.
 */
export function withObject(text: string, path: readonly string[], value: object): string {
	const root = rootOf(text);
	// First an empty object, which finds its place between entries and comments, then what it holds.
	const longer = root ? withValue(text, root, path, {}) : text;
	const node = findNodeAtLocation(rootOf(longer) ?? { type: 'null', offset: 0, length: 0 }, [...path]);
	const key = node?.parent?.children?.[0];
	if (!node || !key) return text;
	const indent = /[\r\n]([ \t]*)$/.exec(longer.slice(0, key.offset))?.[1];
	const written = indent === undefined ? inOneLine(value) : inLines(value, indent, path.length, longer);
	return longer.slice(0, node.offset) + written + longer.slice(node.offset + node.length);
}

/** The value on one line. JSON's texts hold no line breaks, so all of them are between its tokens. */
function inOneLine(value: object): string {
	return JSON.stringify(value, undefined, 1).replace(/\n */g, ' ');
}

/** The value over several lines. `indent`: the indentation of `levels` levels, from which that of one is reckoned. */
function inLines(value: object, indent: string, levels: number, text: string): string {
	const isTabbed = indent === '' || indent.startsWith('\t');
	const unit = isTabbed ? '\t' : ' '.repeat(Math.max(1, Math.round(indent.length / levels)));
	return JSON.stringify(value, undefined, unit)
		.split('\n')
		.join(lineEndOf(text) + indent);
}
