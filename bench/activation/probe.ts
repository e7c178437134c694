// An extension under development for the benchmark's windows. Its view needs no time. Once the timed extensions are active, it
// opens the page «Startup Performance», where the editor shows its own measurements, and writes the page's text next to this
// file.
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { readActivationTimes } from './activationTimes.ts';
import { GIT, OURS, PAGE_FILE, PLAIN_VIEW } from './names.ts';

/** Polls rarely, so that it does not delay what it waits for. */
const POLL_MS = 250;

/** Rows like those of servers. */
const ROWS = ['one', 'two', 'three', 'four', 'five'];

/** Does not await slow work, because this activation is itself on the page. */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
	subscriptions.push(
		vscode.window.createTreeView(PLAIN_VIEW, {
			treeDataProvider: {
				getChildren: () => ROWS,
				getTreeItem: (label) => ({ label, description: '8 tools' }),
			},
		}),
	);
	void leavePage();
}

/** The editor fills the page a few seconds after the window's start. */
async function leavePage(): Promise<void> {
	while (![OURS, GIT].every((id) => vscode.extensions.getExtension(id)?.isActive)) await delay(POLL_MS);
	await vscode.commands.executeCommand('perfview.show');
	for (;;) {
		const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
		if ([OURS, GIT].every((id) => readActivationTimes(page, id))) {
			const file = path.join(import.meta.dirname, PAGE_FILE);
			// Renamed once it is complete.
			writeFileSync(`${file}.draft`, page);
			renameSync(`${file}.draft`, file);
			return;
		}
		await delay(POLL_MS);
	}
}
