import { type Edit, findNodeAtLocation, type Node } from 'jsonc-parser';
import { unfinishedRoot } from '../file/document.ts';
import { type Json, withoutChildren, withValue } from '../file/jsoncText.ts';
import type { Path } from '../file/jsonPath.ts';
import type { ConfigProblem, FaultReason } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';

/** Something that removes a fault of the file. Edits keep comments and formatting, and are one step to undo. */
export type ConfigFix = { readonly title: string } & (
	| { readonly kind: 'edit'; readonly edits: readonly Edit[]; readonly preferred: boolean }
	/** A value leaves the file: it is to be kept as this variable before the edits are made. */
	| {
			readonly kind: 'store-variable';
			readonly edits: readonly Edit[];
			readonly variable: string;
			readonly value: string;
	  }
	/** The key of a client leaves the file: it is to be kept for that client before the edits are made. */
	| {
			readonly kind: 'store-key';
			readonly edits: readonly Edit[];
			readonly client: string;
			readonly value: string;
	  }
	/** The file is right, and a variable has to be set outside of it. */
	| { readonly kind: 'set-variable'; readonly variable: string; readonly where: 'secrets' | 'dotenv' }
);

/** Where a fault stands, for fixes to be made. */
export interface FaultPlace {
	/** The file's text, without a byte order mark. */
	readonly text: string;
	readonly root: Node;
	readonly path: ConfigProblem['path'];
	/** Values of the environment's variables: a new variable must not have the name of one that holds something else. */
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** The reason of one kind. */
export type ReasonOf<Kind extends FaultReason['kind']> = Extract<FaultReason, { kind: Kind }>;

/** A fix that changes the text to `after`; none, where that is as it was. */
export function editFix(title: string, before: string, after: string, preferred = false): ConfigFix[] {
	const edits = smallestEdit(before, after);
	return edits.length === 0 ? [] : [{ kind: 'edit', title, edits, preferred }];
}

/** A fix that changes the text in quotes at a place; none, where there is no text, or it stays as it is. What comes of a variable is not in it. */
export function rewriteText(
	{ text, root, path }: FaultPlace,
	title: string,
	change: (written: string) => string,
	preferred = false,
): ConfigFix[] {
	const node = findNodeAtLocation(root, [...path]);
	if (typeof node?.value !== 'string') return [];
	const value = change(node.value);
	if (value === node.value) return [];
	return editFix(title, text, withNodeReplaced(text, node, JSON.stringify(value)), preferred);
}

/** The property at a path of keys; where a name stands twice, the first, which counts. */
export function propertyAt(root: Node, path: Path): Node | undefined {
	const value = findNodeAtLocation(root, [...path]);
	return value?.parent?.type === 'property' ? value.parent : undefined;
}

/** Names of the properties of the object at a path. */
export function namesAt(root: Node, path: Path): readonly string[] {
	const node = path.length === 0 ? root : findNodeAtLocation(root, [...path]);
	return (node?.type === 'object' ? (node.children ?? []) : []).map((property) =>
		String(property.children?.[0]?.value),
	);
}

/** Text with another value in the place of a node. */
export function withNodeReplaced(text: string, node: Node, json: string): string {
	return text.slice(0, node.offset) + json + text.slice(node.offset + node.length);
}

/** Text with another name for the property at a path; as it was, where there is none. */
export function withKeyRenamed(text: string, root: Node, path: Path, name: string): string {
	const key = propertyAt(root, path)?.children?.[0];
	return key ? withNodeReplaced(text, key, JSON.stringify(name)) : text;
}

/** Text without the property or the item at a path. */
export function withoutEntry(text: string, root: Node, path: Path): string {
	const node = findNodeAtLocation(root, [...path]);
	const child = node?.parent?.type === 'property' ? node.parent : node;
	return child?.parent ? withoutChildren(text, child.parent, (one) => one === child) : text;
}

/** Text with a value set. */
export function withValueAt(text: string, path: readonly string[], value: Json): string {
	return onTree(text, (root) => withValue(text, root, path, value));
}

/** A change of a text that has changed since it was parsed. */
export function onTree(text: string, change: (root: Node) => string): string {
	const root = unfinishedRoot(text);
	return root ? change(root) : text;
}
