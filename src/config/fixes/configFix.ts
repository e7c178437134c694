import type { Edit, Node } from 'jsonc-parser';
import type { ConfigProblem } from '../config.ts';
import type { FaultReason } from '../faultReason.ts';
import { smallestEdit } from '../textEdit.ts';

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
	/** What variables stand for; new ones must not be called like one that holds something else. */
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** The reason of one kind. */
export type ReasonOf<Kind extends FaultReason['kind']> = Extract<FaultReason, { kind: Kind }>;

/** A fix that changes the text to `after`; none, where that is as it was. */
export function editFix(title: string, before: string, after: string, preferred = false): ConfigFix[] {
	const edits = smallestEdit(before, after);
	return edits.length === 0 ? [] : [{ kind: 'edit', title, edits, preferred }];
}
