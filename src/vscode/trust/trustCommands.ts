import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, say } from '../ui/messages.ts';
import type { Approvals } from './approvals.ts';
import type { QuarantinedTools } from './quarantinedTools.ts';
import { acceptDetail, acceptQuestion, nameLength } from './quarantineLabels.ts';

/** Takes back the approval of a server, which ends: it does not start until it is approved again. */
export async function withdrawApproval(approvals: Approvals, server: string): Promise<void> {
	await approvals.withdraw(server);
	say(l10n.t('{0} is not approved any more, and has ended.', labelText(server, nameLength)));
}

/** Sets whether calls of tools that only read, as their server says, run without a question. */
export async function setTrustsHints(approvals: Approvals, server: string, trusts: boolean): Promise<void> {
	await approvals.setTrustsHints(server, trusts);
	const name = labelText(server, nameLength);
	say(
		trusts
			? l10n.t('calls of {0} that only read, as it says, no longer ask you.', name)
			: l10n.t('every call of {0} asks you from now on.', name),
	);
}

// For a row that is being redrawn the editor calls a command with `undefined`. The user meant that row, so such a call does nothing: only a
// call without arguments, from the palette, is for what the active editor shows or for what the user picks.

/** Shows how a tool differs from what was accepted; called with the name of a server, how all of its tools do. */
export async function showToolChange(quarantined: QuarantinedTools, args: readonly unknown[]): Promise<void> {
	const [argument] = args;
	if (typeof argument === 'string') return review(quarantined, quarantined.byServer.get(argument) ?? []);
	const isCalledOn = args.length > 0;
	const tool = isCalledOn
		? quarantined.calledOn(argument)
		: await pickTool(commands.showToolChange, quarantined);
	if (tool) await quarantined.show([tool]);
}

/** Accepts the tools that are chosen, as they are, or as the open difference shows them. */
export async function acceptToolChange(
	quarantined: QuarantinedTools,
	args: readonly unknown[],
): Promise<void> {
	const [argument, selection] = args;
	const chosen = Array.isArray(selection) && selection.includes(argument) ? selection : [argument];
	const tools = chosen.map((one) => quarantined.calledOn(one)).filter((tool) => tool !== undefined);
	if (tools.length > 0) accept(quarantined, tools);
	if (args.length > 0) return;
	const tool = quarantined.shown ?? (await pickTool(commands.acceptToolChange, quarantined));
	if (tool) accept(quarantined, [tool]);
}

/** Accepts all changed tools of a server, once the user has agreed; they can have the differences shown first. */
export async function acceptServerChanges(
	quarantined: QuarantinedTools,
	args: readonly unknown[],
): Promise<void> {
	const server = args.length > 0 ? serverOf(args[0]) : await pickServer(quarantined);
	if (server === undefined) return;
	const tools = quarantined.byServer.get(server) ?? [];
	if (tools.length === 0) {
		const name = labelText(server, nameLength);
		throw new Error(l10n.t('no tool of “{0}” waits to be accepted.', name));
	}
	const [accepting, showing] = [l10n.t('Accept'), l10n.t('Show Differences')];
	const options = { modal: true, detail: acceptDetail(tools) };
	const question = acceptQuestion(server, tools);
	const answer = await vscode.window.showWarningMessage(question, options, accepting, showing);
	if (answer === accepting) accept(quarantined, tools);
	if (answer === showing) await review(quarantined, tools);
}

/** Shows the differences of tools of one server, and asks below them whether to accept all. */
async function review(quarantined: QuarantinedTools, tools: readonly QuarantinedTool[]): Promise<void> {
	const [first] = tools;
	if (!first) return;
	await quarantined.show(tools);
	// The editor of a single difference has a button that accepts it.
	if (tools.length === 1) return;
	const accepting = l10n.t('Accept');
	const question = acceptQuestion(first.tool.server, tools);
	const answer = await notify(question, accepting);
	if (answer === accepting) accept(quarantined, tools);
}

/** What is accepted is what was shown: a tool that has changed again meanwhile stays in quarantine. */
function accept(quarantined: QuarantinedTools, tools: readonly QuarantinedTool[]): void {
	const [left] = quarantined.accept(tools);
	if (left) {
		const name = labelText(left.tool.name, nameLength);
		throw new Error(l10n.t('“{0}” has changed again meanwhile. Look at the difference anew.', name));
	}
	say(
		tools.length === 1
			? l10n.t('the change is accepted.')
			: l10n.t('{0} changes are accepted.', tools.length),
	);
}

async function pickTool(
	command: string,
	{ byServer }: QuarantinedTools,
): Promise<QuarantinedTool | undefined> {
	const items = [...byServer.values()].flat().map((quarantined) => ({
		label: labelText(quarantined.tool.name, nameLength),
		description: labelText(quarantined.tool.server, nameLength),
		quarantined,
	}));
	return (await pick(command, items))?.quarantined;
}

async function pickServer({ byServer }: QuarantinedTools): Promise<string | undefined> {
	const items = [...byServer.keys()].map((server) => ({ label: labelText(server, nameLength), server }));
	return (await pick(commands.acceptServerChanges, items))?.server;
}

/** Has the user choose what a command of the palette is for. */
async function pick<T extends vscode.QuickPickItem>(
	command: string,
	items: readonly T[],
): Promise<T | undefined> {
	const title = dialogTitle(command);
	if (items.length > 0) return vscode.window.showQuickPick(items, { title, matchOnDescription: true });
	void notify(l10n.t('no tool has changed since you accepted it.'));
	return undefined;
}

/** The server of a row of the Servers view, or the one whose name is given. */
function serverOf(argument: unknown): string | undefined {
	if (typeof argument === 'string') return argument;
	const status = isRecord(argument) ? argument.status : undefined;
	return isRecord(status) && typeof status.name === 'string' ? status.name : undefined;
}
