import { posix, win32 } from 'node:path';
import * as l10n from '@vscode/l10n';
import { serverCount } from '../../chat/counts.ts';
import { nameList } from '../../common/nameList.ts';
import { launchText } from '../../config/add/serverDraft.ts';
import type { PlannedServer } from '../../config/import/importPlan.ts';
import type { ImportSource } from '../../config/import/importSources.ts';
import { labelText } from '../ui/labelText.ts';

/** A server that can be added, or that is configured already. */
interface ServerRow {
	readonly kind: 'server';
	readonly planned: PlannedServer;
	readonly label: string;
	readonly description: string;
	readonly detail: string;
	/** What the user should know before adding it, whole: the list cuts the detail. Empty: nothing. */
	readonly notes: string;
	readonly isSelectable: boolean;
	/** Whether it is only one of the packages that a typed name may stand for. */
	readonly isGuess?: boolean;
	/** The file that it comes from. */
	readonly path?: string;
}

/** Something that cannot be added. */
interface FaultRow {
	readonly kind: 'fault';
	readonly label: string;
	readonly description: string;
	readonly detail: string;
	/** The whole fault, if the label does not have it. */
	readonly notes: string;
	readonly path?: string;
}

/** The heading over the rows of one file. */
interface HeadingRow {
	readonly kind: 'heading';
	readonly label: string;
}

/** A row in the list of servers to add. */
export type AddRow = ServerRow | FaultRow | HeadingRow;

interface PlannedFile {
	readonly source: ImportSource;
	readonly servers: readonly PlannedServer[];
	readonly faults: readonly string[];
}

const nameLength = 100;
/** Characters of why a server does not run, in a notification. */
const reasonLength = 150;
/** Characters of a row's last line. The list shows about 80 of them, and a button of the row all. */
const detailLength = 1000;
/** Characters of a sentence that the list shows whole. */
const rowLength = 85;
/** Of a command line with notes behind it. */
const shortRunsLength = 80;

/** The rows of all files, file by file. */
export function foundRows(files: readonly PlannedFile[], readablePath: (path: string) => string): AddRow[] {
	return files.flatMap(({ source: { product, path }, servers, faults }) => {
		const rows = [
			...servers.map((planned) => ({
				...serverRow(planned, readablePath(path), launchText(planned.server.entry)),
				path,
			})),
			...faults.map((fault) => faultRow(fault, path, readablePath(path))),
		];
		return rows.length > 0
			? [{ kind: 'heading' as const, label: product ?? l10n.t('Chosen File') }, ...rows]
			: [];
	});
}

/** `place`: where it comes from. `runs`: what it runs or reaches. */
export function serverRow(planned: PlannedServer, place: string, runs: string): ServerRow {
	const { server, state, notes } = planned;
	const secretNames = server.secrets.map(({ name }) => name);
	const isPresent = state === 'present';
	const secrets =
		secretNames.length > 0 && !isPresent ? [l10n.t('Secrets: {0}.', nameList(secretNames))] : [];
	const inputs =
		server.inputs.size > 0 && !isPresent
			? [l10n.t('Asks for {0}.', nameList([...server.inputs.keys()]))]
			: [];
	const more = labelText([...secrets, ...inputs, ...notes].join(' '), detailLength);
	const shownRuns = labelText(runs, more === '' ? detailLength : shortRunsLength);
	return {
		kind: 'server',
		planned,
		label: labelText(server.name, nameLength),
		description: [...(place === '' ? [] : [place]), ...stateWords(planned)].join(' · '),
		detail: more === '' ? shownRuns : `${shownRuns} — ${more}`,
		notes: more,
		isSelectable: !isPresent,
	};
}

/**
 * The items that stay ticked: those with a server, one for each name. A tick replaces the one of the same name, but several ticks at once
 * (Select All) replace none, and take no guess.
 */
export function oneOfEachName<T extends { readonly row: AddRow }>(
	items: readonly T[],
	wasTicked: (item: T) => boolean,
): readonly T[] {
	const servers = items.flatMap((item) =>
		item.row.kind === 'server' && item.row.isSelectable
			? [{ item, row: item.row, isNew: !wasTicked(item) }]
			: [],
	);
	const isOne = servers.filter(({ isNew }) => isNew).length === 1;
	const byName = Map.groupBy(
		servers.filter(({ row, isNew }) => isOne || !isNew || !row.isGuess),
		({ row }) => row.planned.name,
	);
	const ticked = new Set(
		[...byName.values()].map((alike) => (alike.find(({ isNew }) => isNew === isOne) ?? alike[0])?.item),
	);
	return items.filter((item) => ticked.has(item));
}

