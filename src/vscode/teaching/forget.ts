import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { searchCount, toolCount } from '../../chat/counts.ts';
import { inOrder, reversible } from '../../common/steps.ts';
import type { ExpansionStore } from '../core/expansionStore.ts';
import type { UndoableChange } from '../core/undo.ts';
import type { UseStore } from '../core/useStore.ts';
import { commands } from '../ui/ids.ts';
import { dialogTitle, say } from '../ui/messages.ts';

/** Something that can be forgotten; `forget` resolves to what restores it. */
interface Memory extends vscode.QuickPickItem {
	readonly forget: () => Promise<() => Promise<void>>;
}

/** Forgets what the user selects of what search learned from chats, and of what models wrote about tools. */
export async function forget({
	expansions,
	learnedUse,
}: {
	readonly expansions: ExpansionStore;
	readonly learnedUse: () => Promise<UseStore>;
}): Promise<UndoableChange | undefined> {
	await expansions.load();
	const fromUse = await learnedUse();
	const memories: Memory[] = [
		...(expansions.size > 0
			? [
					{
						label: l10n.t('Descriptions by Language Models'),
						description: toolCount(expansions.size),
						detail: l10n.t('What models wrote about your tools, in all workspaces.'),
						forget: () => expansions.clear(),
					},
				]
			: []),
		...(fromUse.count > 0
			? [
					{
						label: l10n.t('Learned from Use'),
						description: searchCount(fromUse.count),
						detail: l10n.t('Which words led to which tools in this workspace’s chats.'),
						forget: () => fromUse.clear(),
					},
				]
			: []),
	];
	if (memories.length === 0) throw new Error(l10n.t('there is nothing to forget.'));
	const picked = await vscode.window.showQuickPick(
		memories.map((memory) => ({ ...memory, picked: true })),
		{
			title: dialogTitle(commands.forget),
			placeHolder: l10n.t('Select what to forget'),
			canPickMany: true,
		},
	);
	if (!picked || picked.length === 0) return undefined;
	const back = await inOrder(picked.map((memory) => reversible(memory.forget))).take();
	const labels = picked.map(({ label }) => label).join(', ');
	say(l10n.t('forgot {0}. To restore it, run “Discovery: Undo Last Change”.', labels));
	return {
		label: l10n.t('forget {0}', labels),
		undo: async () => void (await back.take()),
	};
}
