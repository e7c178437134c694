import * as vscode from 'vscode';
import type { DiscoveryHub, SavedSession } from './discoveryHub.ts';
import { Pacer, redrawEveryMs } from './pacer.ts';

/** The current chat is known again at the next start, before anything is said in it. */
export function rememberChat(hub: DiscoveryHub, memento: vscode.Memento): vscode.Disposable {
	const key = 'currentChat';
	const saved = memento.get<SavedSession>(key);
	if (saved && !hub.current) hub.restore(saved);
	let written = JSON.stringify(saved);
	const write = () => {
		const now = JSON.stringify(hub.saved);
		if (now === written) return;
		written = now;
		void memento.update(key, hub.saved);
	};
	const pacer = new Pacer(write, redrawEveryMs);
	const listener = hub.onDidChange(() => pacer.request());
	return new vscode.Disposable(() => {
		listener.dispose();
		pacer.dispose();
		// What happened right before the window closes is kept, too.
		write();
	});
}
