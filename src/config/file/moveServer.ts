import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { isRecord } from '../../common/json.ts';
import { sectionForServers, serverSections } from '../config.ts';
import { variablesIn } from '../secrets/environmentNames.ts';
import { nodeValue, rootOf } from './document.ts';
import { indentAt, lineEndOf, withoutChildren, withValue, withWritten } from './jsoncText.ts';
import { type ConfigEdits, smallestEdit } from './textEdit.ts';

/** A server of one file, to be written into another. */
export interface MovedServer {
	readonly name: string;
	/** The entry's text, including comments. */
	readonly text: string;
	/** Environment variables that it reads. */
	readonly reads: readonly string[];
}

/** Reads a server from the section that counts; `undefined`: the text has no such server. */
export function movedServer(text: string, name: string): MovedServer | undefined {
	const entry = entryOf(text, name)?.entry;
	if (!entry) return undefined;
	const { offset, length } = entry;
	return { name, text: text.slice(offset, offset + length), reads: variablesIn(nodeValue(entry)) };
}

export function hasServer(text: string, name: string): boolean {
	return entryOf(text, name) !== undefined;
}

/** Removes a server from a file; comments around it stay. */
export function withoutServer(text: string, name: string): ConfigEdits {
	const found = entryOf(text, name);
	if (!found) return undefined;
	const { section, property } = found;
	return smallestEdit(
		text,
		withoutChildren(text, section, (child) => child === property),
	);
}

/** Writes a server into a file, on as many lines as before, indented like its neighbors. */
export function withServer(text: string, { name, text: entry }: MovedServer): ConfigEdits {
	const root = rootOf(text);
	const file = root && nodeValue(root);
	const section = isRecord(file) ? sectionForServers(file) : undefined;
	if (section === undefined) return undefined;
	const own = commonIndent(entry);
	const after = withWritten(text, [section, name], (longer, { offset }) => {
		const lineStart = lineEndOf(longer) + indentAt(longer, offset);
		return entry.replaceAll(
			/(?:\r\n|\r|\n)([ \t]*)/g,
			(_, indent: string) => lineStart + (indent.startsWith(own) ? indent.slice(own.length) : indent),
		);
	});
	return smallestEdit(text, after);
}

/** Where a process starts if its entry names no folder: that depends on the file. */
export type StartFolder = 'workspace' | 'home';

/** Arguments with such a path are resolved where the process starts. */
const pathInFolder = /^\.{1,2}(?:[\\/]|$)|^(?![@$-])[^:$]*\.(?:[cm]?[jt]s|py|jar|sh)$/i;

/** Adapts an entry to another file: if its process would start in another folder there, and depends on the folder, the entry names it. */
export function startingIn(server: MovedServer, from: StartFolder): MovedServer {
	const root = rootOf(server.text);
	const value = root && nodeValue(root);
	if (!root || !isRecord(value) || typeof value.command !== 'string') return server;
	const folder = from === 'workspace' ? `\${workspaceFolder}` : `\${userHome}`;
	const { cwd, command, args } = value;
	if (typeof cwd === 'string' && cwd !== '') {
		if (/^(?:[\\/~$]|[a-z]:)/i.test(cwd)) return server;
		return { ...server, text: withValue(server.text, root, ['cwd'], `${folder}/${cwd}`) };
	}
	const words = [command, ...(Array.isArray(args) ? args : [])];
	const goesByFolder = words.some(
		(word) => typeof word === 'string' && pathInFolder.test(word) && !/^(?:[\\/]|[a-z]:)/i.test(word),
	);
	return goesByFolder ? { ...server, text: withValue(server.text, root, ['cwd'], folder) } : server;
}

/** Whether an entry does not name the folder in which its process starts. */
export function startsByDefault({ text }: MovedServer): boolean {
	const root = rootOf(text);
	const value = root && nodeValue(root);
	return isRecord(value) && !value.cwd;
}

/** The offset of a server's name; `undefined`: there is no such server. */
export function serverOffset(text: string, name: string): number | undefined {
	return entryOf(text, name)?.property.offset;
}

interface FoundEntry {
	readonly section: Node;
	/** Name and entry. */
	readonly property: Node;
	readonly entry: Node;
}

function entryOf(text: string, name: string): FoundEntry | undefined {
	const root = rootOf(text);
	for (const key of serverSections) {
		const section = root && findNodeAtLocation(root, [key]);
		const entry = section && findNodeAtLocation(section, [name]);
		if (section && entry?.parent) return { section, property: entry.parent, entry };
	}
	return undefined;
}

/** The indentation of the closing line of an entry, which is that of its opening line. */
function commonIndent(entry: string): string {
	return /(?:[\r\n])([ \t]*)[^\r\n]*$/.exec(entry)?.[1] ?? '';
}
