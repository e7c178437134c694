import * as vscode from 'vscode';
import { aliases, type CommandName, commandNames, commands } from '../ui/ids.ts';
import { Lazy } from '../ui/lazy.ts';
import { sayFailed } from '../ui/messages.ts';
import type { ActionServices } from './runs.ts';

/** Registers the command of every action. What they do is loaded with the first that is used; a failing one says what happened. */
export function registerCommands(services: ActionServices): vscode.Disposable {
	const runner = new Lazy(async () => {
		const { actionRunner } = await import('../onDemand.ts');
		return actionRunner(services);
	});
	const register = (id: string, name: CommandName) =>
		vscode.commands.registerCommand(id, async (...called: unknown[]) => {
			try {
				const run = await runner.get();
				await run(name, called);
			} catch (error) {
				sayFailed(error);
			}
		});
	return vscode.Disposable.from(
		...commandNames.map((name) => register(commands[name], name)),
		...Object.entries(aliases).map(([alias, name]) => register(`mcpDiscovery.${alias}`, name)),
	);
}
