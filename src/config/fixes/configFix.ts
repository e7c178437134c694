import * as l10n from '@vscode/l10n';
import { type Edit, findNodeAtLocation, type Node } from 'jsonc-parser';
import { unfinishedRoot } from '../file/document.ts';
import { type Json, withNodeReplaced, withoutChildren, withValue } from '../file/jsoncText.ts';
import { type Path, quoted } from '../file/jsonPath.ts';
import type { ConfigProblem } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';

/** Something that removes a fault of the file. Edits keep comments and formatting, and are undone in one step. */
export type ConfigFix = { readonly title: string } & (
	| { readonly kind: 'edit'; readonly edits: readonly Edit[] }
	/** Stores a value as this variable before making the edits that remove it from the file. */
	| {
			readonly kind: 'store-variable';
			readonly edits: readonly Edit[];
			readonly variable: string;
			readonly value: string;
	  }
	/** Stores the key of this client before making the edits that remove it from the file. */
	| {
			readonly kind: 'store-key';
			readonly edits: readonly Edit[];
			readonly client: string;
			readonly value: string;
	  }
	/** The file is correct, and a variable has to be set elsewhere. */
	| { readonly kind: 'set-variable'; readonly variable: string }
);

export interface FaultPlace {
	/** Without a byte order mark. */
	readonly text: string;
	readonly root: Node;
	readonly path: ConfigProblem['path'];
	/** The environment: a new variable must not take a name with another value. */
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** A fix that changes the text to `after`; none if nothing changes. */
export function editFix(title: string, before: string, after: string): ConfigFix[] {
	const edits = smallestEdit(before, after);
	return edits.length === 0 ? [] : [{ kind: 'edit', title, edits }];
}

/** A fix that changes the string at a path; none if there is none, or nothing changes. Values of variables are not in it. */
export function rewriteText(
	{ text, root, path }: FaultPlace,
	title: string,
	change: (written: string) => string,
): ConfigFix[] {
	const node = findNodeAtLocation(root, [...path]);
	if (typeof node?.value !== 'string') return [];
	const value = change(node.value);
	if (value === node.value) return [];
	return editFix(title, text, withNodeReplaced(text, node, JSON.stringify(value)));
}

/** Names of the properties of the object at a path. */
export function namesAt(root: Node, path: Path): readonly string[] {
	const node = findNodeAtLocation(root, [...path]);
	return (node?.type === 'object' ? (node.children ?? []) : []).map((property) =>
		String(property.children?.[0]?.value),
	);
}

/** Renames the property at a path, if there is one; of duplicates, the first, which counts. */
export function withKeyRenamed(text: string, root: Node, path: Path, name: string): string {
	const parent = findNodeAtLocation(root, [...path])?.parent;
	const key = parent?.type === 'property' ? parent.children?.[0] : undefined;
	return key ? withNodeReplaced(text, key, JSON.stringify(name)) : text;
}

/** Removes the property or item at a path. */
export function withoutEntry(text: string, root: Node, path: Path): string {
	const node = findNodeAtLocation(root, [...path]);
	const child = node?.parent?.type === 'property' ? node.parent : node;
	return child?.parent ? withoutChildren(text, child.parent, (one) => one === child) : text;
}

export function withValueAt(text: string, path: readonly string[], value: Json): string {
	return onTree(text, (root) => withValue(text, root, path, value));
}

/** Applies a change to a text that has changed since it was parsed. */
export function onTree(text: string, change: (root: Node) => string): string {
	const root = unfinishedRoot(text);
	return root ? change(root) : text;
}

/** Removes what is at a path. */
export function removal({ text, root, path }: FaultPlace): ConfigFix[] {
	return editFix(l10n.t('Remove {0}', quoted(String(path.at(-1)))), text, withoutEntry(text, root, path));
}

/** Replaces the value at a path. */
export function use({ text, root, path }: FaultPlace, value: Json, shown: string): ConfigFix[] {
	const node = findNodeAtLocation(root, [...path]);
	if (!node) return [];
	return editFix(l10n.t('Use {0}', shown), text, withNodeReplaced(text, node, JSON.stringify(value)));
}
