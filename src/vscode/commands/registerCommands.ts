import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { commandNames, commands } from '../ui/ids.ts';
import { showError } from '../ui/messages.ts';
import type { Selections } from './targets.ts';

/** Registers a command for each action. An error becomes a notification. */
export function registerCommands({ app }: Pick<Services, 'app'>, views: Selections): vscode.Disposable {
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
