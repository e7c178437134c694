import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { writtenOut } from '../../common/exactText.ts';

/** Keys and indexes from the root of the file to a value. */
export type Path = readonly (string | number)[];

/** A part of the text, in UTF-16 units. */
export interface Span {
	readonly offset: number;
	readonly length: number;
}

/** Zero-based, as in editors. */
export interface Position {
	readonly line: number;
	readonly character: number;
}

/** Longest name that a message shows in full. */
const maxShownNameLength = 64;

/** A path for people: `servers.weather.args[1]`, `servers["a b"].url`; the root is empty. */
export function pathText(path: Path): string {
	let text = '';
	for (const key of path) {
		if (typeof key === 'number') text += `[${key}]`;
		else if (/^[\w$-]{1,64}$/.test(key)) text += text === '' ? key : `.${key}`;
		else text += `[${quoted(key)}]`;
	}
	return text;
}

/** A text from the file for use in a message: quoted, with invisible characters escaped, cut if long. */
export function quoted(text: string): string {
	const short = text.length > maxShownNameLength ? `${text.slice(0, maxShownNameLength)}…` : text;
	return writtenOut(JSON.stringify(short));
}

/**
 * Where a path is in the text: its value, or with `key` its name. For a missing path, the name of the nearest enclosing entry; for the
 * root, its opening brace.
 */
export function spanOf(root: Node, path: Path, part: 'key' | 'value'): Span {
	const node = findNodeAtLocation(root, [...path]);
	if (node === undefined) return spanOf(root, path.slice(0, -1), 'key');
	const property = node.parent?.type === 'property' ? node.parent : undefined;
	if (part === 'key' || node.type === 'object') {
		const key = property?.children?.[0];
		if (key) return { offset: key.offset, length: key.length };
	}
	const isRoot = node.parent === undefined;
	return { offset: node.offset, length: isRoot ? 1 : node.length };
}

/** Converts offsets to lines and characters; line ends are LF, CRLF and CR, as in VS Code. */
export class LineIndex {
	readonly #text: string;
	readonly #starts: readonly number[];

	constructor(text: string) {
		const starts = [0];
		for (const end of text.matchAll(/\r\n|\r|\n/g)) starts.push(end.index + end[0].length);
		this.#starts = starts;
		this.#text = text;
	}

	/** Offsets beyond the end give the end, and those between CR and LF the end of their line. */
	positionAt(offset: number): Position {
		const within = Math.min(Math.max(offset, 0), this.#text.length);
		const isBetween = within > 0 && this.#text.startsWith('\r\n', within - 1);
		const inside = isBetween ? within - 1 : within;
		const line = this.#starts.findLastIndex((start) => start <= inside);
		return { line, character: inside - (this.#starts[line] ?? 0) };
	}
}
