import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { nameList } from '../../common/nameList.ts';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle } from '../ui/messages.ts';

/** Names of missing tools in a row. */
const shownUnknown = 3;

/** Has the user select a toolset for the last used chat. */
export async function selectToolset({ sessions }: { readonly sessions: ChatSessions }): Promise<void> {
	const current = sessions.currentSurface.toolset;
	const chosen = current?.name;
	const items = [
		{
			label: l10n.t('All Tools'),
			description: descriptionOf(sessions, undefined, chosen),
			toolset: undefined,
		},
		...[...sessions.toolsets.values(), ...(current?.missing ? [current] : [])].map((toolset) => ({
			label: labelText(toolset.name),
			description: descriptionOf(sessions, toolset, chosen),
			detail: detailOf(sessions, toolset),
			toolset: toolset.name,
		})),
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.selectToolset),
		placeHolder: l10n.t('Select which tools the chat can find and load'),
		matchOnDescription: true,
		matchOnDetail: true,
	});
	if (picked) sessions.chooseToolset(sessions.currentOrNext(), picked.toolset);
}

function descriptionOf(
	sessions: ChatSessions,
	toolset: Toolset | undefined,
	chosen: string | undefined,
): string {
	const { tools } = sessions.surface(toolset);
	const isChosen = toolset?.name === chosen;
	return [
		toolCount(tools.length),
		shownTokens(sumOfTokens(tools)),
		...(isChosen ? [l10n.t('selected')] : []),
		...(toolset?.missing ? [l10n.t('missing from the configuration')] : []),
	].join(' · ');
}

function detailOf(sessions: ChatSessions, toolset: Toolset): string {
	// The names of a missing toolset cannot be fixed.
	const unknown = toolset.missing ? [] : sessions.surface(toolset).unknownInToolset;
	const names = unknown.map((name) => labelText(name));
	return [
		...(toolset.description ? [labelText(toolset.description, 200)] : []),
		...(names.length > 0 ? [l10n.t('Not found: {0}', nameList(names, shownUnknown))] : []),
	].join(' — ');
}
