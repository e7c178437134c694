import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { merged, type Stretch } from '../../common/text.ts';
import { ConfigText, type Token, tokenKind, tokensOf } from './configText.ts';

// jsonc-parser's own `modify` is not used: with its formatter, it rewrites whole lines (breaking up an inline list above); without it, a
// new property ends up after the previous one's comment, and removing a property removes comments too.

/** A JSON value that edits can write. */
export type Json = boolean | number | string | readonly string[] | { readonly [key: string]: Json };

/** Sets the value at `path`, adding missing parents. Everything else stays the same. */
export function withValue(text: string, root: Node, path: readonly string[], value: Json): string {
	const existing = findNodeAtLocation(root, [...path]);
	if (existing) {
		return withNodeReplaced(text, existing, inline(value) + commentsIn(text, existing));
	}
	const parentPath = path.slice(0, -1);
	const key = path.at(-1) ?? '';
	const parent = findNodeAtLocation(root, [...parentPath]);
	if (parent?.type !== 'object') return withValue(text, root, parentPath, { [key]: value });
	return withChild(text, root, parent, `${JSON.stringify(key)}: ${inline(value)}`);
}

/** Adds an item to the end of a list. */
export function withItem(text: string, root: Node, list: Node, item: string): string {
	return withChild(text, root, list, JSON.stringify(item));
}

/** Removes the items for which `remove` is true. All comments stay. */
export function withoutItems(text: string, list: Node, remove: (item: unknown) => boolean): string {
	return withoutChildren(text, list, (item) => remove(item.value));
}

/** Removes the property at `path`; a value that contains comments stays. */
export function withoutProperty(text: string, root: Node, path: readonly string[]): string {
	const value = findNodeAtLocation(root, [...path]);
	const property = value?.parent;
	if (!value || !property?.parent || commentsIn(text, value) !== '') return text;
	return withoutChildren(text, property.parent, (child) => child === property);
}

/** {@link withoutItems}, also for properties of an object. */
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
	// Do not leave a trailing comma where there was none: strict JSON does not allow it.
	const lastKept = removed.lastIndexOf(false);
	const commaOfLast = lastKept === items.length - 1 || commas.at(-1) ? undefined : commas[lastKept];
	if (commaOfLast) spans.push(withSpaces(text, commaOfLast.offset, commaOfLast.end));
	return merged(spans).reduceRight((rest, { start, end }) => splice(rest, start, end, ''), text);
}

function itemSpans(text: string, item: Node, comma: Token | undefined, keepsSome: boolean): Stretch[] {
	const end = endOf(item);
	if (!comma) {
		const span = wholeLine(text, item.offset, end);
		// The space before the bracket belongs to what stays.
		const isBeforeBracket = span.start === item.offset && /^[ \t]*[}\]]/.test(text.slice(end));
		return [keepsSome && isBeforeBracket ? { ...span, end } : span];
	}
	if (text.slice(end, comma.offset).trim() === '') return [wholeLine(text, item.offset, comma.end)];
	return [
		{ start: item.offset, end },
		{ start: comma.offset, end: comma.end },
	];
}

/** The whole line if there is nothing else on it, else the text and the spaces after it. */
function wholeLine(text: string, start: number, end: number): Stretch {
	const before = /(?<=[\r\n])[ \t]*$/.exec(text.slice(0, start));
	const after = /^[ \t]*(\r\n|\r|\n)/.exec(text.slice(end));
	if (before && after) return { start: before.index, end: end + after[0].length };
	if (before) return { start, end: end + leadingSpaces(text.slice(end)) };
	// At the end of a line, remove the spaces before it.
	if (after) return { start: text.slice(0, start).trimEnd().length, end };
	return withSpaces(text, start, end);
}

/** Spaces before a comment stay, so that it keeps its distance. */
function withSpaces(text: string, start: number, end: number): Stretch {
	const spaces = leadingSpaces(text.slice(end));
	return { start, end: text.charAt(end + spaces) === '/' ? end : end + spaces };
}

function leadingSpaces(text: string): number {
	return /^[ \t]*/.exec(text)?.[0].length ?? 0;
}

/** The comments inside a replaced value, to put after the new one. */
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

/** The first child where there are only line breaks and comments: before the closing bracket. */
function withFirstLine(text: string, root: Node, close: number, child: string): string {
	const outer = /[ \t]*$/.exec(text.slice(0, close))?.[0] ?? '';
	const lineStart = close - outer.length;
	if (!/[\r\n]/.test(text.charAt(lineStart - 1))) return splice(text, close, close, `${child} `);
	const indent = indentAt(text, close) + indentUnit(text, root);
	return splice(text, lineStart, lineStart, indent + child + lineEndOf(text));
}

/** A new line below the last child and the comments on its line. */
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

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
	const line =
		text
			.slice(0, offset)
			.split(/[\r\n]/)
			.at(-1) ?? '';
	return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** One level of indentation, judging by the file's first entry. */
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

export function withNodeReplaced(text: string, node: Node, json: string): string {
	return splice(text, node.offset, endOf(node), json);
}

function splice(text: string, start: number, stop: number, content: string): string {
	return text.slice(0, start) + content + text.slice(stop);
}

/** Sets an object at `path` in a valid file, on several lines if its neighbors are. Replaces an earlier value except for its comments. */
function withObject(text: string, path: readonly string[], value: object): string {
	const root = ConfigText.of(text).root;
	// First an empty object, which finds its place between entries and comments, then its content.
	const longer = root ? withValue(text, root, path, {}) : text;
	const longerRoot = ConfigText.of(longer).root;
	const node = longerRoot && findNodeAtLocation(longerRoot, [...path]);
	if (!node) return text;
	const indent = /[\r\n]([ \t]*)$/.exec(longer.slice(0, node.parent?.offset))?.[1];
	const json = indent === undefined ? inOneLine(value) : inLines(value, indent, path.length, longer);
	return withNodeReplaced(longer, node, json);
}

/** Adds entries to a section of a valid file, on several lines if its entries are. */
export function withEntries(text: string, section: string, entries: ReadonlyMap<string, object>): string {
	const root = ConfigText.of(text).root;
	if (!root || entries.size === 0) return text;
	if (!findNodeAtLocation(root, [section])) return withObject(text, [section], Object.fromEntries(entries));
	return [...entries].reduce((rest, [name, entry]) => withObject(rest, [section, name], entry), text);
}

/** The value on one line. JSON strings contain no line breaks, so all line breaks are between tokens. */
function inOneLine(value: object): string {
	return JSON.stringify(value, undefined, 1).replace(/\n */g, ' ');
}

/** The value on several lines. `indent`: the indentation of `levels` levels, which gives that of one. */
function inLines(value: object, indent: string, levels: number, text: string): string {
	const isTabbed = indent === '' || indent.startsWith('\t');
	const unit = isTabbed ? '\t' : ' '.repeat(Math.max(1, Math.round(indent.length / levels)));
	return JSON.stringify(value, undefined, unit)
		.split('\n')
		.join(lineEndOf(text) + indent);
}
