import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { parseDocument } from './document.ts';
import { withValue } from './jsoncText.ts';

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

/** The tree of a text; a space in the place of a byte order mark keeps all offsets. */
export function rootOf(text: string): Node | undefined {
	return parseDocument(text.replace(/^\uFEFF/, ' ')).root;
}

/** JSON's texts hold no line breaks, so these are all between its tokens. */
function inOneLine(value: object): string {
	return JSON.stringify(value, undefined, 1).replace(/\n */g, ' ');
}

/** `indent` is that of so many levels. */
function inLines(value: object, indent: string, levels: number, text: string): string {
	const isTabbed = indent === '' || indent.startsWith('\t');
	const unit = isTabbed ? '\t' : ' '.repeat(Math.max(1, Math.round(indent.length / levels)));
	const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
	return JSON.stringify(value, undefined, unit)
		.split('\n')
		.join(lineEnd + indent);
}
