import { findNodeAtLocation } from 'jsonc-parser';
import { nearestName } from '../../discovery/nearestName.ts';
import { quoted } from '../place.ts';
import { serverSections } from '../schema.ts';
import { legibleName, maxServerNameLength, serverNameFault, unprintable } from '../serverName.ts';
import { namesAt, onTree, renamed, withValueAt } from './changes.ts';
import { type ConfigFix, editFix, type FaultPlace, type ReasonOf } from './configFix.ts';
import { providers, removal } from './keyFixes.ts';
import { nearestFixes } from './valueFixes.ts';

type NameReason = ReasonOf<'no-client' | 'no-server' | 'server-name'>;

/** Fixes for a name that nothing has, or that nothing can have. */
export function fixesForName(place: FaultPlace, reason: NameReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'no-client':
			return [...nearestFixes(place, reason.names), ...addClient(place)];
		case 'no-server':
			return [...renameToServer(place, reason.names), ...removal(place)];
		case 'server-name':
			return renameServer(place);
	}
}

function addClient({ text, root, path }: FaultPlace): ConfigFix[] {
	const name: unknown = findNodeAtLocation(root, [...path])?.value;
	if (typeof name !== 'string' || name.trim() === '') return [];
	const provider = providers().find((one) => name.toLowerCase().includes(one)) ?? 'openai';
	const after = withValueAt(text, ['clients', name], { provider });
	return editFix(`Add a client ${quoted(name)}`, text, after);
}

function renameToServer({ text, root, path }: FaultPlace, names: readonly string[]): ConfigFix[] {
	const present = new Set(namesAt(root, path.slice(0, -1)));
	const free = names.filter((name) => !present.has(name));
	const nearest = nearestName(String(path.at(-1)), free);
	const ordered = free.toSorted((a, b) => Number(b === nearest) - Number(a === nearest));
	return ordered.flatMap((name) =>
		editFix(`Use ${quoted(name)}`, text, renamed(text, root, path, name), name === nearest),
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
		(rest, place) => onTree(rest, (tree) => renamed(rest, tree, place, name)),
		text,
	);
	return editFix(`Rename to ${quoted(name)}`, text, after, true);
}

/** A name like the one that is written, that a server can have and that models can tell from the others. */
export function legalServerName(written: string, taken: readonly string[]): string {
	const printable = written
		.replaceAll(new RegExp(unprintable, 'gu'), '')
		.replaceAll(/[\\/]+/g, '-')
		.trim();
	const wanted = printable.replace(/^[.-]+|[.-]+$/g, '').slice(0, maxServerNameLength - 4) || 'server';
	const base = serverNameFault(wanted) === undefined ? wanted : `${wanted}-server`;
	const others = new Set(taken.map(legibleName));
	for (let number = 1; ; number++) {
		const name = number === 1 ? base : `${base}-${number}`;
		if (!others.has(legibleName(name)) && serverNameFault(name) === undefined) return name;
	}
}
