import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount, wholeNumber } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { enableDiscovery } from '../../config/file/edit.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { changeConfig } from '../core/configChange.ts';
import type { Configuration } from '../core/configuration.ts';
import type { ServerModels } from '../core/serverModels.ts';
import type { UndoableChange } from '../core/undo.ts';
import { ids } from '../ui/ids.ts';
import { say } from '../ui/messages.ts';
import { isLoadedState } from '../ui/nodes.ts';

export async function turnOnDiscovery(configFile: Configuration): Promise<UndoableChange | undefined> {
	const { state } = configFile;
	const uri = state.kind === 'ok' ? state.discovery.place.uri : undefined;
	const change = await changeConfig(configFile, [{ uri, plan: enableDiscovery }]);
	return change && { label: l10n.t('turn on discovery'), undo: change.undo };
}

export async function rebuildIndex(
	pool: ServerPool,
	sessions: ChatSessions,
	serverModels: ServerModels,
): Promise<void> {
	await vscode.window.withProgress(
		{ location: { viewId: ids.serversView }, title: l10n.t('Rebuilding the index…') },
		async () => {
			await pool.refresh();
			sessions.rebuild();
			// Otherwise the first search would build it, after the message that it was rebuilt.
			if (sessions.currentSurface.deferred.length > 0) await sessions.currentSurface.index();
		},
	);
	const states = serverModels.servers.flatMap(({ tools }) => tools.map(({ state }) => state));
	const deferred = states.filter((state) => state === 'deferred').length;
	const loaded = states.filter(isLoadedState).length;
	say(l10n.t('index rebuilt: {0} deferred, {1} loaded.', toolCount(deferred), wholeNumber(loaded)));
}

export async function resetSession(sessions: ChatSessions): Promise<void> {
	if (!sessions.current) throw new Error(l10n.t('no chat to reset yet.'));
	sessions.current.discovery.log.append({ kind: 'reset' });
	sessions.chooseToolset(sessions.current, undefined);
	say(l10n.t('last used chat reset.'));
}
