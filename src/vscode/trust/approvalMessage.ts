import * as l10n from '@vscode/l10n';
import { serverCount } from '../../chat/counts.ts';
import { labelText } from '../ui/labelText.ts';
import type { PendingServer } from './approvals.ts';

const nameLength = 100;

/** The notification about servers that newly need approval: one that had been approved has stopped, and the text says why. */
export function approvalMessage(servers: readonly PendingServer[]): string {
	const changed = servers.filter(({ standing }) => standing.kind === 'changed');
	const [first] = servers;
	if (servers.length === 1 && first) {
		const name = labelText(first.name, nameLength);
		return changed.length === 1
			? l10n.t('{0} changed in the configuration. It starts once you approve it again.', name)
			: l10n.t('{0} starts once you approve it.', name);
	}
	const count = serverCount(servers.length);
	return changed.length === servers.length
		? l10n.t('{0} changed in the configuration. They start once you approve them again.', count)
		: l10n.t('{0} start once you approve them.', count);
}
