import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ActionNode, CommandArguments } from '../actions/action.ts';
import { actions } from '../actions/table.ts';
import type { ServerModels } from '../core/serverModels.ts';
import type { UndoableChange, UndoHistory } from '../core/undo.ts';
import type { CommandName } from '../ui/ids.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { askToTrust, say } from '../ui/messages.ts';
import type { PlacedNode } from '../ui/nodes.ts';
import { findTargets, type Selections } from './targets.ts';

/** Runs an action on the nodes that it applies to. Resolves to the change, if it can be undone. */
export type ActionRun = (
	nodes: readonly ActionNode[],
	called: CommandArguments,
) => Promise<UndoableChange | undefined> | Promise<void>;

interface RunnerParts {
	/** What each action does. */
	readonly runs: Readonly<Record<CommandName, ActionRun>>;
	readonly serverModels: ServerModels;
	readonly views: Selections;
	readonly undo: UndoHistory;
}

/** Actions that change something without asking first. The next key may come before they are done. */
const changesAtOnce: ReadonlySet<CommandName> = new Set<CommandName>([
	'pinServer',
	'deferServer',
	'loadTool',
	'unloadTool',
	'removeServer',
	'moveKeys',
	'dismiss',
]);

/** Runs actions: finds their nodes, and remembers changes for undo, which waits for those under way. */
export function actionRunner({ runs, serverModels, views, undo }: RunnerParts) {
	const underWay = new Set<Promise<void>>();
	const runOne = async (name: CommandName, called: CommandArguments): Promise<void> => {
		if (!vscode.workspace.isTrusted && !actions[name].withoutTrust) return askToTrust();
		const targets = await findTargets(name, called, { serverModels, views });
		if (!targets) return;
		const undoable = await runs[targets.name](targets.nodes, called);
		if (undoable) undo.push(undoable);
	};
	return async (name: CommandName, called: CommandArguments): Promise<void> => {
		if (name === 'undo') await Promise.allSettled(underWay);
		const running = runOne(name, called);
		if (changesAtOnce.has(name)) underWay.add(running);
		await running.finally(() => underWay.delete(running));
	};
}

/** For actions that run on one server after the other. */
export function onServers(work: (server: string) => unknown): ActionRun {
	return async (nodes: readonly ActionNode[]) => {
		for (const name of namesOf(nodes)) await work(name);
	};
}

export function namesOf(nodes: readonly ActionNode[]): readonly string[] {
	return nodes.flatMap((node) =>
		node.kind === 'server' ? [node.status.name] : node.kind === 'faulty' ? [node.name] : [],
	);
}

/** Copies the names of servers and tools, as people write them. */
export async function copyNames(nodes: readonly ActionNode[]): Promise<void> {
	const names = placed(nodes).map((node) => (node.kind === 'tool' ? node.tool.id : node.status.name));
	await vscode.env.clipboard.writeText(names.join('\n'));
	say(l10n.t('Copied: {0}', labelText(names.join(', '), lineLength)));
}

export function placed(nodes: readonly ActionNode[]): readonly PlacedNode[] {
	return nodes.filter((node) => node.kind === 'server' || node.kind === 'tool');
}

/** The menu of an editor passes its URI, the palette nothing. */
export function asUri(argument: unknown): vscode.Uri | undefined {
	return argument instanceof vscode.Uri ? argument : undefined;
}
