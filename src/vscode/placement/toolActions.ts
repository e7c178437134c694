import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import type { ToolAction } from '../actions/nextAction.ts';
import { labelText } from '../ui/labelText.ts';
import type { PlacedNode } from '../ui/nodes.ts';

/** Whether something is to be disabled, or enabled again. */
export type SwitchAction = 'disable' | 'enable';

const nameLength = 80;

/** What is done with these, as undoing names it: `pin git:git_log`. */
export function changeLabel(action: ToolAction | SwitchAction, nodes: readonly PlacedNode[]): string {
	const names = namesOf(nodes);
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

/** What has become of these, as a sentence. */
export function outcomeLabel(action: ToolAction | SwitchAction, nodes: readonly PlacedNode[]): string {
	const names = namesOf(nodes);
	const isOne = nodes.length === 1;
	switch (action) {
		case 'pin':
			return isOne
				? l10n.t('{0} is pinned: every chat has it.', names)
				: l10n.t('{0} are pinned: every chat has them.', names);
		case 'defer':
			return isOne ? l10n.t('{0} is deferred.', names) : l10n.t('{0} are deferred.', names);
		case 'load':
			return isOne
				? l10n.t('{0} is loaded for this chat.', names)
				: l10n.t('{0} are loaded for this chat.', names);
		case 'unload':
			return isOne
				? l10n.t('{0} is unloaded from this chat.', names)
				: l10n.t('{0} are unloaded from this chat.', names);
		case 'disable':
			return isOne ? l10n.t('{0} is disabled.', names) : l10n.t('{0} are disabled.', names);
		case 'enable':
			return isOne ? l10n.t('{0} is enabled.', names) : l10n.t('{0} are enabled.', names);
	}
}

/** The one that it is, or how many. */
export function namesOf(nodes: readonly PlacedNode[]): string {
	const [first] = nodes;
	if (nodes.length > 1) {
		const servers = nodes.filter(({ kind }) => kind === 'server').length;
		return servers > 0 ? l10n.t('{0} servers and tools', nodes.length) : toolCount(nodes.length);
	}
	if (first?.kind === 'server') return labelText(first.status.name, nameLength);
	return first ? labelText(`${first.tool.server}:${first.tool.name}`, nameLength) : '';
}
