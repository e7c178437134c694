import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import { labelText } from '../ui/labelText.ts';
import type { PlacedNode } from '../ui/nodes.ts';

/** What changes whether and when models get a tool. */
type PlacementAction = 'pin' | 'defer' | 'load' | 'unload';

export type SwitchAction = 'disable' | 'enable';

/** Names a change for undo: `pin git:git_log`. */
export function changeLabel(action: PlacementAction | SwitchAction, nodes: readonly PlacedNode[]): string {
	const names = nameOrCount(nodes);
	switch (action) {
		case 'pin':
			return l10n.t('pin {0}', names);
		case 'defer':
			return l10n.t('defer {0}', names);
		case 'load':
			return l10n.t('load {0}', names);
		case 'unload':
			return l10n.t('unload {0}', names);
		case 'disable':
			return l10n.t('disable {0}', names);
		case 'enable':
			return l10n.t('enable {0}', names);
	}
}

/** `git:git_log is disabled.` */
export function outcomeLabel(action: SwitchAction, nodes: readonly PlacedNode[]): string {
	const names = nameOrCount(nodes);
	if (action === 'disable')
		return nodes.length === 1 ? l10n.t('{0} is disabled.', names) : l10n.t('{0} are disabled.', names);
	return nodes.length === 1 ? l10n.t('{0} is enabled.', names) : l10n.t('{0} are enabled.', names);
}

/** The name of a single node, or how many there are. */
export function nameOrCount(nodes: readonly PlacedNode[]): string {
	const [first] = nodes;
	if (nodes.length > 1) {
		const servers = nodes.filter(({ kind }) => kind === 'server').length;
		return servers > 0 ? l10n.t('{0} servers and tools', nodes.length) : toolCount(nodes.length);
	}
	if (first?.kind === 'server') return labelText(first.status.name);
	return first ? labelText(`${first.tool.server}:${first.tool.name}`) : '';
}
