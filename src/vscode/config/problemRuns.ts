import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { smallestEdit } from '../../config/file/textEdit.ts';
import { withoutSecrets } from '../../config/fixes/secretFixes.ts';
import { loadConfig } from '../../config/load.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ActionNode } from '../actions/action.ts';
import type { DismissedWarnings } from '../core/dismissedWarnings.ts';
import type { UndoableChange } from '../core/undo.ts';
import { problemsOf } from '../ui/nodes.ts';
import { type FixServices, storeSecrets } from './quickFixes.ts';

/** Moves the keys of all configuration files to secret storage. Files without unsaved changes are saved. */
export async function moveKeys(services: FixServices): Promise<void> {
	let moved = 0;
	for (const { place, knownScope } of services.configFile.files) {
		const { state } = services.configFile.fileAt(place.uri) ?? {};
		if (!state || !('problems' in state)) continue;
		const document = await vscode.workspace.openTextDocument(place.uri);
		const text = document.getText();
		const { env } = withSecrets(knownScope);
		const { after, secrets } = withoutSecrets(text, loadConfig(text, knownScope).problems, env);
		if (secrets.length === 0) continue;
		const { isDirty } = document;
		await storeSecrets(services, document, { edits: smallestEdit(text, after), secrets });
		if (!isDirty) await document.save();
		moved += secrets.length;
	}
	if (moved === 0) throw new Error(l10n.t('no key can be moved automatically.'));
}

export async function dismissWarnings(
	dismissed: DismissedWarnings,
	nodes: readonly ActionNode[],
): Promise<UndoableChange> {
	const warnings = nodes.flatMap(problemsOf);
	await dismissed.dismiss(warnings);
	const what =
		warnings.length === 1 ? l10n.t('dismiss 1 warning') : l10n.t('dismiss {0} warnings', warnings.length);
	return { what, undo: () => dismissed.restore(warnings) };
}
