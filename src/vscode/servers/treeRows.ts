import { isDeepStrictEqual } from 'node:util';
import { oneLine } from '../../discovery/text.ts';
import { sumOfTokens, toolTokens } from '../../discovery/toolTokens.ts';
import { toolCount } from '../counts.ts';
import type { ToolState } from '../discoveryHub.ts';
import { editorLook, type ServerLook, serverLook } from './serverWords.ts';
import type { Drawing } from './stableNodes.ts';
import { serverTooltip, toolTooltip } from './tooltips.ts';
import { isSameUse } from './toolUse.ts';
import {
	isLoaded,
	nodeId,
	type ProblemNode,
	type ServerNode,
	type ToolNode,
	type TreeNode,
} from './treeNodes.ts';

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
}

/** Icon and word of each state of a tool. */
export const toolLooks: Record<
	ToolState,
	{ readonly icon: string; readonly color?: string; readonly word: string }
> = {
	pinned: { icon: 'pinned', word: 'pinned' },
	loaded: { icon: 'circle-filled', color: 'charts.green', word: 'loaded' },
	activated: { icon: 'pass-filled', color: 'charts.green', word: 'loaded' },
	deferred: { icon: 'circle-outline', word: 'deferred' },
	outside: { icon: 'circle-slash', color: 'disabledForeground', word: 'not in toolset' },
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

function problemRow({ problem }: ProblemNode): TreeRow {
	const { severity, message, start } = problem;
	const label = oneLine(message, 200);
	const description = `line ${start.line + 1}`;
	const [icon, color] =
		severity === 'error'
			? ['error', 'problemsErrorIcon.foreground']
			: ['warning', 'problemsWarningIcon.foreground'];
	const accessibleLabel = `${severity}, ${label}, ${description}`;
	return {
		label,
		description,
		icon,
		color,
		tooltip: '',
		contextValue: 'problem',
		accessibleLabel,
		expandable: false,
	};
}

function toolRow(node: ToolNode): TreeRow {
	const { tool, state, unsent } = node;
	const { word, ...look } = unsent ? { ...notSent, word: toolLooks[state].word } : toolLooks[state];
	const tokens = shortNumber(toolTokens(tool));
	const label = oneLine(tool.name, 100);
	const marks = unsent ? [`not sent to ${oneLine(unsent.model, 40)}`] : [];
	return {
		...look,
		label,
		description: [word, ...marks, `≈${tokens} tokens`].join(' · '),
		contextValue: toolContext(node),
		accessibleLabel: [label, word, ...marks, `about ${tokens} tokens`].join(', '),
		expandable: false,
	};
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
	const { word, short, ...look }: ServerLook = node.unconfigured ? editorLook : serverLook(status);
	const label = oneLine(status.name, 100);
	const tokens = shortNumber(sumOfTokens(all.map(({ tool }) => tool)));
	const counts = countsOf(node);
	const running = status.state.kind === 'ready' || status.state.kind === 'starting';
	const open = all.some(({ state }) => state === 'pinned' || state === 'loaded');
	const none = all.length === 0;
	const facts = none ? [] : [...counts, `about ${tokens} tokens`];
	return {
		...look,
		label,
		description: none ? word : [...counts, `≈${tokens} tokens`, ...(short ? [short] : [])].join(' · '),
		tooltip: serverTooltip(node, word, [...counts, `≈${tokens} tokens (estimated)`].join(' · ')),
		contextValue: node.unconfigured
			? 'editorServer'
			: `server.${running ? 'running' : 'stopped'}.${open ? 'open' : 'deferred'}`,
		accessibleLabel: [label, word, ...facts].join(', '),
		expandable: !none,
	};
}

/** `28 tools`, with a filter `3 of 28 tools`; and how many are loaded, where any is. */
function countsOf({ tools, all = tools }: ServerNode): readonly string[] {
	const loaded = all.filter(({ state }) => isLoaded(state)).length;
	const count = toolCount(all.length);
	return [all === tools ? count : `${tools.length} of ${count}`, ...(loaded > 0 ? [`${loaded} loaded`] : [])];
}

/** `950`, `1.2k`. */
export function shortNumber(n: number): string {
	return n < 1000 ? `${n}` : `${(n / 1000).toFixed(1)}k`;
}
