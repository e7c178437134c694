import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import type { Activation } from '../../discovery/session/activations.ts';
import { labelText } from '../ui/labelText.ts';
import type { UndoableChange } from './undo.ts';

/**
 * Tools that a chat has just unloaded. Undoing loads them again, for their former reasons, except tools that were loaded since: if they are gone
 * again, the user did not unload them this time. After a reset of the chat there is nothing to undo.
 */
export function unloadedTools(
	sessions: ChatSessions,
	chat: ChatSession,
	activations: readonly Activation[],
): UndoableChange {
	const { log, surface } = chat.discovery;
	const unloaded = log.entries.at(-1);
	const pending = () => {
		const at = unloaded ? log.entries.lastIndexOf(unloaded) : -1;
		const since = log.entries.slice(at + 1);
		if (at < 0 || since.some(({ kind }) => kind === 'reset')) return [];
		const again = since.flatMap((entry) => (entry.kind === 'load' ? entry.tools : []));
		const loaded = new Set(again.map(({ wireName }) => wireName));
		return activations.filter(
			({ wireName }) => !loaded.has(wireName) && chat.discovery.surface.get(wireName),
		);
	};
	const [id = ''] = activations.map(({ wireName }) => surface.get(wireName)?.id ?? wireName);
	return {
		label: l10n.t('unload {0}', activations.length === 1 ? labelText(id) : toolCount(activations.length)),
		canUndo: () => sessions.current === chat && pending().length > 0,
		undo: () => {
			for (const activation of pending()) loadByHand(sessions, activation.wireName, activation);
		},
	};
}

/** Loads a tool for the last used chat. */
export function loadByHand(
	sessions: ChatSessions,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): void {
	const { discovery } = sessions.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return;
	discovery.load([tool], why.reason, why.words);
	if (discovery.loadedTools.includes(tool)) return;
	// The tools of the last turn fill the set. A tool that a person loads by hand, as with `/load`, may evict them.
	discovery.log.append({ kind: 'byHand' });
	discovery.load([tool], why.reason, why.words);
}
