import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { Uri } from 'vscode';
import { estimatedTokens, shownTokens, spokenTokens, toolCount } from '../../chat/counts.ts';
import type { ToolState } from '../../chat/sessions.ts';
import { plain } from '../../common/markdown.ts';
import { oneLine } from '../../common/text.ts';
import { type ConfigProblem, type ProblemSeverity, serverSections } from '../../config/config.ts';
import { sumOfTokens, toolTokens } from '../../discovery/session/toolTokens.ts';
import { editorLook, type ServerLook, serverLook } from '../ui/looks.ts';
import { isLoaded, isSameUse, nodeId, type ServerNode, type ToolNode, type TreeNode } from '../ui/nodes.ts';
import { serverTooltip, toolTooltip } from '../ui/tooltips.ts';
import type { Drawing } from './stableNodes.ts';

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
	/** Whether it is written in the colour of what is not in use. */
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
		return { icon: 'circle-slash', color: 'list.deemphasizedForeground', word: l10n.t('not in toolset') };
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

/** A fault of the configuration, as a line that leads to it. */
export interface ProblemNode {
	readonly kind: 'problem';
	readonly problem: ConfigProblem;
	/** Its place among the faults: what it is known by when its text changes. */
	readonly index: number;
	readonly uri: Uri;
}

/** All faults of one severity, in one row that opens: many of them are never a wall above the servers. */
export interface ProblemsNode {
	readonly kind: 'problems';
	readonly severity: ProblemSeverity;
	readonly problems: readonly ProblemNode[];
}

/** A server that is off because of faults of its entry. */
export interface FaultyNode {
	readonly kind: 'faulty';
	readonly name: string;
	readonly problems: readonly ProblemNode[];
}

/** The faults of a configuration by where the Servers view shows them. */
export interface SortedProblems {
	/** Above the servers, errors first; one that is alone stands by itself. */
	readonly above: readonly (ProblemsNode | ProblemNode)[];
	/** Among the servers, in the order of the file. */
	readonly faulty: readonly FaultyNode[];
}

/** Sorts faults: errors in the entry of a server that cannot be used because of them are that server's. */
export function sortProblems(
	problems: readonly ConfigProblem[],
	uri: Uri,
	isUsable: (server: string) => boolean,
): SortedProblems {
	const nodes = problems.map((problem, index): ProblemNode => ({ kind: 'problem', problem, index, uri }));
	const byServer = Map.groupBy(nodes, ({ problem }) => {
		const server = problem.severity === 'error' ? serverOf(problem) : undefined;
		return server === undefined || isUsable(server) ? undefined : server;
	});
	const others = Object.groupBy(byServer.get(undefined) ?? [], ({ problem }) => problem.severity);
	return {
		above: [...inOneRow('error', others.error), ...inOneRow('warning', others.warning)],
		faulty: [...byServer].flatMap(([name, its]): FaultyNode[] =>
			name === undefined ? [] : [{ kind: 'faulty', name, problems: its }],
		),
	};
}

function serverOf({ path: [section, name] }: ConfigProblem): string | undefined {
	return name !== undefined && serverSections.some((one) => one === section) ? String(name) : undefined;
}

function inOneRow(
	severity: ProblemSeverity,
	problems: readonly ProblemNode[] = [],
): readonly (ProblemsNode | ProblemNode)[] {
	return problems.length > 1 ? [{ kind: 'problems', severity, problems }] : problems;
}

const looks: Readonly<Record<ProblemSeverity, { readonly icon: string; readonly color: string }>> = {
	error: { icon: 'error', color: 'problemsErrorIcon.foreground' },
	warning: { icon: 'warning', color: 'problemsWarningIcon.foreground' },
};

export function problemRow({ problem }: ProblemNode): TreeRow {
	const { severity, message, start } = problem;
	const label = oneLine(message, 200);
	const description = l10n.t('line {0}', start.line + 1);
	const kind = severity === 'error' ? l10n.t('error') : l10n.t('warning');
	return {
		...looks[severity],
		label,
		description,
		tooltip: '',
		contextValue: 'problem',
		accessibleLabel: `${kind}, ${label}, ${description}`,
		expandable: false,
	};
}

/** `19 warnings`. */
export function problemsRow({ severity, problems }: ProblemsNode): TreeRow {
	const n = problems.length;
	const label = severity === 'error' ? l10n.t('{0} errors', n) : l10n.t('{0} warnings', n);
	const tooltip =
		severity === 'error'
			? l10n.t('Something is off because of these faults of the configuration.')
			: l10n.t('All works, but these parts of the configuration are hardly as they were meant.');
	return {
		...looks[severity],
		label,
		description: '',
		tooltip,
		contextValue: 'problems',
		accessibleLabel: l10n.t('{0} in the configuration', label),
		expandable: true,
	};
}

/** `memory`: `off, 2 faults`. */
export function faultyRow({ name, problems }: FaultyNode): TreeRow {
	const label = oneLine(name, 100);
	const description =
		problems.length === 1 ? l10n.t('off, 1 fault') : l10n.t('off, {0} faults', problems.length);
	return {
		...looks.error,
		label,
		description,
		tooltip: [
			`**${plain(name, 100)}** — ${description}`,
			l10n.t('It is not started before its entry in the configuration is mended.'),
		].join('\n\n'),
		contextValue: 'faulty',
		accessibleLabel: `${label}, ${description}`,
		expandable: true,
	};
}
