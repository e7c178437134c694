import * as l10n from '@vscode/l10n';
import { withoutChildren } from '../file/jsoncText.ts';
import { quoted } from '../file/jsonPath.ts';
import { suggestedKey } from '../problemText.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	namesAt,
	type ReasonOf,
	withKeyRenamed,
	withoutEntry,
	withValueAt,
} from './configFix.ts';

type KeyReason = ReasonOf<
	'doubled-key' | 'unknown-key' | 'missing-key' | 'useless-key' | 'hijacking-variable' | 'no-folder'
>;

/** Fixes for a key that is wrong or missing. */
export function fixesForKey(place: FaultPlace, reason: KeyReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'doubled-key':
			return removeSecond(place, reason.offset);
		case 'unknown-key':
			return renameToKnown(place, reason.known) ?? removal(place);
		case 'useless-key':
			return removal(place, true);
		case 'hijacking-variable':
		case 'no-folder':
			return removal(place);
		case 'missing-key':
			return reason.key === 'servers' ? addServers(place) : [];
	}
}

/** Removes what is at a path. */
export function removal({ text, root, path }: FaultPlace, preferred = false): ConfigFix[] {
	return editFix(
		l10n.t('Remove {0}', quoted(String(path.at(-1)))),
		text,
		withoutEntry(text, root, path),
		preferred,
	);
}

function removeSecond({ text, root, path }: FaultPlace, offset: number): ConfigFix[] {
	const name = quoted(String(path.at(-1)));
	const object = objectAround(root, offset);
	if (!object) return [];
	const after = withoutChildren(text, object, ({ children }) => children?.[0]?.offset === offset);
	return editFix(l10n.t('Remove this second {0}', name), text, after, true);
}

/** The innermost object with a name at an offset. A path would lead to the first of two duplicates. */
function objectAround(node: FaultPlace['root'], offset: number): FaultPlace['root'] | undefined {
	if (offset < node.offset || offset >= node.offset + node.length) return undefined;
	for (const child of node.children ?? []) {
		const inside = objectAround(child, offset);
		if (inside) return inside;
	}
	const hasName = node.children?.some(({ children }) => children?.[0]?.offset === offset);
	return node.type === 'object' && hasName ? node : undefined;
}

function renameToKnown({ text, root, path }: FaultPlace, known: readonly string[]): ConfigFix[] | undefined {
	const present = new Set(namesAt(root, path.slice(0, -1)));
	const free = known.filter((name) => !present.has(name));
	const name = suggestedKey(String(path.at(-1)), free);
	// If the right name exists too, a second one would be ignored.
	if (name === undefined || name !== suggestedKey(String(path.at(-1)), known)) return undefined;
	return editFix(l10n.t('Rename to {0}', quoted(name)), text, withKeyRenamed(text, root, path, name), true);
}

function addServers({ text, path }: FaultPlace): ConfigFix[] {
	return editFix(
		l10n.t('Add {0}', '"servers"'),
		text,
		withValueAt(text, [...path.map(String), 'servers'], {}),
		true,
	);
}