/** What happens to a server on import, unless it is added under its own name. */
function stateWords({ server, state, name, twin }: PlannedServer): readonly string[] {
	const other = labelText(name, nameLength);
	const same =
		twin === undefined ? [] : [l10n.t('{0} runs this package already', labelText(twin, nameLength))];
	switch (state) {
		case 'new':
			return same;
		case 'renamed':
			return [l10n.t('as {0}', other), ...same];
		case 'present':
			return [
				name === server.name ? l10n.t('already configured') : l10n.t('already configured as {0}', other),
			];
	}
}

function faultRow(fault: string, path?: string, place = ''): FaultRow {
	const notes = labelText(fault, detailLength);
	return {
		kind: 'fault',
		label: l10n.t('Cannot be imported'),
		description: place,
		detail: notes,
		notes,
		...(path !== undefined && { path }),
	};
}

export function pastedFaultRow(fault: string): FaultRow {
	const fullText = labelText(fault, detailLength);
	return fullText.length > rowLength
		? faultRow(fullText)
		: { kind: 'fault', label: fullText, description: '', detail: '', notes: '' };
}

/** What was added, how its servers are doing, and what they still need, in sentences. */
export function addedSummary(
	servers: readonly PlannedServer[],
	{ outcome, unset, isOff, unapproved = 0, notRunning, brings, storedSecrets = 0 }: Added,
): string {
	const [first] = servers;
	const subject =
		servers.length === 1 && first ? labelText(first.name, nameLength) : serverCount(servers.length);
	const stopped = notRunning.map(({ name, why }) => {
		const reason = labelText(why, reasonLength);
		return servers.length === 1 ? reason : `${labelText(name, nameLength)} (${reason})`;
	});
	return [
		brings === undefined ? l10n.t('added {0}.', subject) : l10n.t('added {0}: {1}.', subject, brings),
		...(servers.length === 1 && first ? first.notes : []),
		...(storedSecrets > 0 ? [secretsWords(storedSecrets)] : []),
		...(outcome === 'unsaved' ? [l10n.t('Save the configuration to start using them.')] : []),
		...(unset.length > 0 ? [l10n.t('No value is set for {0}.', nameList(unset))] : []),
		...(unapproved > 0 ? [approvalWords(unapproved)] : []),
		...(stopped.length > 0 ? [l10n.t('Not running: {0}.', nameList(stopped))] : []),
		...(isOff ? [l10n.t('Discovery is turned off, so every tool is loaded.')] : []),
	].join(' ');
}

function secretsWords(secrets: number): string {
	return secrets === 1
		? l10n.t('1 secret is now in VS Code’s secret storage.')
		: l10n.t('{0} secrets are now in VS Code’s secret storage.', secrets);
}

function approvalWords(servers: number): string {
	return servers === 1 ? l10n.t('1 server needs approval.') : l10n.t('{0} servers need approval.', servers);
}

/** The state after servers were added. */
interface Added {
	/** `unsaved`: the file had unsaved changes, and now has more. */
	readonly outcome: 'saved' | 'unsaved';
	/** Environment variables that the servers read and that are not set. */
	readonly unset: readonly string[];
	readonly isOff: boolean;
	/** How many servers need approval. */
	readonly unapproved?: number;
	/** `why`: `command not found`, `Signed out`, `unreachable: self-signed certificate`. */
	readonly notRunning: readonly { readonly name: string; readonly why: string }[];
	/** The tools of a single server that runs: `9 tools, ≈1.2k tokens`. */
	readonly brings?: string;
	/** Secrets that were stored. */
	readonly storedSecrets?: number;
}

interface PathViewpoint {
	readonly platform: NodeJS.Platform;
	readonly home: string;
	/** Absolute. */
	readonly workspaceFolders: readonly string[];
}

/** A path relative to the workspace's only folder, or to the home folder as `~`. */
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
