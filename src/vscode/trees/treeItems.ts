import * as vscode from 'vscode';
import { commands, ids } from '../ui/ids.ts';
import { commandTitle } from '../ui/messages.ts';
import { problemCursor } from '../ui/readingEditor.ts';
import type { TreeRow } from './drawnRows.ts';
import { nodeId, type TreeNode } from './serverRows.ts';

/** What VS Code draws for a row of the Servers view. */
export function treeItem(node: TreeNode, row: TreeRow, isFiltered = false): vscode.TreeItem {
	const item = rowItem(nodeId(node), row);
	if (isFiltered && row.expandable && (node.kind === 'server' || node.kind === 'origin')) {
		// The editor remembers by the id whether a row is expanded. With another id it opens, to show what was found, and once the filter is
		// cleared it is as it was before.
		item.id = `${item.id} filtered`;
		item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
	}
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

/** What VS Code draws for a row; `id`: identifies it in its view. */
export function rowItem(id: string, row: TreeRow): vscode.TreeItem {
	const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
	const closed = row.expanded ? Expanded : Collapsed;
	const item = new vscode.TreeItem(row.label, row.expandable ? closed : None);
	item.id = id;
	item.description = row.description;
	item.iconPath = new vscode.ThemeIcon(row.icon, row.color ? new vscode.ThemeColor(row.color) : undefined);
	if (row.tooltip !== undefined) item.tooltip = new vscode.MarkdownString(row.tooltip);
	item.contextValue = row.contextValue;
	item.accessibilityInformation = { label: row.accessibleLabel };
	if (row.dimmed) item.resourceUri = dimmedUri;
	return item;
}

/** The address of rows that are dimmed: the editor colours the labels of rows only by their resource. */
const dimmedUri = vscode.Uri.from({ scheme: ids.dimmedScheme, path: '/' });

/** Has the editor draw dimmed rows in its colour for what is not in use. */
export function registerDimmedRows(): vscode.Disposable {
	return vscode.window.registerFileDecorationProvider({
		provideFileDecoration: ({ scheme }) =>
			scheme === ids.dimmedScheme
				? { color: new vscode.ThemeColor('list.deemphasizedForeground') }
				: undefined,
	});
}
