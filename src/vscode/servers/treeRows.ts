import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import { oneLine } from '../../discovery/text.ts';
import { sumOfTokens, toolTokens } from '../../discovery/toolTokens.ts';
import type { ToolState } from '../discoveryHub.ts';
import { faultyRow, problemRow, problemsRow } from './problemNodes.ts';
import { editorLook, type ServerLook, serverLook } from './serverWords.ts';
import type { Drawing } from './stableNodes.ts';
import { estimatedTokens, shownTokens, spokenTokens } from './tokenWords.ts';
import { serverTooltip, toolTooltip } from './tooltips.ts';
import { isSameUse } from './toolUse.ts';
import { isLoaded, nodeId, type ServerNode, type ToolNode, type TreeNode } from './treeNodes.ts';

/** All that is seen of a node. Two equal rows need no redrawing. */
export interface TreeRow {
	readonly label: string;
	readonly description: string;
	/** A codicon, and a theme colour for it. */
	readonly icon: string;
	readonly color?: string;
	/** Markdown; absent where it is made when the pointer rests on the row: see {@link tooltipOf}. */
	readonly tooltip?: string;
	/** What the `when` clauses of menus test. */
	readonly contextValue: string;
	readonly accessibleLabel: string;
	readonly expandable: boolean;
	/** Whether it is written in the colour of what cannot be used. */
	readonly dimmed?: boolean;
}

/** Icon and word of each state of a tool; read late, for the language is known only then. */
export const toolLooks: Record<
	ToolState,
	{ readonly icon: string; readonly color?: string; readonly word: string }
> = {
	get pinned() {
		return { icon: 'pinned', word: l10n.t('pinned') };
	},
	get loaded() {
		return { icon: 'circle-filled', color: 'charts.green', word: l10n.t('loaded') };
	},
	get activated() {
		return { icon: 'pass-filled', color: 'charts.green', word: l10n.t('loaded') };
	},
	get deferred() {
		return { icon: 'circle-outline', word: l10n.t('deferred') };
	},
	get held() {
		return { ...notSent, word: l10n.t('changed: not used until accepted') };
	},
	get outside() {
		return { icon: 'circle-slash', color: 'disabledForeground', word: l10n.t('not in toolset') };
	},
};

/** A tool that is loaded for nothing. */
export const notSent = { icon: 'warning', color: 'problemsWarningIcon.foreground' };

/** How the Servers view draws its nodes. */
export const serversDrawing: Drawing<TreeNode> = {
	id: nodeId,
	row: rowOf,
	isSame: isSameNode,
};

export function rowOf(node: TreeNode): TreeRow {
	switch (node.kind) {
		case 'server':
			return serverRow(node);
		case 'tool':
			return toolRow(node);
		case 'problem':
			return problemRow(node);
		case 'problems':
			return problemsRow(node);
		case 'faulty':
			return faultyRow(node);
	}
}

/** What there is to know of a node, as Markdown. Of tools there are many, and few are pointed at: their rows do without. */
export function tooltipOf(node: TreeNode): string {
	if (node.kind === 'tool') return toolTooltip(node, toolLooks[node.state].word, toolTokens(node.tool));
	return rowOf(node).tooltip ?? '';
}

function isSameNode(a: TreeNode, b: TreeNode): boolean {
	if (a.kind === 'tool') return b.kind === 'tool' && isSameTool(a, b);
	return a.kind === 'problem' && isDeepStrictEqual(a, b);
}

function toolRow(node: ToolNode): TreeRow {
	const { tool, state } = node;
	const { word, ...look } = toolLooks[state];
	const tokens = toolTokens(tool);
	const label = oneLine(tool.name, 100);
	const marks = marksOf(node);
	return {
		...(node.unsent ? notSent : look),
		label,
		description: [word, ...marks, shownTokens(tokens)].join(' · '),
		contextValue: toolContext(node),
		accessibleLabel: [label, word, ...marks, spokenTokens(tokens)].join(', '),
		expandable: false,
		dimmed: state === 'outside',
	};
}

/** What is remarkable about a tool, in a few words each. */
export function marksOf({ unsent }: ToolNode): readonly string[] {
	return unsent ? [l10n.t('not sent to {0}', oneLine(unsent.model, 40))] : [];
}

/** What menus test: one of the editor's tools can be loaded and unloaded, and no more. */
export function toolContext({ state, unconfigured }: ToolNode): string {
	return `${unconfigured ? 'editorTool' : 'tool'}.${state}`;
}

/** Whether all that a tool's row and tooltip are made of is the same; a server that lists its tools again makes new objects. */
export function isSameTool(a: ToolNode, b: ToolNode): boolean {
	return (
		(a.tool === b.tool || isDeepStrictEqual(a.tool, b.tool)) &&
		a.state === b.state &&
		a.why === b.why &&
		a.advice === b.advice &&
		isSameUse(a.use, b.use) &&
		a.unsent?.model === b.unsent?.model &&
		a.unsent?.reason === b.unsent?.reason
	);
}

function serverRow(node: ServerNode): TreeRow {
	const { status, tools, all = tools } = node;
	const { word, short, ...look }: ServerLook = node.unconfigured ? editorLook() : serverLook(status);
	const label = oneLine(status.name, 100);
	const usable = all.filter(({ state }) => state !== 'held');
	const tokens = sumOfTokens(usable.map(({ tool }) => tool));
	const counts = countsOf(node);
	const running = status.state.kind === 'ready' || status.state.kind === 'starting';
	const open = all.some(({ state }) => state === 'pinned' || state === 'loaded');
	const none = all.length === 0;
	const marks = [...(short === undefined ? [] : [short]), ...counts, shownTokens(tokens)];
	const facts = none ? [] : [...counts, spokenTokens(tokens)];
	return {
		...look,
		label,
		description: none ? word : marks.join(' · '),
		tooltip: serverTooltip(node, word, [...counts, estimatedTokens(tokens)].join(' · ')),
		contextValue: serverContext(node, { running, open }),
		accessibleLabel: [label, word, ...facts].join(', '),
		expandable: !none,
		dimmed: !none && all.every(({ state }) => state === 'outside'),
	};
}

/** What menus test. */
function serverContext(
	{ unconfigured, status, trustsHints, tools, all = tools }: ServerNode,
	{ running, open }: { readonly running: boolean; readonly open: boolean },
): string {
	if (unconfigured) return 'editorServer';
	if (status.state.kind === 'unapproved') return 'server.unapproved';
	const trust = trustsHints ? 'trusted' : 'doubted';
	const held = all.some(({ state }) => state === 'held') ? '.held' : '';
	return `server.${running ? 'running' : 'stopped'}.${open ? 'open' : 'deferred'}.${trust}${held}`;
}

/** `28 tools`, with a filter `3 of 28 tools`; and how many are loaded, where any is. */
function countsOf({ tools, all = tools }: ServerNode): readonly string[] {
	const loaded = all.filter(({ state }) => isLoaded(state)).length;
	const held = all.filter(({ state }) => state === 'held').length;
	const count = toolCount(all.length);
	return [
		all === tools ? count : l10n.t('{0} of {1}', tools.length, count),
		...(loaded > 0 ? [l10n.t('{0} loaded', loaded)] : []),
		...(held > 0 ? [l10n.t('{0} to be accepted', held)] : []),
	];
}
