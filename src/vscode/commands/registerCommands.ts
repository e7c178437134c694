import * as vscode from 'vscode';
import { commands, needsTrust } from '../ui/ids.ts';
import { Lazy } from '../ui/lazy.ts';
import { askToTrust, sayFailed } from '../ui/messages.ts';
import type { CommandContext, CommandHandlers } from './commands.ts';

/** Registers every command. What they do is loaded with the first that is used; a failing one says what happened. */
export function registerCommands(context: CommandContext): vscode.Disposable {
	const handlers = new Lazy(async () => {
		const { commandHandlers } = await import('../onDemand.ts');
		return commandHandlers(context);
	});
	const run = async (id: keyof CommandHandlers, args: readonly unknown[]) => {
		const allowed = vscode.workspace.isTrusted || !needsTrust(id);
		await (allowed ? (await handlers.get())[id](args) : askToTrust());
	};
	return vscode.Disposable.from(
		...Object.values(commands).map((id) =>
			vscode.commands.registerCommand(id, (...args: unknown[]) => run(id, args).catch(sayFailed)),
		),
	);
}
