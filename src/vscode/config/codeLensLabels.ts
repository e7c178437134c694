import * as l10n from '@vscode/l10n';
import { autoWords } from '../../chat/autoWords.ts';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { ClientDefinition } from '../../config/models/clientDefinition.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import type { Services } from '../../services.ts';
import { commands } from '../ui/ids.ts';
import { serverLook, wantsUser } from '../ui/looks.ts';
import { listFailureReason, modelCount } from '../ui/modelListLabels.ts';
import { loadedCounts, type ServerNode } from '../ui/nodes.ts';
import { savedPercent } from '../ui/statusLabels.ts';

/** Where a key comes from, without the key. */
type KeySource = Awaited<ReturnType<Services['keys']['sourceFor']>>;

/** One entry of a line over the file; without a command it only says something. */
export interface LensLabel {
	/** Absent: that of the command. */
	readonly title?: string;
	readonly command?: string;
	readonly argument?: unknown;
}

/** Icons of a server's states: those of the tree are too wide for a line of text. */
const icons: Readonly<Record<ServerState['kind'], string>> = {
	unapproved: 'shield',
	disabled: 'circle-slash',
	forbidden: 'lock',
	'signed-out': 'account',
	stopped: 'circle-outline',
	starting: 'loading~spin',
	ready: 'pass-filled',
	failed: 'error',
};

/** What stands over a server: its state and counts, and what can be done with it now. */
export function serverLens(node: ServerNode): readonly LensLabel[] {
	const { status } = node;
	const tools = node.tools.filter(({ state }) => state !== 'disabled');
	const look = serverLook(status);
	const on = (title: string, command: string): LensLabel => ({ title, command, argument: node });
	const counts =
		tools.length === 0
			? []
			: [
					toolCount(tools.length),
					...loadedCounts(tools),
					shownTokens(sumOfTokens(tools.map(({ tool }) => tool))),
				];
	if (status.state.kind === 'unapproved') {
		return [{ title: `$(shield) ${look.word}` }, on(l10n.t('Review…'), commands.reviewServers)];
	}
	if (status.state.kind === 'disabled') {
		return [{ title: `$(circle-slash) ${look.word}` }, on(l10n.t('Enable'), commands.enable)];
	}
	if (status.state.kind === 'forbidden') return [{ title: `$(${look.icon}) ${look.word}` }];
	const signIn = wantsUser(status) ? [on(l10n.t('Sign In…'), commands.signIn)] : [];
	const isRunning = status.state.kind === 'ready' || status.state.kind === 'starting';
	const isPinned = tools.length > 0 && tools.every(({ state }) => state === 'pinned');
	const isDeferred = tools.every(({ state }) => state === 'deferred' || state === 'activated');
	return [
		{ title: [`$(${icons[status.state.kind]}) ${look.word}`, ...counts].join(' · ') },
		...signIn,
		...(isRunning
			? [on(l10n.t('Restart'), commands.restartServer), on(l10n.t('Stop'), commands.stopServer)]
			: signIn.length > 0
				? []
				: [on(l10n.t('Start'), commands.startServer)]),
		...(isPinned ? [] : [on(l10n.t('Pin'), commands.pinServer)]),
		...(isDeferred ? [] : [on(l10n.t('Defer'), commands.deferServer)]),
		on(l10n.t('Show Log'), commands.showServerLog),
	];
}

/** What stands over a server that the extension does not have: why that is so. */
export function absentServerLens(isTrusted: boolean, isDirty: boolean): readonly LensLabel[] {
	if (!isTrusted) return [{ title: l10n.t('$(shield) not started: this workspace is not trusted') }];
	return [
		{
			title: isDirty
				? l10n.t('$(circle-outline) not saved yet')
				: l10n.t('$(error) off: this entry has a fault'),
		},
	];
}

/** What stands over an entry in whose place that of another file is in force. `by`: what that file is called. */
export function replacedLens(by: string): readonly LensLabel[] {
	return [{ title: l10n.t('$(circle-slash) not in force: that of {0} is', by) }];
}

/** What stands over `tool_discovery`: how much is deferred, and what that saves. */
export function discoveryLens({
	currentSurface: surface,
	current,
	policy,
}: ChatSessions): readonly LensLabel[] {
	if (!policy.enabled) {
		const title = policy.auto
			? `$(circle-slash) ${autoWords(policy.auto)}`
			: l10n.t('$(circle-slash) off · {0} with every request', toolCount(surface.tools.length));
		return [{ title }, { title: l10n.t('Turn On'), command: commands.enableDiscovery }];
	}
	const activated = current?.discovery.activated ?? [];
	const loaded = surface.loaded.length + activated.length;
	const saving = savedPercent(surface, current?.discovery);
	const title = [
		policy.auto ? `$(pass-filled) ${autoWords(policy.auto)}` : l10n.t('$(pass-filled) on'),
		l10n.t(
			'{0} of {1} deferred, {2} loaded',
			surface.deferred.length,
			toolCount(surface.tools.length),
			loaded,
		),
		...(saving ? [l10n.t('{0} tokens', saving)] : []),
	].join(' · ');
	return [{ title }, { command: commands.searchTools }, { command: commands.showContext }];
}

/** What stands over a model: where its key comes from, and how to change that. */
export function modelLens(client: string, { kind, variable }: KeySource): readonly LensLabel[] {
	const title = keyWords(kind, variable ?? '');
	return [{ title }, { command: commands.setApiKey, argument: client }];
}

function keyWords(kind: KeySource['kind'], variable: string): string {
	switch (kind) {
		case 'stored':
			return l10n.t('$(key) key stored');
		case 'variable':
			return l10n.t('$(key) key from {0}', variable);
		case 'ask':
			return l10n.t('$(key) key of {0}, if you agree', variable);
		case 'declined':
			return l10n.t('$(key) no key: you did not let that of {0} be sent', variable);
		case 'none':
			return l10n.t('$(key) no key');
	}
}

/** What stands over a client of which the configuration names no models, so that all of its own are offered. */
export function clientLens(
	client: ClientDefinition,
	{ models, leftOut, failure }: ReturnType<Services['modelLists']['stateOf']>,
): readonly LensLabel[] {
	const withoutTools = models.filter(({ tools }) => tools === false).length;
	const words = [
		modelCount(models.length - withoutTools),
		...(withoutTools > 0 ? [l10n.t('{0} more cannot call tools', withoutTools)] : []),
		...(leftOut > 0 ? [l10n.t('{0} left out', leftOut)] : []),
	];
	const wantsKey = failure?.kind === 'failed' && failure.wantsKey;
	return [
		...(models.length > 0 || !failure ? [{ title: `$(list-unordered) ${words.join(' · ')}` }] : []),
		...(failure ? [{ title: `$(warning) ${listFailureReason(failure)}` }] : []),
		{ command: commands.refreshModels, argument: client.name },
		...(wantsKey ? [{ command: commands.setApiKey, argument: client.name }] : []),
	];
}
