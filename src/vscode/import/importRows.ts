import { posix, win32 } from 'node:path';
import * as l10n from '@vscode/l10n';
import { serverCount } from '../../chat/counts.ts';
import { visible } from '../../common/text.ts';
import type { ImportedServer } from '../../config/import/importedServer.ts';
import type { PlannedServer } from '../../config/import/importPlan.ts';
import type { ImportSource, Product } from '../../config/import/importSources.ts';
import { labelText } from '../ui/labelText.ts';

/** A server that can be imported, or that is there already. */
interface ServerRow {
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

/** The heading over the rows of one file. */
export interface HeadingRow {
	readonly kind: 'heading';
	readonly label: string;
}

/** A line of the list of what can be imported. */
export type ImportRow = ServerRow | FaultRow | HeadingRow;

/** What one file has. */
interface PlannedFile {
	readonly source: ImportSource;
	readonly servers: readonly PlannedServer[];
	readonly faults: readonly string[];
}

/** Characters of somebody else's text that fit into a line. */
const nameLength = 100;
const detailLength = 300;
/** The list shows about 80 characters of a line: those of a command line before notes, and those of the notes. */
const shortRunsLength = 40;
const explanationLength = 45;
/** Names that a sentence lists: a message with more of them would push its buttons off the screen. */
const shownNames = 5;
/** Of a command line in the details, which have a button below them. */
const detailedRuns = { beginning: 800, end: 200 } as const;

/** The lines of all files, file by file; `shown` writes a path as the user knows it. */
export function importRows(files: readonly PlannedFile[], shown: (path: string) => string): ImportRow[] {
	const wantedTwins = new Set(
		files.flatMap(({ servers }) => servers.flatMap(({ server, twin }) => (server.preselected && twin) || [])),
	);
	return files.flatMap(({ source, servers, faults }) => {
		const rows = [
			...servers.map((planned) => serverRow(planned, shown, wantedTwins.has(planned.server))),
			...faults.map((fault) => faultRow(source, fault, shown(source.path))),
		];
		return rows.length > 0 ? [{ kind: 'heading' as const, label: source.product }, ...rows] : [];
	});
}

/** `isWantedTwin`: another program has it switched on. */
function serverRow(
	planned: PlannedServer,
	shown: (path: string) => string,
	isWantedTwin: boolean,
): ServerRow {
	const { server, state, runs, notes, secretNames } = planned;
	const isPresent = state === 'present';
	const secrets = secretNames.length > 0 && !isPresent ? [l10n.t('Secret: {0}.', nameList(secretNames))] : [];
	const more = explanation(secrets, notes);
	const shownRuns = labelText(runs, more === '' ? detailLength : shortRunsLength);
	return {
		kind: 'server',
		// What another program uses is not imported as disabled.
		planned: isWantedTwin ? { ...planned, server: enabledServer(server) } : planned,
		label: labelText(server.name, nameLength),
		description: [shown(server.source.path), ...stateWords(planned, shown)].join(' · '),
		detail: more === '' ? shownRuns : `${shownRuns} — ${labelText(more, detailLength)}`,
		selectable: !isPresent,
		selected: !isPresent && (server.preselected || isWantedTwin),
	};
}

function enabledServer(server: ImportedServer): ImportedServer {
	const { disabled, ...entry } = server.entry;
	return { ...server, entry };
}

/** Secrets and notes; where the line has no room for the notes, how many there are. */
function explanation(secrets: readonly string[], notes: readonly string[]): string {
	const all = [...secrets, ...notes].join(' ');
	if (all.length <= explanationLength || notes.length === 0) return all;
	const count =
		notes.length === 1
			? l10n.t('Its details have a note.')
			: l10n.t('Its details have {0} notes.', notes.length);
	return [...secrets, count].join(' ');
}

/** What happens to a server on import, where it is not just written under its name. */
function stateWords(
	{ server, state, name, twin }: PlannedServer,
	shown: (path: string) => string,
): readonly string[] {
	const other = labelText(name, nameLength);
	switch (state) {
		case 'new':
			return [];
		case 'renamed':
			return [l10n.t('as {0}', other)];
		case 'present':
			if (twin) return [twinWords(server, twin, shown)];
			return [name === server.name ? l10n.t('already there') : l10n.t('already there as {0}', other)];
	}
}

function twinWords(server: ImportedServer, twin: ImportedServer, shown: (path: string) => string): string {
	const name = labelText(twin.name, nameLength);
	return twin.source.path === server.source.path
		? l10n.t('same as {0} above', name)
		: l10n.t('same as {0} of {1}', name, shown(twin.source.path));
}

function faultRow(source: ImportSource, fault: string, path: string): FaultRow {
	return {
		kind: 'fault',
		source,
		label: l10n.t('Cannot be imported'),
		description: path,
		detail: labelText(fault, detailLength),
	};
}

/** All there is to know of a server before it is chosen, in paragraphs: a line of the list has no room for it. */
export function serverDetails({ planned, description }: ServerRow): string {
	const { runs, notes, secretNames } = planned;
	const names = secretNames.join(', ');
	const secrets =
		secretNames.length > 0 ? [l10n.t('It contains a value that is stored separately: {0}.', names)] : [];
	return [description, endsOf(visible(runs)), ...secrets, ...notes].join('\n\n');
}

function endsOf(runs: string): string {
	const { beginning, end } = detailedRuns;
	if (runs.length <= beginning + end) return runs;
	const left = l10n.t('({0} more characters, to be read in the file)', runs.length - beginning - end);
	return `${runs.slice(0, beginning)}… ${left} …${runs.slice(-end)}`;
}

/** The first of some names, and how many more there are. */
export function nameList(names: readonly string[]): string {
	const shown = names.slice(0, shownNames).join(', ');
	return names.length > shownNames ? l10n.t('{0} and {1} more', shown, names.length - shownNames) : shown;
}

/** What the user is told of an import once it is done. */
export function importSummary(
	servers: readonly PlannedServer[],
	{ outcome, unset, isOff, notRunning, proposed = 0, kept = 0 }: ImportOutcome,
): string {
	const products = [...new Set(servers.map(({ server }) => server.source.product))].join(', ');
	return [
		l10n.t('imported {0} from {1}.', serverCount(servers.length), products),
		...(kept > 0 ? [l10n.t('Their secrets are in VS Code’s secret storage: {0}.', kept)] : []),
		...(outcome === 'unsaved' ? [l10n.t('Save the configuration to start using them.')] : []),
		...(unset.length > 0 ? [l10n.t('No value is set for {0}.', nameList(unset))] : []),
		...(notRunning.length > 0 ? [l10n.t('Not running: {0}.', nameList(notRunning.map(stoppedText)))] : []),
		...(isOff ? [l10n.t('Discovery is turned off, so every tool is loaded.')] : []),
		...(proposed > 0
			? [l10n.t('Permission rules imported: {0}. Review them to activate them.', proposed)]
			: []),
	].join(' ');
}

function stoppedText({ name, why }: StoppedServer): string {
	return `${labelText(name, nameLength)} (${why})`;
}

/** A server that was imported and does not run, though it should. */
export interface StoppedServer {
	readonly name: string;
	/** `Failed: command not found`, `Needs approval` */
	readonly why: string;
}

/** How the configuration stands after an import. */
interface ImportOutcome {
	/** `unsaved`: it had unsaved changes, and has more now. */
	readonly outcome: 'saved' | 'unsaved';
	/** Variables that imported servers read, and that nothing sets. */
	readonly unset: readonly string[];
	/** Discovery is off. */
	readonly isOff: boolean;
	readonly notRunning: readonly StoppedServer[];
	/** Decisions of other programs about calls of their tools, for the user to decide on. */
	readonly proposed?: number;
	/** Secrets that were put into secret storage. */
	readonly kept?: number;
}

/** Where paths are seen from. */
interface PathViewpoint {
	readonly platform: NodeJS.Platform;
	readonly home: string;
	/** Absolute. */
	readonly workspaceFolders: readonly string[];
}

/** A path as people know it: from the workspace's only folder, or from the home folder as `~`. */
export function shownPath(path: string, { platform, home, workspaceFolders }: PathViewpoint): string {
	const { relative, isAbsolute, sep } = platform === 'win32' ? win32 : posix;
	const within = (folder: string) => {
		const rest = relative(folder, path);
		return rest === '' || rest.startsWith('..') || isAbsolute(rest) ? undefined : rest;
	};
	const [folder, ...others] = workspaceFolders;
	const inFolder = folder !== undefined && others.length === 0 ? within(folder) : undefined;
	if (inFolder !== undefined) return inFolder;
	const inHome = within(home);
	return inHome === undefined ? path : `~${sep}${inHome}`;
}

/** Programs by the endings of their files' paths; the first that fits counts. */
const productEndings: readonly (readonly [ending: RegExp, product: Product])[] = [
	[/[\\/]\.vscode[\\/]mcp\.json$/i, 'VS Code'],
	[/[\\/]\.cursor[\\/]mcp\.json$/i, 'Cursor'],
	[/[\\/](\.mcp|\.claude)\.json$/i, 'Claude Code'],
	[/[\\/]mcp_config\.json$/i, 'Windsurf'],
	[/[\\/]cline_mcp_settings\.json$/i, 'Cline'],
	[/[\\/](\.roo[\\/]mcp|mcp_settings)\.json$/i, 'Roo Code'],
	[/[\\/]\.kiro[\\/]settings[\\/]mcp\.json$/i, 'Kiro'],
	[/[\\/]claude_desktop_config[^\\/]*\.json$/i, 'Claude Desktop'],
];

/** The program that a file the user has chosen is most likely of, by its path; VS Code's own form if it tells nothing. */
export function productOf(path: string): Product {
	return productEndings.find(([ending]) => ending.test(path))?.[1] ?? 'VS Code';
}
