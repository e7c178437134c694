import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import type { Approvals } from './approvals.ts';
import type { QuarantinedTools, ToolChange } from './quarantinedTools.ts';
import { acceptDetail, acceptQuestion, shownName } from './quarantineLabels.ts';

/** Characters of a server's name in a message. */
const nameLength = 60;

/** Ends a server; it starts no more until it is approved again. */
export async function withdrawApproval(approvals: Approvals, server: string): Promise<void> {
	await approvals.withdraw(server);
	say(l10n.t('{0} is not approved any more, and has ended.', labelText(server, nameLength)));
}

/** Believes a server where it says that a tool only reads, or no longer. */
export async function setTrustsHints(approvals: Approvals, server: string, trusts: boolean): Promise<void> {
	await approvals.setTrustsHints(server, trusts);
	const name = labelText(server, nameLength);
	say(
		trusts
			? l10n.t('calls of {0} that only read, as it says, no longer ask you.', name)
			: l10n.t('every call of {0} asks you from now on.', name),
	);
}

/** Shows how a tool differs from what was accepted; `{ server }`: how all of a server's do. */
export async function showToolChange(held: QuarantinedTools, [argument]: readonly unknown[]): Promise<void> {
	const server = isRecord(argument) && !('tool' in argument) ? argument.server : undefined;
	if (typeof server === 'string') return review(held, server, held.servers.get(server) ?? []);
	const change = held.changeOf(argument) ?? (await pickChange(held, argument));
	if (change) await held.show([change]);
}

/** Accepts the tools that are chosen, as they are, or as the open difference shows them. */
export async function acceptToolChange(
	held: QuarantinedTools,
	[argument, selection]: readonly unknown[],
): Promise<void> {
	const chosen = Array.isArray(selection) && selection.includes(argument) ? selection : [argument];
	const changes = chosen.map((one) => held.changeOf(one)).filter((change) => change !== undefined);
	if (changes.length > 0) return accept(held, changes);
	const change = held.shown ?? (await pickChange(held, argument));
	if (change) accept(held, [change]);
}

/** Accepts all of a server's, once the user has agreed; they are shown first where that is asked for. */
export async function acceptServerChanges(
	held: QuarantinedTools,
	[argument]: readonly unknown[],
): Promise<void> {
	const server = serverOf(argument) ?? (await pickServer(held, argument));
	if (server === undefined) return;
	const changes = held.servers.get(server) ?? [];
	if (changes.length === 0)
		throw new Error(l10n.t('no tool of “{0}” waits to be accepted.', shownName(server)));
	await askToAccept(held, server, changes);
}

/** Shows the differences, and leaves the decision within reach. */
async function review(held: QuarantinedTools, server: string, changes: readonly ToolChange[]): Promise<void> {
	if (changes.length === 0) return;
	await held.show(changes);
	// The difference of one tool has a button of its own, beside which a question would only go stale.
	if (changes.length === 1) return;
	const accepting = l10n.t('Accept');
	const question = acceptQuestion(
		server,
		changes.map((change) => change.held),
	);
	if ((await vscode.window.showInformationMessage(question, accepting)) === accepting) accept(held, changes);
}

async function askToAccept(
	held: QuarantinedTools,
	server: string,
	changes: readonly ToolChange[],
): Promise<void> {
	const tools = changes.map((change) => change.held);
	const [accepting, showing] = [l10n.t('Accept'), l10n.t('Show Differences')];
	const options = { modal: true, detail: acceptDetail(tools) };
	const answer = await vscode.window.showWarningMessage(
		acceptQuestion(server, tools),
		options,
		accepting,
		showing,
	);
	if (answer === accepting) accept(held, changes);
	if (answer === showing) await review(held, server, changes);
}

/** What is accepted is what was shown: a server that has gone on changing meanwhile is not believed. */
function accept(held: QuarantinedTools, changes: readonly ToolChange[]): void {
	const left = held.accept(changes);
	const [first] = left;
	if (first) {
		const name = shownName(first.held.tool.name);
		throw new Error(l10n.t('“{0}” has changed again meanwhile. Look at the difference anew.', name));
	}
	say(
		changes.length === 1
			? l10n.t('the change is accepted.')
			: l10n.t('{0} changes are accepted.', changes.length),
	);
}

/** A row that is being redrawn is handed over as nothing: a list of all would only startle. */
async function pickChange(held: QuarantinedTools, argument: unknown): Promise<ToolChange | undefined> {
	if (argument !== undefined) return undefined;
	const items = [...held.servers.values()].flat().map((change) => ({
		label: shownName(change.held.tool.name),
		description: shownName(change.server),
		change,
	}));
	return (await pick(items, l10n.t('Changed Tools')))?.change;
}

async function pickServer(held: QuarantinedTools, argument: unknown): Promise<string | undefined> {
	if (argument !== undefined) return undefined;
	const items = [...held.servers.keys()].map((server) => ({ label: shownName(server), server }));
	return (await pick(items, l10n.t('Servers with Changed Tools')))?.server;
}

async function pick<T extends vscode.QuickPickItem>(
	items: readonly T[],
	title: string,
): Promise<T | undefined> {
	if (items.length > 0) return vscode.window.showQuickPick(items, { title, matchOnDescription: true });
	void vscode.window.showInformationMessage(l10n.t('Discovery: no tool has changed since you accepted it.'));
	return undefined;
}

/** A row of the Servers view, or a name. */
function serverOf(argument: unknown): string | undefined {
	if (typeof argument === 'string') return argument;
	const status = isRecord(argument) ? argument.status : undefined;
	return isRecord(status) && typeof status.name === 'string' ? status.name : undefined;
}
