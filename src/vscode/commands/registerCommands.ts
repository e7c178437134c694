import * as vscode from 'vscode';
import type { Called } from '../actions/action.ts';
import { type CommandName, commandNames, commands } from '../ui/ids.ts';

/** Registers a command for each action. */
export function registerCommands(
	run: (name: CommandName, ...called: Called) => Promise<void>,
): vscode.Disposable {
	return vscode.Disposable.from(
		...commandNames.map((name) =>
			vscode.commands.registerCommand(commands[name], (...called: unknown[]) => run(name, ...called)),
		),
	);
}
