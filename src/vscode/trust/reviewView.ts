import * as l10n from '@vscode/l10n';
import { exactText } from '../../common/exactText.ts';
import {
	approvalHash,
	everyVariable,
	isSelfContained,
	keptFacts,
	type LaunchFact,
	launchFacts,
	masksCode,
} from '../../mcp/accepted/launchFacts.ts';
import type { PendingLaunch } from './approvals.ts';

/** What a server would do, in one line; of a server that has changed, also what it did (`gone`) and does instead (`added`). */
export interface ReviewLine {
	readonly change: 'same' | 'gone' | 'added';
	readonly text: string;
	/** The line with the secrets that `text` masks; left out where it masks none. */
	readonly exact?: string;
}

/** A server in the review. */
export interface ReviewedServer {
	readonly name: string;
	/** The name as exact as the lines are: it could read like one of them. */
	readonly shownName: string;
	/** Of the launch that the lines tell of: what is approved is what was shown. */
	readonly hash: string;
	/** `new`: no review has shown it before; `changed`: it was approved as something else; `seen`: an earlier review has shown it. */
	readonly mark: 'new' | 'changed' | 'seen';
	/** It is reached by its address; nothing is started here. */
	readonly isRemote: boolean;
	/** Its whole command, or its address. */
	readonly runs: readonly ReviewLine[];
	readonly details: readonly ReviewLine[];
	/** The details are shown without being asked for: they say more than values that the file gives the server. */
	readonly isOpen: boolean;
}

/** Servers of one file of the configuration, in its order. */
export interface ReviewedFile {
	/** The folder's name, or that it is the user's. */
	readonly label: string;
	readonly path: string;
	/** What stands in it is approved for all workspaces. */
	readonly isUsers: boolean;
	readonly servers: readonly ReviewedServer[];
}

/** What the review shows. Plain JSON: it goes to a window of its own. */
export interface ReviewView {
	readonly files: readonly ReviewedFile[];
	/** Where servers run unless a line says otherwise. */
	readonly folder: string;
	/** Whether a server's word that a tool only reads can count at all. */
	readonly canBelieve: boolean;
	/** Why further servers are not shown: VS Code's settings do not let them start. Sentences. */
	readonly forbidden?: readonly string[];
	/** Of a server that is not in the configuration yet; absent: all are. */
	readonly proposal?: ProposedAddition;
}

/** What else there is to know of a server that is to be added. */
export interface ProposedAddition {
	/** The file that it is written into, as the user knows it. */
	readonly file: string;
	/** What was done with what was pasted, and what it leaves out; sentences. */
	readonly notes: readonly string[];
	/** Where its values go that are secret, by the names of their variables. */
	readonly secretNames: readonly string[];
}

/** What the extension tells the page. */
export interface ReviewMessage {
	readonly view: ReviewView;
	/** The server that the user wants to see. */
	readonly only?: string;
}

/** A server as it was shown. */
export type ShownServer = Pick<ReviewedServer, 'name' | 'hash'>;

/** What the page asks of the extension. */
export type ReviewRequest =
	/** It is there, and has nothing to show yet. */
	| { readonly kind: 'ready' }
	/** The user wants to change something about the server that is proposed. */
	| { readonly kind: 'back' }
	| { readonly kind: 'approve'; readonly servers: readonly ShownServer[]; readonly trustsHints: boolean }
	| { readonly kind: 'postpone' | 'disable'; readonly servers: readonly ShownServer[] };

/** What the review is made of. */
interface ReviewSource {
	/** In the order of the configuration. */
	readonly pending: readonly PendingLaunch[];
	/** Where servers run unless it is said. */
	readonly folder: string;
	/** Whether an earlier review has shown a server as it is. */
	readonly isSeen: (server: ShownServer) => boolean;
	readonly fileOf: (server: string) => Omit<ReviewedFile, 'servers'>;
}

