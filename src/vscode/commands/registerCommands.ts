import * as vscode from 'vscode';
import { commandNames, commands } from '../ui/ids.ts';
import { showError } from '../ui/messages.ts';
import type { RunAction } from './runs.ts';
import type { Selections } from './targets.ts';

/** Registers a command for each action. An error becomes a notification. */
export function registerCommands(
	app: () => Promise<{ readonly run: RunAction }>,
	views: Selections,
): vscode.Disposable {
	return vscode.Disposable.from(
		...commandNames.map((name) =>
			vscode.commands.registerCommand(commands[name], async (...called: unknown[]) => {
				try {
					const { run } = await app();
					await run(name, called, views);
				} catch (error) {
					showError(error);
				}
			}),
		),
	);
}
