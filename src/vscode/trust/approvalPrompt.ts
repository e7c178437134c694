import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../counts.ts';
import { commands } from '../ids.ts';
import { labelText } from '../labelText.ts';
import { pendingServers } from './pendingServers.ts';
import type { ReviewParts } from './reviewServers.ts';

/** Says once of each server that it waits for approval, and leads to the review. */
export function askForApproval({ approvals, configFile }: ReviewParts): vscode.Disposable {
	/** By what was asked of: a server that changes again is asked of again. */
	const asked = new Set<string>();
	const look = () => {
		if (!vscode.workspace.isTrusted) return;
		const pending = pendingServers(configFile.state, approvals).map(({ name, facts }) => ({
			name,
			key: JSON.stringify([name, facts]),
		}));
		const fresh = pending.filter(({ key }) => !asked.has(key));
		for (const { key } of fresh) asked.add(key);
		if (fresh.length > 0) void ask(pending.map(({ name }) => name));
	};
	return vscode.Disposable.from(
		configFile.onDidChange(look),
		vscode.workspace.onDidGrantWorkspaceTrust(look),
	);
}

async function ask(names: readonly string[]): Promise<void> {
	const review = l10n.t('Review…');
	const text =
		names.length === 1
			? l10n.t(
					'Discovery: the server {0} starts when you have approved what it runs.',
					labelText(names[0] ?? '', 100),
				)
			: l10n.t('Discovery: {0} start when you have approved what they run.', serverCount(names.length));
	const chosen = await vscode.window.showInformationMessage(text, review);
	if (chosen === review) await vscode.commands.executeCommand(commands.reviewServers);
}
