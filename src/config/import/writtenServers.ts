import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { parseDocument } from '../document.ts';
import { withValue } from '../jsoncText.ts';
import type { ServerJson } from './importedServer.ts';

/** A readable file's text with servers added to a section of it, over several lines where its entries are so. */
export function withServers(text: string, section: string, servers: ReadonlyMap<string, ServerJson>): string {
	const root = rootOf(text);
	if (!root || servers.size === 0) return text;
	if (!findNodeAtLocation(root, [section])) return withFilled(text, [section], Object.fromEntries(servers));
	return [...servers].reduce((rest, [name, entry]) => withFilled(rest, [section, name], entry), text);
}

/** A new property: first an empty object, which finds its place between entries and comments, then what it holds. */
function withFilled(text: string, path: readonly string[], value: object): string {
	const root = rootOf(text);
	const longer = root ? withValue(text, root, path, {}) : text;
	const node = findNodeAtLocation(rootOf(longer) ?? { type: 'null', offset: 0, length: 0 }, [...path]);
	const key = node?.parent?.children?.[0];
	if (!node || !key) return text;
	const indent = /[\r\n]([ \t]*)$/.exec(longer.slice(0, key.offset))?.[1];
	const written = indent === undefined ? inOneLine(value) : inLines(value, indent, path.length, longer);
	return longer.slice(0, node.offset) + written + longer.slice(node.offset + node.length);
}

/** A space in the place of a byte order mark keeps all offsets. */
function rootOf(text: string): Node | undefined {
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
