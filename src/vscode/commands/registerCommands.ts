import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { aliases, type CommandName, commandNames, commands } from '../ui/ids.ts';
import { showError } from '../ui/messages.ts';
import type { Selections } from './targets.ts';

/** Registers a command for each action. An error becomes a notification. */
export function registerCommands({ app }: Pick<Services, 'app'>, views: Selections): vscode.Disposable {
	const register = (id: string, name: CommandName) =>
		vscode.commands.registerCommand(id, async (...called: unknown[]) => {
			try {
				const { run } = await app();
				await run(name, called, views);
			} catch (error) {
				showError(error);
			}
		});
	return vscode.Disposable.from(
		...commandNames.map((name) => register(commands[name], name)),
		...Object.entries(aliases).map(([alias, name]) => register(`mcpDiscovery.${alias}`, name)),
	);
}
