// An extension under development that the benchmark opens its windows with. It has a view that takes no time. Once those that are timed are active it opens the page
// «Startup Performance», where the editor shows what it has measured itself, and leaves its text beside this file.
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { readActivationTimes } from './activationTimes.ts';
import { GIT, OURS, PAGE_FILE, PLAIN_VIEW } from './names.ts';

/** Rarely enough not to hold up what it waits for. */
const POLL_MS = 250;

/** Rows like those of servers. */
const ROWS = ['one', 'two', 'three', 'four', 'five'];

/** The editor shall not wait for what takes seconds: this activation is one among those on the page. */
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

/** The page is filled once the window has settled, some seconds after its start. */
async function leavePage(): Promise<void> {
	while (![OURS, GIT].every((id) => vscode.extensions.getExtension(id)?.isActive)) await delay(POLL_MS);
	await vscode.commands.executeCommand('perfview.show');
	for (;;) {
		const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
		if ([OURS, GIT].every((id) => readActivationTimes(page, id))) {
			const file = path.join(import.meta.dirname, PAGE_FILE);
			// Under its name it is whole.
			writeFileSync(`${file}.draft`, page);
			renameSync(`${file}.draft`, file);
			return;
		}
		await delay(POLL_MS);
	}
}
