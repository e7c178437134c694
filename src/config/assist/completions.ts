import { findNodeAtLocation } from 'jsonc-parser';
import type { Stretch } from '../../common/text.ts';
import { isServerSection, serverSections } from '../config.ts';
import { ConfigText, tokenKind, tokensOf } from '../file/configText.ts';
import { type CursorPlace, cursorPlaceAt, entryNames } from './cursorPlace.ts';
import { bodySnippet, entryForms, entrySnippet, snippetEscaped } from './entryForms.ts';

/** What completions need besides the file, and what a JSON Schema cannot know. */
export interface CompletionFacts {
	/** A server's tools, if known. */
	readonly tools: (server: string) => readonly { readonly name: string; readonly description?: string }[];
	/** Names of environment variables and stored secrets. */
	readonly variables: readonly string[];
}

/** A suggestion for a position in the file. */
export interface Completion {
	readonly kind: 'form' | 'server' | 'client' | 'tool' | 'variable';
	readonly label: string;
	readonly documentation?: string;
	/** Replaces `stretch`; with `isSnippet` it has placeholders. */
	readonly insert: string;
	readonly isSnippet: boolean;
	readonly stretch: Stretch;
}

/** Whether the position is in a section without entries: a new line there suggests whole entries at once. */
export function isInEmptySection(text: string, offset: number): boolean {
	const { path, isName } = cursorPlaceAt(text, offset);
	return isName && path.length === 2 && childrenAt(text, path.slice(0, 1)).length === 0;
}

/** Suggestions for a position in the file, in addition to those of its JSON Schema. */
export function completionsAt(text: string, offset: number, facts: CompletionFacts): readonly Completion[] {
	const place = cursorPlaceAt(text, offset);
	const variable = variableAt(text, offset, place);
	if (variable) return variables(variable, facts);
	return place.isName ? nameCompletions(text, place, facts) : valueCompletions(text, place, facts);
}

function nameCompletions(text: string, place: CursorPlace, facts: CompletionFacts): Completion[] {
	const [section = '', entry = '', part = ''] = place.path.map(String);
	const depth = place.path.length;
	if (depth === 2) return formCompletions(text, place);
	const present = new Set(namesBeside(text, place));
	if (depth === 4 && section === 'tool_sets' && part === 'servers') {
		return entryNames(text, ...serverSections)
			.filter((name) => !present.has(name))
			.map((name) => property(text, place, 'server', name, 'true'));
	}
	if (depth !== 4 || !isServerSection(section) || part !== 'tools') return [];
	return facts
		.tools(entry)
		.filter(({ name }) => !present.has(name))
		.map(({ name, description }) => property(text, place, 'tool', name, '{ $1 }', description));
}

/**
 * Whole entries, for a name that is being typed, or without a name behind one. The JSON Schema offers none: its suggestions are matched by their
 * JSON, so that a typed `{` matches, and Enter would accept one instead of starting a line.
 */
function formCompletions(text: string, { path, stretch, written, isName }: CursorPlace): Completion[] {
	if (isName ? hasColon(text, stretch) : stretch.start < stretch.end) return [];
	return entryForms(String(path[0])).map((form) => ({
		kind: 'form',
		label: form.label,
		documentation: form.description,
		insert: (isName ? entrySnippet(form, written) : bodySnippet(form)) + separator(text, stretch),
		isSnippet: true,
		stretch,
	}));
}

function valueCompletions(text: string, place: CursorPlace, facts: CompletionFacts): Completion[] {
	if (place.path.length === 2) return formCompletions(text, place);
	const [section = '', entry = '', part = '', inner = '', last] = place.path.map(String);
	if (section === 'models' && part === 'client' && place.path.length === 3)
		return entryNames(text, 'clients').map((name) => value(text, place, 'client', name));
	const isPinned = isServerSection(section) && part === 'pinned' && inner !== '';
	const isInSet = section === 'tool_sets' && part === 'servers' && last !== undefined;
	if (!isPinned && !isInSet) return [];
	const present = new Set(valuesBeside(text, place));
	return facts
		.tools(isPinned ? entry : inner)
		.filter(({ name }) => !present.has(name))
		.map(({ name, description }) => value(text, place, 'tool', name, description));
}

function property(
	text: string,
	{ stretch }: CursorPlace,
	kind: Completion['kind'],
	name: string,
	body: string,
	documentation?: string,
): Completion {
	const key = snippetEscaped(JSON.stringify(name));
	const insert = hasColon(text, stretch) ? key : `${key}: ${body}${separator(text, stretch)}`;
	return { kind, label: name, ...(documentation && { documentation }), insert, isSnippet: true, stretch };
}

function value(
	text: string,
	{ stretch }: CursorPlace,
	kind: Completion['kind'],
	name: string,
	documentation?: string,
): Completion {
	const insert = JSON.stringify(name) + separator(text, stretch);
	return { kind, label: name, ...(documentation && { documentation }), insert, isSnippet: false, stretch };
}

/** The variable being typed: from its `$` to its `}` or to the position. */
function variableAt(text: string, offset: number, { stretch, isName }: CursorPlace): Stretch | undefined {
	if (isName || stretch.start === stretch.end) return undefined;
	const start = /\$(\{[^{}"]*)?$/.exec(text.slice(stretch.start, offset));
	if (!start) return undefined;
	const after = /^[\w:]*\}?/.exec(text.slice(offset, stretch.end));
	return { start: offset - start[0].length, end: offset + (after?.[0].length ?? 0) };
}

function variables(stretch: Stretch, facts: CompletionFacts): Completion[] {
	const environmentReferences = facts.variables.map((name) => `env:${name}`);
	return [...environmentReferences, 'workspaceFolder', 'workspaceFolderBasename', 'userHome'].map((name) => ({
		kind: 'variable',
		label: `\${${name}}`,
		insert: `\${${name}}`,
		isSnippet: false,
		stretch,
	}));
}

/** Other names in the same object. */
function namesBeside(text: string, place: CursorPlace): string[] {
	return childrenAt(text, place.path.slice(0, -1)).flatMap(({ children }) => {
		const key = children?.[0];
		return key && key.offset !== place.stretch.start ? [String(key.value)] : [];
	});
}

function valuesBeside(text: string, place: CursorPlace): string[] {
	return childrenAt(text, place.path.slice(0, -1)).flatMap((child) =>
		child.type === 'string' && child.offset !== place.stretch.start ? [String(child.value)] : [],
	);
}

function childrenAt(text: string, path: CursorPlace['path']) {
	const root = ConfigText.of(text).unfinished;
	return (root && findNodeAtLocation(root, [...path])?.children) ?? [];
}

function hasColon(text: string, { end }: Stretch): boolean {
	return /^\s*:/.test(text.slice(end));
}

/** A comma, if another entry follows. */
function separator(text: string, { end }: Stretch): string {
	const closing: readonly number[] = [tokenKind.comma, tokenKind.closeBrace, tokenKind.closeBracket];
	const blank: readonly number[] = [
		tokenKind.lineBreak,
		tokenKind.space,
		tokenKind.lineComment,
		tokenKind.blockComment,
	];
	for (const { kind } of tokensOf(text, end)) {
		if (!blank.includes(kind)) return closing.includes(kind) ? '' : ',';
	}
	return '';
}