/** The servers that wait, by their files, which come in the order of their first servers. */
export function reviewedFiles({ pending, folder, isSeen, fileOf }: ReviewSource): readonly ReviewedFile[] {
	const all = pending.map((server) => ({ file: fileOf(server.name), server }));
	// Folders of a workspace may have the same name for their file, and one may be called as the user's file is.
	const groups = Map.groupBy(all, ({ file }) => JSON.stringify([file.label, file.path]));
	return [...groups.values()].flatMap((its) => {
		const servers = its.map(({ server, file }) => reviewedServer(server, folder, file, isSeen));
		return its[0] ? [{ ...its[0].file, servers }] : [];
	});
}

/** `file`: the one that it stands in, whose heading says what an approval is for; absent: the server itself says it. */
export function reviewedServer(
	{ name, launch, standing }: Omit<PendingLaunch, 'facts'>,
	folder: string,
	file?: Pick<ReviewedFile, 'isUsers'>,
	isSeen: ReviewSource['isSeen'] = () => false,
): ReviewedServer {
	const hash = approvalHash(launch);
	const lines = launchLines({ launch, standing }, folder);
	const details = [
		...lines.filter(({ about }) => about !== 'runs' && about !== 'connects'),
		...scopeLines(launch, file),
		...(standing.kind === 'changed' && lines.every(({ change }) => change === 'same')
			? [{ change: 'added' as const, text: l10n.t('A masked value has changed') }]
			: []),
	];
	const isPlain = isSelfContained(launch) && lines.every(({ about }) => about !== 'in');
	return {
		name,
		shownName: exactText(name),
		hash,
		mark: standing.kind === 'changed' ? 'changed' : isSeen({ name, hash }) ? 'seen' : 'new',
		isRemote: launch.kind !== 'stdio',
		runs: lines.filter(({ about }) => about === 'runs' || about === 'connects'),
		details,
		isOpen: !isPlain || standing.kind === 'changed' || scopeLines(launch, file).length > 0,
	};
}

/** What an approval is for, where the heading of the file does not say so. */
function scopeLines(
	{ ofUser, runsFolder }: PendingLaunch['launch'],
	file: Pick<ReviewedFile, 'isUsers'> | undefined,
): ReviewLine[] {
	if (runsFolder)
		return [scopeLine(l10n.t('Runs code of this workspace, so approved for this workspace only'))];
	return ofUser && !file?.isUsers
		? [scopeLine(l10n.t('Applies to all workspaces (user configuration)'))]
		: [];
}

function scopeLine(text: string): ReviewLine {
	return { change: 'same', text };
}

/** A line, and the fact that it tells. */
type FactLine = ReviewLine & Pick<LaunchFact, 'about'>;

/** What a server would do; where it was approved before, beside what it did then. `folder`: where it runs unless it is said. */
function launchLines(
	{ launch, standing }: Pick<PendingLaunch, 'launch' | 'standing'>,
	folder: string,
): FactLine[] {
	const exact = launchFacts(launch);
	const isMasked = !masksCode(launch);
	const facts = keptFacts(launch).map((fact, i) => ({ ...fact, exact: exact[i]?.text ?? fact.text }));
	const before = standing.kind === 'changed' ? standing.before : facts;
	const lines = facts.flatMap(({ about, text, exact }): FactLine[] => {
		const old = before.find((fact) => fact.about === about)?.text;
		const now = (change: ReviewLine['change']): FactLine => ({
			...line(change, about, isMasked ? text : exact),
			...(isMasked && exact !== text && { exact: factWords(about, exact) }),
		});
		if (old !== text) return [...(old === undefined ? [] : [line('gone', about, old)]), now('added')];
		return about === 'in' && text === exactText(folder) ? [] : [now('same')];
	});
	const gone = before
		.filter(({ about }) => !facts.some((fact) => fact.about === about))
		.map(({ about, text }) => line('gone', about, text));
	return [...lines, ...gone];
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
				? l10n.t('Inherits: all variables of your environment, with the keys in them')
				: l10n.t('Inherits: {0}', text);
		case 'sends':
			return l10n.t('Sends: {0}', text);
		case 'where':
			return l10n.t('Variables: {0}', text);
	}
}
