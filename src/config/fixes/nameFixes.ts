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
	nearestFirst,
	onTree,
	type ReasonOf,
	withKeyRenamed,
	withValueAt,
} from './configFix.ts';
import { providers, removal } from './keyFixes.ts';
import { nearestFixes } from './valueFixes.ts';

type NameReason = ReasonOf<'no-client' | 'no-server' | 'no-tool' | 'server-name'>;

/** Fixes for a name that does not exist, or that is not allowed. */
export function fixesForName(place: FaultPlace, reason: NameReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'no-client':
			return [...nearestFixes(place, reason.names), ...addClient(place)];
		case 'no-server':
			return [...renamesTo(place, reason.names), ...removal(place)];
		case 'no-tool':
			return [...toolFixes(place, reason.names), ...removal(place)];
		case 'server-name':
			return renameServer(place);
	}
}

function addClient({ text, root, path }: FaultPlace): ConfigFix[] {
	const name: unknown = findNodeAtLocation(root, [...path])?.value;
	if (typeof name !== 'string' || name.trim() === '') return [];
	const provider = providers().find((one) => name.toLowerCase().includes(one)) ?? 'openai';
	const after = withValueAt(text, ['clients', name], { provider });
	return editFix(l10n.t('Add a client {0}', quoted(name)), text, after);
}

/** Servers have hundreds of tools: only the one that was probably meant is offered. */
function toolFixes(place: FaultPlace, tools: readonly string[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path]);
	const name = written?.type === 'string' ? String(written.value) : String(place.path.at(-1));
	const meant = nearestName(name, tools);
	if (meant === undefined) return [];
	return written?.type === 'string' ? nearestFixes(place, [meant]) : renamesTo(place, [meant]);
}

/** Other names for a key, the nearest first; those that stand beside it already are not among them. */
function renamesTo({ text, root, path }: FaultPlace, names: readonly string[]): ConfigFix[] {
	const present = new Set(namesAt(root, path.slice(0, -1)));
	const free = names.filter((name) => !present.has(name));
	return nearestFirst(free, nearestName(String(path.at(-1)), free), (name, preferred) =>
		editFix(l10n.t('Use {0}', quoted(name)), text, withKeyRenamed(text, root, path, name), preferred),
	);
}

/** Another name for a server, in the toolsets that name it, too. */
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
