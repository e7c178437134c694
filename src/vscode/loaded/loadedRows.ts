import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import { oneLine } from '../../discovery/text.ts';
import { sumOfTokens, toolTokens } from '../../discovery/toolTokens.ts';
import type { Drawing } from '../servers/stableNodes.ts';
import { shownTokens, spokenTokens } from '../servers/tokenWords.ts';
import { toolTooltip } from '../servers/tooltips.ts';
import { isSameTool, marksOf, notSent, type TreeRow, toolContext, toolLooks } from '../servers/treeRows.ts';
import type { AlwaysNode, LoadedNode, LoadedTreeNode } from './loadedNodes.ts';

/** How the Loaded Tools view draws its nodes. */
export const loadedDrawing: Drawing<LoadedTreeNode> = {
	id: (node) => (node.kind === 'always' ? 'always' : `tool ${node.tool.wireName}`),
	row: (node) => (node.kind === 'always' ? alwaysRow(node) : loadedRow(node)),
	isSame: (a, b) =>
		a.kind === 'tool' &&
		b.kind === 'tool' &&
		isSameTool(a, b) &&
		a.reason === b.reason &&
		a.lastUse === b.lastUse,
};

/** What there is to know of a loaded tool, as Markdown. */
export function loadedTooltip(node: LoadedNode): string {
	const { tool, state, lastUse } = node;
	const words = toolTooltip(node, toolLooks[state].word, toolTokens(tool));
	return [words, ...(lastUse ? [lastUse] : [])].join('\n\n');
}

function loadedRow(node: LoadedNode): TreeRow {
	const { tool, state, unsent, reason } = node;
	const { word: _, ...look } = toolLooks[state];
	const tokens = toolTokens(tool);
	const label = oneLine(tool.id, 100);
	const marks = marksOf(node);
	return {
		...(unsent ? notSent : look),
		label,
		description: [reason, ...marks, shownTokens(tokens)].join(' · '),
		contextValue: toolContext(node),
		accessibleLabel: [label, reason, ...marks, spokenTokens(tokens)].join(', '),
		expandable: false,
	};
}

function alwaysRow({ tools }: AlwaysNode): TreeRow {
	const tokens = sumOfTokens(tools.map(({ tool }) => tool));
	const label = l10n.t('Always Loaded');
	return {
		label,
		description: `${toolCount(tools.length)} · ${shownTokens(tokens)}`,
		icon: toolLooks.loaded.icon,
		color: toolLooks.loaded.color ?? '',
		tooltip: l10n.t('Every chat has these tools, whether it needs them or not.'),
		contextValue: 'always',
		accessibleLabel: `${label}, ${toolCount(tools.length)}, ${spokenTokens(tokens)}`,
		expandable: true,
	};
}
