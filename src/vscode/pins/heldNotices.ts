import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { definitionHash } from '../../mcp/pins/definition.ts';
import { commands } from '../ids.ts';
import type { ToolChange } from './changeDocuments.ts';
import type { HeldTools } from './heldTools.ts';
import { heldMessage } from './heldWords.ts';

/** Tells the user of tools that are held, once for each change: nothing else says why a tool is not found any more. */
export function noticeHeldTools(held: HeldTools): vscode.Disposable {
	const told = new Set<string>();
	const tell = () => {
		for (const [server, changes] of held.servers) {
			const fresh = changes.map(identity).filter((id) => !told.has(id));
			for (const id of fresh) told.add(id);
			if (fresh.length > 0) void ask(server, changes);
		}
	};
	const listener = held.onDidChange(tell);
	return { dispose: () => listener.dispose() };
}

async function ask(server: string, changes: readonly ToolChange[]): Promise<void> {
	const message = heldMessage(
		server,
		changes.map((change) => change.held),
	);
	const [review, acceptAll] = [l10n.t('Review'), l10n.t('Accept All…')];
	const answer = await vscode.window.showWarningMessage(message, review, acceptAll);
	if (answer === review) await vscode.commands.executeCommand(commands.showToolChange, { server });
	if (answer === acceptAll) await vscode.commands.executeCommand(commands.acceptServerChanges, server);
}

function identity({ server, held }: ToolChange): string {
	return JSON.stringify([server, definitionHash(held.tool)]);
}
