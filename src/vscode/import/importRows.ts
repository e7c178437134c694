import type { PlannedServer } from '../../config/import/importPlan.ts';
import type { ImportSource } from '../../config/import/importSources.ts';
import { visible } from '../../discovery/text.ts';
import { serverCount } from '../counts.ts';
import { labelText } from '../labelText.ts';

/** A server that can be imported, or that is there already. */
export interface ServerRow {
	readonly kind: 'server';
	readonly planned: PlannedServer;
	readonly label: string;
	readonly description: string;
	readonly detail: string;
	/** It is written if it is chosen. */
	readonly selectable: boolean;
	readonly selected: boolean;
}

/** Something of a file that cannot be imported. */
export interface FaultRow {
	readonly kind: 'fault';
	readonly source: ImportSource;
	readonly label: string;
	readonly description: string;
	readonly detail: string;
}

/** Stands over the rows of one file. */
export interface HeadingRow {
	readonly kind: 'heading';
	readonly label: string;
}

/** A line of the list of what can be imported. */
export type ImportRow = ServerRow | FaultRow | HeadingRow;

/** What one file has. */
export interface PlannedFile {
	readonly source: ImportSource;
	readonly servers: readonly PlannedServer[];
	readonly faults: readonly string[];
}

/** Characters of somebody else's text that fit into a line. */
const nameLength = 100;
const detailLength = 300;
/** Of a command line that notes follow in the same line, of which the list shows some 80 characters. */
const shortRunsLength = 40;

/** The lines of all files, file by file; `shown` writes a path as the user knows it. */
export function importRows(files: readonly PlannedFile[], shown: (path: string) => string): ImportRow[] {
	return files.flatMap(({ source, servers, faults }) => {
		const path = shown(source.path);
		const rows = [
			...servers.map((planned) => serverRow(planned, path)),
			...faults.map((fault) => faultRow(source, fault, path)),
		];
		return rows.length > 0 ? [{ kind: 'heading' as const, label: source.product }, ...rows] : [];
	});
}

function serverRow(planned: PlannedServer, path: string): ServerRow {
	const { server, state, name, runs, notes, secretNames } = planned;
	const isPresent = state === 'present';
	const words = { new: [], renamed: [`as ${labelText(name, nameLength)}`], present: ['already there'] };
	const secrets = secretNames.length > 0 && !isPresent ? [`Secret: ${secretNames.join(', ')}.`] : [];
	const more = [...secrets, ...notes].join(' ');
	const shownRuns = labelText(runs, more === '' ? detailLength : shortRunsLength);
	return {
		kind: 'server',
		planned,
		label: labelText(server.name, nameLength),
		description: [path, ...words[state]].join(' · '),
		detail: more === '' ? shownRuns : `${shownRuns} — ${labelText(more, detailLength)}`,
		selectable: !isPresent,
		selected: !isPresent && server.preselected,
	};
}

function faultRow(source: ImportSource, fault: string, path: string): FaultRow {
	return {
		kind: 'fault',
		source,
		label: 'Cannot be imported',
		description: path,
		detail: labelText(fault, detailLength),
	};
}

/** All that is to be known of a server before it is chosen, a paragraph each; no line of the list has room for it. */
export function serverText({ runs, notes, secretNames }: PlannedServer): string {
	const secrets =
		secretNames.length > 0
			? [`It has a value written out that is kept apart: ${secretNames.join(', ')}.`]
			: [];
	return [visible(runs), ...secrets, ...notes].join('\n\n');
}

/** What is to be said of an import once it is done. */
export function importText(
	servers: readonly PlannedServer[],
	{ outcome, unset, isOff }: ImportOutcome,
): string {
	const products = [...new Set(servers.map(({ server }) => server.source.product))].join(', ');
	return [
		`imported ${serverCount(servers.length)} from ${products}.`,
		...(outcome === 'unsaved' ? ['Save the configuration to start using them.'] : []),
		...(unset.length > 0 ? [`No value is set for ${unset.join(', ')}.`] : []),
		...(isOff ? ['Discovery is turned off, so every tool is loaded.'] : []),
	].join(' ');
}

/** How the configuration stands after an import. */
export interface ImportOutcome {
	/** `unsaved`: it had unsaved changes, and has more now. */
	readonly outcome: 'saved' | 'unsaved';
	/** Variables that imported servers read, and that nothing sets. */
	readonly unset: readonly string[];
	/** Discovery is off. */
	readonly isOff: boolean;
}
