import * as l10n from '@vscode/l10n';
import type { Uri } from 'vscode';
import { wholeNumber } from '../../chat/counts.ts';
import { loadedCount } from '../../chat/loadedCount.ts';
import type { ToolState } from '../../chat/sessions.ts';
import type { ConfigProblem, ProblemSeverity } from '../../config/file/problemReport.ts';
import type { ServerLaunch } from '../../config/servers/launch.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { editorLook, type ServerLook, serverLook } from './looks.ts';

/** A server with its tools, as the trees show them. */
export interface ServerNode {
	readonly kind: 'server';
	readonly status: ServerStatus;
	/** Absent for a moment, while a removed server stops. */
	readonly launch: ServerLaunch | undefined;
	readonly tools: readonly ToolNode[];
	/** Why the server is disabled, as half a sentence. */
	readonly why?: string;
	/** The permissions for its tools. */
	readonly rules?: readonly PermissionRule[];
	/** It is VS Code itself, and not a configured server. */
	readonly isOfEditor?: true;
	readonly place?: OriginOfServer;
}

/** The file that a server is defined in. */
interface OriginOfServer {
	/** The label of the file, if there are several. */
	readonly label?: string;
	/** Whether it overrides a server of the same name in the user's own file. */
	readonly replacesUsers: boolean;
}

export interface ToolNode {
	readonly kind: 'tool';
	readonly tool: CatalogTool;
	/** Its name in the row below its server. */
	readonly label: string;
	readonly state: ToolState;
	/** Why the tool is in its state, as half a sentence. */
	readonly why: string;
	/** Why the tool was not sent to the model of the last turn, although it is loaded. */
	readonly unsent?: { readonly model: string; readonly reason: string };
	/** It is a tool of VS Code, which the configuration cannot change. */
	readonly isOfEditor?: true;
	/** Its calls in the last used chat; absent: none. */
	readonly calls?: number;
	/** The permission for its calls in the last used chat. */
	readonly rule?: { readonly permission: PermissionRule; readonly chat: string | undefined };
}

/** A server that cannot start because of errors in its entry. */
export interface FaultyServer {
	readonly kind: 'faulty';
	readonly name: string;
	/** The environment variables that its entry reads and that are not set. */
	readonly unset: readonly string[];
}

/** A problem, with its file. */
export interface FileProblem extends ConfigProblem {
	readonly uri: Uri;
	/** The server that cannot start because of it, by its name in the merged configuration. */
	readonly off?: string;
}

/** A problem in the configuration, as a row that leads to it. */
export interface ProblemNode {
	readonly kind: 'problem';
	readonly problem: FileProblem;
	/** The label of the file, if there are several. */
	readonly file?: string;
	/** Its index among the problems, which identifies it when its text changes. */
	readonly index: number;
}

/** All problems of one severity in one row, so that many of them do not push the servers down. */
export interface ProblemsNode {
	readonly kind: 'problems';
	readonly severity: ProblemSeverity;
	readonly problems: readonly ProblemNode[];
}

/** The problems in a row; none in a row of something else. */
export function problemsOf(
	node: { readonly kind: string } | ProblemNode | ProblemsNode,
): readonly FileProblem[] {
	if ('problem' in node) return [node.problem];
	return 'severity' in node ? node.problems.map(({ problem }) => problem) : [];
}

/** What can be pinned and deferred: a tool, or a server as a whole. */
export type PlacedNode = ToolNode | { readonly kind: 'server'; readonly status: Pick<ServerStatus, 'name'> };

/** Whether tools in this state are sent with every request. */
export function isLoadedState(state: ToolState): boolean {
	return state === 'pinned' || state === 'loaded' || state === 'activated';
}

export function nodeLook({ status, isOfEditor }: ServerNode): ServerLook {
	return isOfEditor ? editorLook() : serverLook(status);
}

/** For the last used chat, or for every chat. A narrow row has room for little more. */
export function usableCount(tools: readonly ToolNode[]): string {
	const loaded = tools.filter(({ state }) => isLoadedState(state)).length;
	return loadedCount(loaded, tools.filter(({ state }) => state !== 'disabled').length);
}

/** `2 of 28 loaded`, then how many need review or are disabled. */
export function countsOf({ tools }: ServerNode): readonly string[] {
	const waiting = tools.filter(({ state }) => state === 'changed').length;
	const disabled = tools.filter(({ state }) => state === 'disabled').length;
	return [
		usableCount(tools),
		...(waiting > 0 ? [l10n.t('{0} to review', wholeNumber(waiting))] : []),
		...(disabled > 0 ? [l10n.t('{0} disabled', wholeNumber(disabled))] : []),
	];
}

export function usableTokens({ tools }: ServerNode): number {
	const usable = tools.filter(({ state }) => state !== 'changed' && state !== 'disabled');
	return sumOfTokens(usable.map(({ tool }) => tool));
}
