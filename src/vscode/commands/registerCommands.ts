import * as vscode from 'vscode';
import { ReportDocuments } from '../evaluation/reportDocuments.ts';
import { commands } from '../ids.ts';
import { failureText } from '../labelText.ts';
import { askToTrust } from './askToTrust.ts';
import type { CommandContext, CommandHandlers } from './commands.ts';
import { needsTrust } from './withoutTrust.ts';

/** Registers every command. What they do is loaded with the first that is used; a failing one says what happened. */
export function registerCommands(context: Omit<CommandContext, 'reports'>): vscode.Disposable {
	const reports = new ReportDocuments();
	let handlers: Promise<CommandHandlers> | undefined;
	const load = () => {
		handlers ??= import('../onDemand.ts').then(({ commandHandlers }) =>
			commandHandlers({ ...context, reports }),
		);
		return handlers;
	};
	const run = async (id: keyof CommandHandlers, args: readonly unknown[]) => {
		const allowed = vscode.workspace.isTrusted || !needsTrust(id);
		await (allowed ? (await load())[id](args) : askToTrust());
	};
	return vscode.Disposable.from(
		reports,
		...Object.values(commands).map((id) =>
			vscode.commands.registerCommand(id, (...args: unknown[]) => run(id, args).catch(report)),
		),
	);
}

/** Says that something the user has asked for has failed. */
export function report(error: unknown): void {
	void vscode.window.showErrorMessage(`Discovery: ${failureText(error)}`);
}
