import * as vscode from 'vscode';
import type { NodeRef } from '../actions/action.ts';
import { type CommandName, commands, ids } from '../ui/ids.ts';
import { commandTitle } from '../ui/messages.ts';
import type { ToolNode } from '../ui/nodes.ts';
import { problemCursor } from '../ui/readingEditor.ts';
import type { TreeRow } from './drawnRows.ts';
import { nodeId, type TreeNode } from './serverRows.ts';

export function treeItem(node: TreeNode, row: TreeRow): vscode.TreeItem {
	const item = rowItem(nodeId(node), row);
	if (node.kind === 'problem') {
		item.tooltip = node.problem.message;
		item.command = {
			command: 'vscode.open',
			title: commandTitle(commands.openConfig),
			arguments: [node.problem.uri, { selection: problemCursor(node.problem) }],
		};
	}
	return item;
}

export function rowItem(id: string, row: TreeRow): vscode.TreeItem {
	const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
	const closed = row.isExpanded ? Expanded : Collapsed;
	const item = new vscode.TreeItem(row.label, row.isExpandable ? closed : None);
	item.id = id;
	item.description = row.description;
	item.iconPath = new vscode.ThemeIcon(row.icon, row.color ? new vscode.ThemeColor(row.color) : undefined);
	if (row.tooltip !== undefined) item.tooltip = new vscode.MarkdownString(row.tooltip);
	item.contextValue = row.contextValue;
	item.accessibilityInformation = { label: row.accessibleLabel };
	if (row.isDimmed) item.resourceUri = dimmedUri;
	return item;
}

/** What a click on a row runs, and Enter: an action on its server or tool. */
export function clickCommand(action: CommandName, ref: NodeRef): vscode.Command {
	return { command: commands[action], title: '', arguments: [ref] };
}

/** A click on a tool shows its page. */
export function openDetails({ tool: { server, name } }: ToolNode): vscode.Command {
	return clickCommand('showTool', { server, tool: name });
}

/** VS Code colours the labels of rows only by their resource URI. */
const dimmedUri = vscode.Uri.from({ scheme: ids.dimmedScheme, path: '/' });

export function registerDimmedRows(): vscode.Disposable {
	return vscode.window.registerFileDecorationProvider({
		provideFileDecoration: ({ scheme }) =>
			scheme === ids.dimmedScheme
				? { color: new vscode.ThemeColor('list.deemphasizedForeground') }
				: undefined,
	});
}
