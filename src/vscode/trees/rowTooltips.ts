import * as l10n from '@vscode/l10n';
import type { TreeItem } from 'vscode';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import type { ToolNode } from '../ui/nodes.ts';
import { serverTooltip, toolTooltip } from '../ui/tooltips.ts';
import type { LoadedTools } from './loadedNodes.ts';
import { rowOf, type TreeNode } from './serverRows.ts';

/** The tooltip of a node, as Markdown. It is made on demand: there are many rows, and the pointer rests on few. */
export function tooltipOf(node: TreeNode): string {
	if (node.kind === 'tool') return toolTooltip(node);
	if (node.kind === 'server') return serverTooltip(node);
	return rowOf(node).tooltip ?? '';
}

/** Puts a mark in front of a tool's row if its definition may mislead a model. */
export function marked<T extends Pick<TreeItem, 'description' | 'accessibilityInformation'>>(
	item: T,
	tool: Tool,
): T {
	if (misleadingText(tool) === '') return item;
	const mark = l10n.t('⚠ instructs the model');
	item.description = `${mark} · ${item.description}`;
	const { accessibilityInformation: spoken } = item;
	if (spoken) item.accessibilityInformation = { ...spoken, label: `${spoken.label}, ${mark}` };
	return item;
}

export function loadedTooltip(node: ToolNode, { loading }: LoadedTools): string {
	const { why = node.why, lastUse } = loading.get(node) ?? {};
	return [toolTooltip({ ...node, why }), ...(lastUse ? [lastUse] : [])].join('\n\n');
}
