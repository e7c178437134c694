import * as vscode from 'vscode';
import { commands, needsTrust } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { askToTrust } from '../ui/messages.ts';
import type { CommandContext, CommandHandlers } from './commands.ts';

/** Registers every command. What they do is loaded with the first that is used; a failing one says what happened. */
export function registerCommands(context: CommandContext): vscode.Disposable {
	let handlers: Promise<CommandHandlers> | undefined;
	const load = () => {
		handlers ??= import('../onDemand.ts').then(({ commandHandlers }) => commandHandlers(context));
		return handlers;
	};
	const run = async (id: keyof CommandHandlers, args: readonly unknown[]) => {
		const allowed = vscode.workspace.isTrusted || !needsTrust(id);
		await (allowed ? (await load())[id](args) : askToTrust());
	};
	return vscode.Disposable.from(
		...Object.values(commands).map((id) =>
			vscode.commands.registerCommand(id, (...args: unknown[]) => run(id, args).catch(sayFailed)),
		),
	);
}

/** Says that something the user has asked for has failed. */
export function sayFailed(error: unknown): void {
	void vscode.window.showErrorMessage(`Discovery: ${failureText(error)}`);
}
