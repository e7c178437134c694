import * as l10n from '@vscode/l10n';
import { exactText } from '../../common/exactText.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import {
	approvalHash,
	everyVariable,
	type LaunchFact,
	launchFacts,
	showsKey,
} from '../../mcp/accepted/launchFacts.ts';
import type { PendingServer } from '../core/approvals.ts';

/** One line about a server; for a server that has changed, also what it did before (`gone`) and does now (`added`). */
export interface ReviewLine {
	readonly change: 'same' | 'gone' | 'added';
	readonly text: string;
}

/** A server in the review. */
export interface ReviewedServer {
	readonly name: string;
	/** Quoted where it could be read as a line of the table. */
	readonly shownName: string;
	/** Hash of the launch that the lines describe: what is approved is what was shown. */
	readonly hash: string;
	/** `new`: never shown in a review; `changed`: approved with another launch; `seen`: shown in an earlier review. */
	readonly mark: 'new' | 'changed' | 'seen';
	/** Nothing is started on this machine. */
	readonly isRemote: boolean;
	/** The whole command, or the URL. */
	readonly runs: readonly ReviewLine[];
	readonly details: readonly ReviewLine[];
}

/** Servers of one file of the configuration, in its order. */
export interface ReviewedFile {
	/** The folder's name, or User Configuration. */
	readonly label: string;
	readonly path: string;
	/** Its servers are approved for all workspaces. */
	readonly isUsers: boolean;
	readonly servers: readonly ReviewedServer[];
}

/** What the review shows, as plain JSON: it is sent to a webview. */
export interface ReviewView {
	readonly files: readonly ReviewedFile[];
	/** Where servers run unless noted. */
	readonly folder: string;
	/** Whether read-only annotations can count at all: not if the user wants to be asked about every call. */
	readonly canBelieve: boolean;
	/** Which servers VS Code's settings block, and why; sentences. */
	readonly forbidden?: readonly string[];
}

export interface ReviewMessage {
	readonly view: ReviewView;
	/** Servers to select; the page scrolls to the first. */
	readonly select?: readonly string[];
}

export type ShownServer = Pick<ReviewedServer, 'name' | 'hash'>;

export type ReviewRequest =
	/** The page is loaded and empty. */
	| { readonly kind: 'ready' }
	| { readonly kind: 'approve'; readonly servers: readonly ShownServer[]; readonly trustsHints: boolean }
	| { readonly kind: 'postpone' | 'disable'; readonly servers: readonly ShownServer[] };

interface ReviewSource {
	/** In the order of the configuration, each with the heading of its file. */
	readonly pending: readonly (ReviewedLaunch & { readonly file: FileHeading })[];
	readonly folder: string;
	/** Whether an earlier review has shown a server with this launch. */
	readonly isSeen: (server: ShownServer) => boolean;
}

export type FileHeading = Omit<ReviewedFile, 'servers'>;
type ReviewedLaunch = Pick<PendingServer, 'name' | 'launch' | 'approval'>;

/** Unapproved servers by file, in the order of the files' first servers. */
export function reviewedFiles({ pending, folder, isSeen }: ReviewSource): readonly ReviewedFile[] {
	// Two folders of a workspace may have the same label, or one may be called User Configuration.
	const groups = Map.groupBy(pending, ({ file }) => JSON.stringify([file.label, file.path]));
	return [...groups.values()].flatMap((launches) => {
		const servers = launches.map((launch) => reviewedServer(launch, folder, launch.file, isSeen));
		return launches[0] ? [{ ...launches[0].file, servers }] : [];
	});
}

/** A name whose spaces and brackets cannot be taken for anything else, such as `files (app)`. */
const plainName = /^[\w.-]+(?: [\w.()-]+)*$/;

