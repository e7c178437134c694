import * as l10n from '@vscode/l10n';
import type { ToolState } from '../../chat/sessions.ts';
import type { ServerErrorReason } from '../../mcp/serverError.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { startingWords } from './statusLabels.ts';

export interface ServerLook {
	readonly icon: string;
	readonly color?: string;
	readonly word: string;
	/** What a row shows before the counts; absent if the server is fine. */
	readonly short?: string;
}

/** The names of server states, the same everywhere. */
export function stateNames(): Readonly<Record<ServerState['kind'], string>> {
	return {
		unapproved: l10n.t('Needs approval'),
		disabled: l10n.t('Disabled'),
		forbidden: l10n.t('Not allowed'),
		'signed-out': l10n.t('Signed out'),
		stopped: l10n.t('Idle'),
		starting: l10n.t('Starting…'),
		ready: l10n.t('Running'),
		failed: l10n.t('Failed'),
	};
}

export function failedName(why: string): string {
	return l10n.t('Failed: {0}', why);
}

/** VS Code is listed among the servers, because search finds its tools, too. */
export function editorLook(): ServerLook {
	return { icon: 'vscode', word: l10n.t('Editor') };
}

export function serverLook({ state }: Pick<ServerStatus, 'state'>): ServerLook {
	const word = stateNames()[state.kind];
	switch (state.kind) {
		case 'unapproved':
			return { icon: 'shield', color: 'charts.yellow', word, short: word };
		case 'disabled':
			return { icon: 'circle-slash', word, short: word };
		case 'forbidden':
			return {
				icon: 'lock',
				word:
					state.ban.by === 'organization'
						? l10n.t('Not allowed by your organization')
						: l10n.t('Not allowed by your settings'),
			};
		case 'signed-out':
			return { icon: 'account', color: 'charts.yellow', word, short: word };
		case 'stopped':
			return { icon: 'vm-outline', word };
		case 'starting':
			return { icon: 'loading~spin', word, short: word, ...startingWords(state, Date.now()) };
		case 'ready':
			return { icon: 'vm-running', color: 'charts.green', word };
		case 'failed': {
			const reason = failureLabels()[state.error.reason];
			// Nothing is broken: the program is not installed.
			const isMissing = state.error.reason === 'command-not-found';
			const look = isMissing ? unsentLook : { icon: 'error', color: 'problemsErrorIcon.foreground' };
			// The icon says that it has failed, and a narrow row has no room to say it again.
			return { ...look, word: failedName(reason), short: reason };
		}
	}
}

/** Whether a server needs the user to sign in, perhaps again for more permissions. */
export function wantsUser({ state, wantsRights }: Pick<ServerStatus, 'state' | 'wantsRights'>): boolean {
	return state.kind === 'signed-out' || wantsRights !== undefined;
}

function failureLabels(): Readonly<Record<ServerErrorReason, string>> {
	return {
		'command-not-found': l10n.t('command not found'),
		'not-executable': l10n.t('not executable'),
		'folder-missing': l10n.t('folder missing'),
		'spawn-failed': l10n.t('cannot be started'),
		'exited-at-once': l10n.t('exited immediately'),
		crashed: l10n.t('crashed'),
		'connect-timeout': l10n.t('timed out'),
		'never-answered': l10n.t('never answered'),
		unreachable: l10n.t('unreachable'),
		unauthorized: l10n.t('not authorized'),
		'signed-out': l10n.t('signed out'),
		'more-rights': l10n.t('requires more permissions'),
		'sign-in-unavailable': l10n.t('sign-in not renewed'),
		'http-error': l10n.t('HTTP error'),
		'session-lost': l10n.t('session lost'),
		protocol: l10n.t('does not speak MCP'),
		'list-timeout': l10n.t('tools not listed in time'),
		'call-idle': l10n.t('no response or progress'),
		'call-too-long': l10n.t('call took too long'),
		'stream-cut': l10n.t('connection lost'),
		'message-too-large': l10n.t('message too large'),
		'request-refused': l10n.t('request refused'),
		'question-refused': l10n.t('question refused'),
		'address-unknown': l10n.t('unknown URI'),
		stopped: l10n.t('stopped'),
		'not-approved': l10n.t('not approved'),
		disabled: l10n.t('disabled'),
		forbidden: l10n.t('not allowed'),
		'tool-changed': l10n.t('tool changed'),
		'tool-gone': l10n.t('tool no longer exists'),
		'unknown-server': l10n.t('unknown server'),
	};
}

export function toolLook(state: ToolState): {
	readonly icon: string;
	readonly color?: string;
	readonly word: string;
} {
	switch (state) {
		case 'pinned':
			return { icon: 'pinned', word: l10n.t('pinned') };
		case 'loaded':
			return { icon: 'circle-filled', color: 'charts.green', word: l10n.t('loaded') };
		case 'activated':
			return { icon: 'pass-filled', color: 'charts.green', word: l10n.t('loaded') };
		case 'deferred':
			return { icon: 'circle-outline', word: l10n.t('deferred') };
		case 'changed':
			return { ...unsentLook, word: l10n.t('needs review') };
		case 'outside':
			return {
				icon: 'circle-slash',
				color: 'list.deemphasizedForeground',
				word: l10n.t('not in toolset'),
			};
		case 'disabled':
			return { icon: 'circle-slash', color: 'list.deemphasizedForeground', word: l10n.t('disabled') };
	}
}

/** The icon of a loaded tool that the model did not get. */
export const unsentLook = { icon: 'warning', color: 'problemsWarningIcon.foreground' };
