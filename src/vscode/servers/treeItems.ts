import * as vscode from 'vscode';
import { problemRange } from '../config/problemRange.ts';
import { nodeId, type TreeNode } from './treeNodes.ts';
import type { TreeRow } from './treeRows.ts';

/** What VS Code draws for a row. */
export function treeItem(node: TreeNode, row: TreeRow): vscode.TreeItem {
	const { Collapsed, None } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(row.label, row.expandable ? Collapsed : None);
	item.id = nodeId(node);
	item.description = row.description;
	item.iconPath = new vscode.ThemeIcon(row.icon, row.color ? new vscode.ThemeColor(row.color) : undefined);
	item.tooltip = node.kind === 'problem' ? node.problem.message : new vscode.MarkdownString(row.tooltip);
	item.contextValue = row.contextValue;
	item.accessibilityInformation = { label: row.accessibleLabel };
	if (node.kind === 'problem') {
		item.command = {
			command: 'vscode.open',
			title: 'Open Configuration',
			arguments: [node.uri, { selection: problemRange(node.problem) }],
		};
	}
	return item;
}
