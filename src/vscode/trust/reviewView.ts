import * as l10n from '@vscode/l10n';
import { exactText } from '../../common/exactText.ts';
import { approvalHash, everyVariable, type LaunchFact } from '../../mcp/accepted/launchFacts.ts';
import type { PendingLaunch, PendingServer } from './approvals.ts';

/** What a server would do, in one line; of a server that has changed, also what it did (`gone`) and does instead (`added`). */
export interface ReviewLine {
	readonly change: 'same' | 'gone' | 'added';
	readonly text: string;
}

/** A server in the review. */
export interface ReviewedServer {
	readonly name: string;
	/** The name as exact as the lines are: it could read like one of them. */
	readonly shownName: string;
	/** Of the launch that the lines tell of: what is approved is what was shown. */
	readonly hash: string;
	/**
	 * `new`: no review has shown it before; `changed`: it was approved as something else; `seen`: an earlier review has shown it, and it
	 * waits still; `approved`: in this review.
	 */
	readonly mark: 'new' | 'changed' | 'seen' | 'approved';
	/** It is reached by its address; nothing is started here. */
	readonly isRemote: boolean;
	readonly lines: readonly ReviewLine[];
	/** The file that it stands in; left out where there is but one to think of. */
	readonly file?: ReviewedFile;
}

/** A file of the configuration, as its heading in the review names it. */
export interface ReviewedFile {
	/** The folder's name, or that it is the user's. */
	readonly label: string;
	readonly path: string;
}

/** What the review shows. Plain JSON: it goes to a window of its own. */
export interface ReviewView {
	readonly servers: readonly ReviewedServer[];
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

/** What the page asks of the extension. */
export type ReviewRequest =
	/** It is there, and has nothing to show yet. */
	| { readonly kind: 'ready' }
	/** The user wants to change something about the server that is proposed. */
	| { readonly kind: 'back' }
	| {
			readonly kind: 'approve';
			readonly servers: readonly Pick<ReviewedServer, 'name' | 'hash'>[];
			readonly trustsHints: boolean;
	  };

/** What the rows of a review are made of. */
interface ReviewSource {
	/** In the order of the configuration. */
	readonly pending: readonly PendingLaunch[];
	/** Where servers run unless it is said. */
	readonly folder: string;
	/** Whether an earlier review has shown a server as it is, by its row's name and hash. */
	readonly isSeen: (server: Pick<ReviewedServer, 'name' | 'hash'>) => boolean;
	/** Whether a server is approved as its row shows it. */
	readonly isApproved: (server: Pick<ReviewedServer, 'name' | 'hash'>) => boolean;
	/** The file that a server stands in, where that is to be said. */
	readonly fileOf: (server: string) => ReviewedFile | undefined;
}

/**
 * The rows of a review that has shown `before`. Rows keep their places, and one that was approved stays where it is: nothing may come
 * to lie under a pointer that is about to press a button.
 */
export function reviewRows(
	before: readonly ReviewedServer[],
	{ pending, folder, isSeen, isApproved, fileOf }: ReviewSource,
): ReviewedServer[] {
	const waiting = new Map(pending.map((server) => [server.name, rowOf(server, { folder, isSeen, fileOf })]));
	const kept = before.flatMap((row): ReviewedServer[] => {
		const now = waiting.get(row.name);
		if (now) return [now];
		return isApproved(row) ? [{ ...row, mark: 'approved' }] : [];
	});
	const shown = new Set(kept.map(({ name }) => name));
	return [...kept, ...[...waiting.values()].filter(({ name }) => !shown.has(name))];
}

function rowOf(
	server: PendingLaunch,
	{ folder, isSeen, fileOf }: Pick<ReviewSource, 'folder' | 'isSeen' | 'fileOf'>,
): ReviewedServer {
	const { name, launch, standing } = server;
	const file = fileOf(name);
	const hash = approvalHash(launch);
	const fresh = isSeen({ name, hash }) ? 'seen' : 'new';
	return {
		name,
		shownName: exactText(name),
		hash,
		mark: standing.kind === 'changed' ? 'changed' : fresh,
		isRemote: launch.kind !== 'stdio',
		lines: [...launchLines(server, folder), ...scopeLines(launch)],
		...(file && { file }),
	};
}

/** The row of a server that nobody has seen before. */
export function newRow(server: PendingLaunch, folder: string): ReviewedServer {
	return rowOf(server, { folder, isSeen: () => false, fileOf: () => undefined });
}

/** What else an approval is for, where it is more than this workspace. */
function scopeLines({ ofUser, runsFolder }: PendingLaunch['launch']): ReviewLine[] {
	if (runsFolder)
		return [
			{
				change: 'same',
				text: l10n.t(
					'runs what this workspace provides, so it is approved for this workspace only (user configuration)',
				),
			},
		];
	return ofUser ? [{ change: 'same', text: l10n.t('applies to all workspaces (user configuration)') }] : [];
}

/** What a server would do; where it was approved before, beside what it did then. `folder`: where it runs unless it is said. */
export function launchLines({ facts, standing }: PendingServer, folder: string): ReviewLine[] {
	const before = standing.kind === 'changed' ? standing.before : facts;
	const lines = facts.flatMap(({ about, text }): ReviewLine[] => {
		const old = before.find((fact) => fact.about === about)?.text;
		if (old !== text) return [line('gone', about, old ?? '–'), line('added', about, text)];
		return about === 'in' && text === exactText(folder) ? [] : [line('same', about, text)];
	});
	const gone = before
		.filter(({ about }) => !facts.some((fact) => fact.about === about))
		.map(({ about, text }) => line('gone', about, text));
	return [...lines, ...gone];
}

function line(change: ReviewLine['change'], about: LaunchFact['about'], text: string): ReviewLine {
	return { change, text: factWords(about, text) };
}

function factWords(about: LaunchFact['about'], text: string): string {
	switch (about) {
		case 'runs':
			return l10n.t('runs: {0}', text);
		case 'in':
			return l10n.t('in: {0}', text);
		case 'sets':
			return l10n.t('sets: {0}', text);
		case 'inherits':
			return text === everyVariable
				? l10n.t('inherits: all variables of your environment, with the keys in them')
				: l10n.t('inherits from your environment: {0}', text);
		case 'connects':
			return l10n.t('connects to: {0}', text);
		case 'sends':
			return l10n.t('sends: {0}', text);
		case 'where':
			return l10n.t('where: {0}', text);
	}
}
