import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { QuarantinedTool } from '../../mcp/accepted/definition.ts';
import type { ActionNode, Called } from '../actions/action.ts';
import { labelText } from '../ui/labelText.ts';
import { notify, say } from '../ui/messages.ts';
import type { QuarantinedTools } from './quarantinedTools.ts';
import { acceptDetail, acceptQuestion, nameLength } from './quarantineLabels.ts';

/** Shows how a tool differs from what was accepted; for a server, how all of its tools do. */
export async function reviewChanges(
	quarantined: QuarantinedTools,
	node: ActionNode | undefined,
): Promise<void> {
	if (node?.kind === 'server') return reviewServer(node.status.name, quarantined);
	const tool = node?.kind === 'tool' ? quarantined.of(node.tool) : undefined;
	if (tool) await quarantined.show([tool]);
}

/** Accepts tools as they are, or in the editor of a difference the tool as that shows it. */
export async function acceptChange(
	quarantined: QuarantinedTools,
	nodes: readonly ActionNode[],
	[uri]: Called,
): Promise<void> {
	const shown = quarantined.shownIn(uri);
	const tools = nodes.flatMap((node) => (node.kind === 'tool' ? (quarantined.of(node.tool) ?? []) : []));
	const accepted = shown ? [shown] : tools;
	if (accepted.length > 0) accept(quarantined, accepted);
}

/** Has the user decide about all changed tools of a server, who can have the differences shown first. */
async function reviewServer(server: string, quarantined: QuarantinedTools): Promise<void> {
	const tools = quarantined.byServer.get(server) ?? [];
	// The editor of a single difference has a button that accepts it.
	if (tools.length === 1) return quarantined.show(tools);
	const [accepting, showing] = [l10n.t('Accept'), l10n.t('Show Differences')];
	const options = { modal: true, detail: acceptDetail(tools) };
	const question = acceptQuestion(server, tools);
	const answer = await vscode.window.showWarningMessage(question, options, accepting, showing);
	if (answer === accepting) accept(quarantined, tools);
	if (answer !== showing) return;
	await quarantined.show(tools);
	if ((await notify(question, accepting)) === accepting) accept(quarantined, tools);
}

/** What is accepted is what was shown: a tool that has changed again meanwhile stays in quarantine. */
function accept(quarantined: QuarantinedTools, tools: readonly QuarantinedTool[]): void {
	const [left] = quarantined.accept(tools);
	if (left) {
		const name = labelText(left.tool.name, nameLength);
		throw new Error(l10n.t('“{0}” has changed again. Review the new difference.', name));
	}
	say(
		tools.length === 1
			? l10n.t('the change is accepted.')
			: l10n.t('{0} changes are accepted.', tools.length),
	);
}
