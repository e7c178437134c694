import { type Edit, findNodeAtLocation, type Node } from 'jsonc-parser';
import { ConfigText } from '../file/configText.ts';
import { type Json, withValue } from '../file/jsoncText.ts';
import type { ConfigProblem } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';

/** A secret that leaves the file for VS Code's secret storage. */
export type MovedSecret =
	/** Servers read it as this variable. */
	| { readonly kind: 'variable'; readonly name: string; readonly value: string }
	/** The API key of this client. */
	| { readonly kind: 'key'; readonly client: string; readonly value: string };

/**
 * Something that removes a fault of the file, offered only where the intention is obvious: no fix changes a value. Edits keep comments and
 * formatting, and are undone in one step.
 */
export type ConfigFix = { readonly title: string } & (
	| { readonly kind: 'edit'; readonly edits: readonly Edit[] }
	/** Stores the secrets before making the edits that remove them from the file. */
	| {
			readonly kind: 'store';
			readonly edits: readonly Edit[];
			readonly secrets: readonly MovedSecret[];
	  }
	/** The file is correct, and a variable has to be set elsewhere. */
	| { readonly kind: 'set-variable'; readonly variable: string }
);

export interface FaultPlace {
	/** Without a byte order mark. */
	readonly text: string;
	readonly root: Node;
	readonly path: ConfigProblem['path'];
}

/** A fix that changes the text to `after`; none if nothing changes. */
export function editFix(title: string, before: string, after: string): ConfigFix[] {
	const edits = smallestEdit(before, after);
	return edits.length === 0 ? [] : [{ kind: 'edit', title, edits }];
}

export function nodeAt({ root, path }: FaultPlace): Node | undefined {
	return findNodeAtLocation(root, [...path]);
}

export function withValueAt(text: string, path: readonly string[], value: Json): string {
	return onTree(text, (root) => withValue(text, root, path, value));
}

/** Applies a change to a text that has changed since it was parsed. */
export function onTree(text: string, change: (root: Node) => string): string {
	const root = ConfigText.of(text).unfinished;
	return root ? change(root) : text;
}
