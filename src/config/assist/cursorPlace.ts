import { getLocation, type Node } from 'jsonc-parser';
import type { Stretch } from '../../common/text.ts';
import { isServerSection, serverSections } from '../config.ts';
import { ConfigText } from '../file/configText.ts';
import type { Path } from '../file/jsonPath.ts';

/** Where a position in the file is: in a name or in a value. */
export interface CursorPlace {
	/** Keys leading to it, including its own name, which may be unfinished or empty while it is typed. */
	readonly path: Path;
	readonly isName: boolean;
	/** The quoted text around the position, including quotes; empty if there is none. */
	readonly stretch: Stretch;
	/** The text between the quotes. */
	readonly written: string;
}

/** Describes a position in the file. Works on unfinished files as far as they can be parsed. */
export function cursorPlaceAt(text: string, offset: number): CursorPlace {
	const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
	const isInside =
		(previousNode?.type === 'string' || previousNode?.type === 'property') &&
		previousNode.offset < offset &&
		offset <= previousNode.offset + previousNode.length;
	const stretch = isInside
		? { start: previousNode.offset, end: previousNode.offset + previousNode.length }
		: { start: offset, end: offset };
	const written = isInside ? String(previousNode.value) : '';
	return { path, isName: isAtPropertyKey, stretch, written };
}

/** What a name in the file refers to. */
export type FileSubject = { readonly stretch: Stretch } & (
	| { readonly kind: 'server'; readonly server: string }
	| { readonly kind: 'tool'; readonly server: string; readonly tool: string }
);

/** The server or tool named at a position in the file. */
export function subjectAt(text: string, offset: number): FileSubject | undefined {
	const { path, isName, stretch, written } = cursorPlaceAt(text, offset);
	if (stretch.start === stretch.end) return undefined;
	const keys = path.map(String);
	const [section = '', name = '', part = '', inner = ''] = keys;
	const tool = (server: string): FileSubject => ({ kind: 'tool', server, tool: written, stretch });
	if (isServerSection(section)) {
		if (isName && path.length === 2) return { kind: 'server', server: written, stretch };
		const isTool = (isName && part === 'tools' && path.length === 4) || (!isName && part === 'pinned');
		return isTool ? tool(name) : undefined;
	}
	if (section !== 'tool_sets' || part !== 'servers') return undefined;
	if (isName) return path.length === 4 ? { kind: 'server', server: written, stretch } : undefined;
	return path.length >= 5 ? tool(inner) : undefined;
}

/** A name in the file, and its offset. */
interface Entry {
	readonly name: string;
	readonly offset: number;
}

/** The servers of the current text, each once, at the entry that is in effect. Works on unfinished files. */
export function serverEntries(text: string): readonly Entry[] {
	const root = ConfigText.of(text).unfinished;
	const servers = new Map<string, Entry>();
	for (const section of serverSections) {
		for (const entry of entriesIn(root, section))
			if (!servers.has(entry.name)) servers.set(entry.name, entry);
	}
	return [...servers.values()];
}

/** Names of the entries of a section, each once. */
export function entryNames(text: string, ...sections: readonly string[]): readonly string[] {
	const root = ConfigText.of(text).unfinished;
	const names = sections.flatMap((section) => entriesIn(root, section).map(({ name }) => name));
	return [...new Set(names)];
}

function entriesIn(root: Node | undefined, section: string): readonly Entry[] {
	const property = root?.children?.find(({ children }) => children?.[0]?.value === section);
	const entries = property?.children?.[1];
	if (entries?.type !== 'object') return [];
	return (entries.children ?? []).flatMap(({ children }) => {
		const key = children?.[0];
		return key ? [{ name: String(key.value), offset: key.offset }] : [];
	});
}
