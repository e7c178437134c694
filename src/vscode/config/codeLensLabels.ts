import * as l10n from '@vscode/l10n';
import { shownTokens } from '../../chat/counts.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import { actions } from '../actions/table.ts';
import { commandNames, commands } from '../ui/ids.ts';
import { failedName, serverLook } from '../ui/looks.ts';
import { type FaultyServer, type ServerNode, usableCount } from '../ui/nodes.ts';

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
			: [usableCount(tools), shownTokens(sumOfTokens(tools.map(({ tool }) => tool)))];
	const stateIcon = state.kind === 'forbidden' ? icon : icons[state.kind];
	return [{ title: [`$(${stateIcon}) ${word}`, ...counts].join(' · ') }, ...actionLenses(node)];
}

function actionLenses(node: ServerNode | FaultyServer): readonly LensLabel[] {
	const argument = { server: node.kind === 'faulty' ? node.name : node.status.name };
	return commandNames
		.filter((name) => actions[name].lens !== undefined && actions[name].appliesTo?.(node))
		.toSorted((a, b) => (actions[a].lens ?? 0) - (actions[b].lens ?? 0))
		.map((name) => ({ command: commands[name], argument }));
}

/** The lenses of an entry without a server: why there is none, and what helps. */
export function absentServerLens(
	isTrusted: boolean,
	isDirty: boolean,
	faulty?: FaultyServer,
): readonly LensLabel[] {
	if (!isTrusted) return [{ title: l10n.t('$(shield) Not started: workspace not trusted') }];
	return [
		{
			title: isDirty
				? l10n.t('$(circle-outline) Not saved yet')
				: `$(error) ${failedName(l10n.t('this entry has an error'))}`,
		},
		...(faulty ? actionLenses(faulty) : []),
	];
}

/** The lens of an entry that another file overrides. `file`: the label of that file. */
export function overriddenLens(file: string): readonly LensLabel[] {
	return [{ title: l10n.t('$(circle-slash) Overridden by {0}', file) }];
}