/** `file`: its heading says whether an approval counts in all workspaces, so the server need not repeat that. */
export function reviewedServer(
	{ name, launch, approval }: ReviewedLaunch,
	folder: string,
	file: Pick<ReviewedFile, 'isUsers'>,
	isSeen: ReviewSource['isSeen'] = () => false,
): ReviewedServer {
	const hash = approvalHash(launch);
	const lines = launchLines({ launch, approval }, folder);
	return {
		name,
		shownName: plainName.test(name) ? name : exactText(name),
		hash,
		mark: approval.kind === 'changed' ? 'changed' : isSeen({ name, hash }) ? 'seen' : 'new',
		isRemote: launch.kind !== 'stdio',
		runs: lines.filter(({ about }) => about === 'runs' || about === 'connects'),
		details: [
			...lines.filter(({ about }) => about !== 'runs' && about !== 'connects'),
			...storedSecretLines(launch),
			...scopeLines(launch, file),
			...(approval.kind === 'changed' && lines.every(({ change }) => change === 'same')
				? [{ change: 'added' as const, text: l10n.t('A value that is shown as *** has changed') }]
				: []),
			...(showsKey(launch) ? [note(keyAdvice())] : []),
		],
	};
}

/** The variables of the lines above that stand for stored secrets: these lines show the texts of the file. */
function storedSecretLines({ reads = {} }: ServerLaunch): ReviewLine[] {
	const names = Object.keys(reads).filter((name) => reads[name]?.isStored);
	return names.length === 0
		? []
		: [note(l10n.t('From your stored secrets: {0}', names.map(exactText).join(', ')))];
}

function keyAdvice(): string {
	return l10n.t(
		'One of these values looks like a key. It is shown because it could decide what runs. If it is a key, move it to secret storage with the light bulb in the file.',
	);
}

/** What an approval applies to, unless the heading of the file shows it. */
function scopeLines({ ofUser, usesFolder }: ServerLaunch, file: Pick<ReviewedFile, 'isUsers'>): ReviewLine[] {
	if (usesFolder)
		return [
			note(l10n.t('Uses the folder of this workspace, so the approval applies to this workspace only')),
		];
	return ofUser && !file.isUsers ? [note(l10n.t('Applies to all workspaces (user configuration)'))] : [];
}

function note(text: string): ReviewLine {
	return { change: 'same', text };
}

type FactLine = ReviewLine & Pick<LaunchFact, 'about'>;

/** What a server would do; if it was approved before, with the difference. `folder`: where servers run unless noted. */
function launchLines(
	{ launch, approval }: Pick<PendingServer, 'launch' | 'approval'>,
	folder: string,
): FactLine[] {
	const facts = launchFacts(launch);
	// Secrets of the environment are not stored, so variables with one always appear as changed: they may be.
	const previousFacts = approval.kind === 'changed' ? approval.before : facts;
	const lines = facts.flatMap(({ about, text }): FactLine[] => {
		const old = previousFacts.find((fact) => fact.about === about)?.text;
		if (old !== text)
			return [...(old === undefined ? [] : [line('gone', about, old)]), line('added', about, text)];
		return about === 'in' && text === exactText(folder) ? [] : [line('same', about, text)];
	});
	const goneLines = previousFacts
		.filter(({ about }) => !facts.some((fact) => fact.about === about))
		.map(({ about, text }) => line('gone', about, text));
	return [...lines, ...goneLines];
}

function line(change: ReviewLine['change'], about: LaunchFact['about'], text: string): FactLine {
	return { change, about, text: factWords(about, text) };
}

function factWords(about: LaunchFact['about'], text: string): string {
	switch (about) {
		case 'runs':
		case 'connects':
			return text;
		case 'in':
			return l10n.t('Folder: {0}', text);
		case 'sets':
			return l10n.t('Environment: {0}', text);
		case 'inherits':
			return text === everyVariable
				? l10n.t('Inherits: your whole environment, including keys')
				: l10n.t('Inherits: {0}', text);
		case 'sends':
			return l10n.t('Sends: {0}', text);
		case 'where':
			return l10n.t('Variables: {0}', text);
	}
}
