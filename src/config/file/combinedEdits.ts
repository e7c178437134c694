import { applyEdits } from 'jsonc-parser';
import { type ConfigEdits, smallestEdit } from './textEdit.ts';

/** Combines several edits, each planned on the result of the previous one; `undefined` if one of them fails. */
export function combinedEdits(text: string, plans: readonly ((text: string) => ConfigEdits)[]): ConfigEdits {
	let after = text;
	for (const plan of plans) {
		const edits = plan(after);
		if (!edits) return undefined;
		after = applyEdits(after, [...edits]);
	}
	return smallestEdit(text, after);
}
