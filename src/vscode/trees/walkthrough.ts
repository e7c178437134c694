import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { ServerModels } from '../core/serverModels.ts';
import { contextKeys } from '../ui/ids.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';

/** States in which nothing of a server has been approved. */
const unapproved: readonly string[] = ['unapproved', 'disabled', 'forbidden'];

/** Completes steps of the walkthrough once the user has done them, wherever they did. */
export function registerWalkthrough(serverModels: ServerModels, sessions: ChatSessions): vscode.Disposable {
	const done = new Set<string>();
	const complete = (key: string, isDone: boolean) => {
		if (!isDone || done.has(key)) return;
		done.add(key);
		void vscode.commands.executeCommand('setContext', key, true);
	};
	const look = new Throttle(() => {
		const configured = serverModels.servers.filter(({ isOfEditor }) => !isOfEditor);
		complete(
			contextKeys.approved,
			configured.some(({ status }) => !unapproved.includes(status.state.kind)),
		);
		complete(contextKeys.asked, sessions.current?.discovery.log.firstPrompt !== undefined);
	}, redrawEveryMs);
	// It also changes with every chat.
	const subscription = serverModels.onDidChange(() => look.request());
	return new vscode.Disposable(() => {
		subscription.dispose();
		look.dispose();
	});
}
