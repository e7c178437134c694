import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import { nearestName } from '../../common/nearestName.ts';
import { serverSections } from '../config.ts';
import { legalServerName } from '../file/entryNames.ts';
import { quoted } from '../file/jsonPath.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	namesAt,
	onTree,
	type ReasonOf,
	withKeyRenamed,
} from './configFix.ts';
import { removal } from './keyFixes.ts';
import { nearestFix } from './valueFixes.ts';

type NameReason = ReasonOf<'no-client' | 'no-server' | 'no-tool' | 'server-name'>;

/** Fixes for a name that does not exist or is not allowed. */
export function fixesForName(place: FaultPlace, reason: NameReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'no-client':
			return nearestFix(place, reason.names);
		case 'no-server':
			return renamedTo(place, reason.names);
		case 'no-tool':
			return toolFix(place, reason.names);
		case 'server-name':
			return renameServer(place);
	}
}

/** A tool is a string in a list, or a key. */
function toolFix(place: FaultPlace, tools: readonly string[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path]);
	return written?.type === 'string' ? nearestFix(place, tools) : renamedTo(place, tools);
}

/** Renames a key to the nearest name that is not used beside it; removes it if there is none. */
function renamedTo(place: FaultPlace, names: readonly string[]): ConfigFix[] {
	const { text, root, path } = place;
	const present = new Set(namesAt(root, path.slice(0, -1)));
	const name = nearestName(
		String(path.at(-1)),
		names.filter((one) => !present.has(one)),
	);
	if (name === undefined) return removal(place);
	return editFix(l10n.t('Use {0}', quoted(name)), text, withKeyRenamed(text, root, path, name), true);
}

/** Renames a server, also in the toolsets that name it. */
function renameServer({ text, root, path }: FaultPlace): ConfigFix[] {
	const [section = '', written] = path.map(String);
	if (written === undefined) return [];
	const taken = serverSections.flatMap((one) => namesAt(root, [one])).filter((name) => name !== written);
	const name = legalServerName(written, taken);
	const inSets = namesAt(root, ['tool_sets']).map((set) => ['tool_sets', set, 'servers', written]);
	const after = [[section, written], ...inSets].reduce(
		(rest, place) => onTree(rest, (tree) => withKeyRenamed(rest, tree, place, name)),
		text,
	);
	return editFix(l10n.t('Rename to {0}', quoted(name)), text, after, true);
}
