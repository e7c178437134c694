import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { isRecord } from '../../common/json.ts';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, say } from '../ui/messages.ts';
import type { Approvals } from './approvals.ts';
import type { QuarantinedTools } from './quarantinedTools.ts';
import { acceptDetail, acceptQuestion, nameLength } from './quarantineLabels.ts';

/** Takes back the approval of servers, which end: they do not start until they are approved again. */
export async function withdrawApprovals(approvals: Approvals, servers: readonly string[]): Promise<void> {
	await Promise.all(servers.map((server) => approvals.withdraw(server)));
	say(
		servers.length === 1
			? l10n.t('{0} is stopped, and needs your approval to start again.', namesOf(servers))
			: l10n.t('{0} are stopped, and need your approval to start again.', namesOf(servers)),
	);
}

/** Sets whether calls of tools that only read, as their servers say, run without a question. */
export async function setTrustsHints(
	approvals: Approvals,
	servers: readonly string[],
	trusts: boolean,
): Promise<void> {
	await Promise.all(servers.map((server) => approvals.setTrustsHints(server, trusts)));
	say(
		trusts
			? l10n.t('calls of {0} with a read-only annotation no longer ask you.', namesOf(servers))
			: l10n.t('every call of {0} asks you from now on.', namesOf(servers)),
	);
}

function namesOf(servers: readonly string[]): string {
	return servers.length === 1 ? labelText(servers[0] ?? '', nameLength) : serverCount(servers.length);
}

/** What these commands are for: rows, the name of a server, or the address of an open difference; `undefined`: the user picks. */
type Called = readonly unknown[] | undefined;

/** Shows how a tool differs from what was accepted; called with the name of a server, how all of its tools do. */
export async function showToolChange(quarantined: QuarantinedTools, called: Called): Promise<void> {
	const argument = called?.[0];
	if (typeof argument === 'string') return review(quarantined, quarantined.byServer.get(argument) ?? []);
	const tool = called ? quarantined.calledOn(argument) : await pickTool(commands.showToolChange, quarantined);
	if (tool) await quarantined.show([tool]);
}

/** Accepts the tools that are chosen, as they are, or as the open difference shows them. */
export async function acceptToolChange(quarantined: QuarantinedTools, called: Called): Promise<void> {
	if (called) {
		const tools = called.map((one) => quarantined.calledOn(one)).filter((tool) => tool !== undefined);
		if (tools.length > 0) accept(quarantined, tools);
		return;
	}
	const tool = quarantined.shown ?? (await pickTool(commands.acceptToolChange, quarantined));
	if (tool) accept(quarantined, [tool]);
}

/** Accepts all changed tools of servers, once the user has agreed for each; they can have the differences shown first. */
export async function acceptServerChanges(quarantined: QuarantinedTools, called: Called): Promise<void> {
	const picked = called ? called.map(serverOf) : [await pickServer(quarantined)];
	for (const server of new Set(picked)) if (server !== undefined) await acceptChangesOf(server, quarantined);
}

async function acceptChangesOf(server: string, quarantined: QuarantinedTools): Promise<void> {
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
