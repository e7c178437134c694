import * as l10n from '@vscode/l10n';
import { autoWords } from '../../chat/autoWords.ts';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { type ClientDefinition, type ClientRef, refOfClient } from '../../config/models/clientDefinition.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import type { Services } from '../../services.ts';
import { actions } from '../actions/table.ts';
import { type CommandName, commandNames, commands } from '../ui/ids.ts';
import { failedName, serverLook } from '../ui/looks.ts';
import { listFailureReason, modelCount } from '../ui/modelListLabels.ts';
import { loadedCounts, type ServerNode } from '../ui/nodes.ts';
import { savedPercent } from '../ui/statusLabels.ts';

type KeySource = Awaited<ReturnType<Services['keyring']['keys']['sourceFor']>>;

/** One code lens; without a command it is only text. */
export interface LensLabel {
	/** Absent: the title of the command. */
	readonly title?: string;
	readonly command?: string;
	readonly argument?: unknown;
}

/** Icons of server states: those of the tree are too wide for a line of text. */
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

/** The lenses of a server: its state and counts, and the actions that apply to it. */
export function serverLens(node: ServerNode): readonly LensLabel[] {
	const { state } = node.status;
	const { word, icon } = serverLook(node.status);
	const tools = node.tools.filter((tool) => tool.state !== 'disabled');
	const isUsed = state.kind !== 'unapproved' && state.kind !== 'disabled' && state.kind !== 'forbidden';
	const counts =
		tools.length === 0 || !isUsed
			? []
			: [
					toolCount(tools.length),
					...loadedCounts(tools),
					shownTokens(sumOfTokens(tools.map(({ tool }) => tool))),
				];
	const shown = state.kind === 'forbidden' ? icon : icons[state.kind];
	return [
		{ title: [`$(${shown}) ${word}`, ...counts].join(' · ') },
		...lensActions(node).map((name) => ({ command: commands[name], argument: { server: node.status.name } })),
	];
}

function lensActions(node: ServerNode): readonly CommandName[] {
	return commandNames
		.filter((name) => actions[name].lens !== undefined && actions[name].appliesTo?.(node))
		.toSorted((a, b) => (actions[a].lens ?? 0) - (actions[b].lens ?? 0));
}

/** The lens of an entry without a server: why there is none. */
export function absentServerLens(isTrusted: boolean, isDirty: boolean): readonly LensLabel[] {
	if (!isTrusted) return [{ title: l10n.t('$(shield) Not started: workspace not trusted') }];
	return [
		{
			title: isDirty
				? l10n.t('$(circle-outline) Not saved yet')
				: `$(error) ${failedName(l10n.t('this entry has an error'))}`,
		},
	];
}

/** The lens of an entry that another file overrides. `by`: the label of that file. */
export function replacedLens(by: string): readonly LensLabel[] {
	return [{ title: l10n.t('$(circle-slash) Overridden by {0}', by) }];
}

/** The lenses of `tool_discovery`: how much is deferred, and what that saves. */
export function discoveryLens({
	currentSurface: surface,
	current,
	policy,
}: ChatSessions): readonly LensLabel[] {
	if (!policy.enabled) {
		const title = policy.auto
			? `$(circle-slash) ${autoWords(policy.auto)}`
			: l10n.t('$(circle-slash) off · {0} sent with every request', toolCount(surface.tools.length));
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

/** The lenses of a model: where its key comes from, and how to change that. */
export function modelLens(client: ClientRef, { kind, variable }: KeySource): readonly LensLabel[] {
	const title = keyWords(kind, variable ?? '');
	return [{ title }, { command: commands.manageSecrets, argument: refOfClient(client) }];
}

function keyWords(kind: KeySource['kind'], variable: string): string {
	switch (kind) {
		case 'stored':
			return l10n.t('$(key) key stored');
		case 'variable':
			return l10n.t('$(key) key from {0}', variable);
		case 'ask':
			return l10n.t('$(key) key from {0} (asks first)', variable);
		case 'declined':
			return l10n.t('$(key) no key ({0} not allowed)', variable);
		case 'none':
			return l10n.t('$(key) no key');
	}
}

/** The lenses of a client without models in the configuration, whose own models are all offered. */
export function clientLens(
	client: ClientDefinition,
	{ models, leftOut, failure }: ReturnType<Services['languageModels']['modelLists']['stateOf']>,
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
		{ command: commands.refreshModels, argument: refOfClient(client) },
		...(wantsKey ? [{ command: commands.manageSecrets, argument: refOfClient(client) }] : []),
	];
}
