import * as l10n from '@vscode/l10n';
import type { TreeItem, Uri } from 'vscode';
import { serverCount, shortNumber, spokenTokens, wholeNumber } from '../../chat/counts.ts';
import { plain } from '../../common/markdown.ts';
import { oneLine } from '../../common/text.ts';
import { isKey } from '../../config/file/keyProblem.ts';
import type { ProblemSeverity } from '../../config/file/problemReport.ts';
import { misleadingText } from '../../discovery/catalog/misleading.ts';
import type { Tool } from '../../discovery/catalog/tool.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import { contextValue } from '../actions/contributions.ts';
import { unsetVariables } from '../core/configState.ts';
import { failedName, toolLook, unsentLook } from '../ui/looks.ts';
import {
	countsOf,
	type FaultyServer,
	type FileProblem,
	isLoadedState,
	nodeLook,
	type ProblemNode,
	type ProblemsNode,
	type ServerNode,
	type ToolNode,
	usableTokens,
} from '../ui/nodes.ts';
import { ruleWords } from '../ui/permissionLabels.ts';
import { explanationOf } from '../ui/statusLabels.ts';
import type { TreeRow } from './drawnRows.ts';

type RootNode = OriginNode | ServerNode | FaultyNode | ProblemsNode | ProblemNode;

export type TreeNode = RootNode | ToolNode;

/** Identifies a row, also in the next window. */
export function nodeId(node: TreeNode): string {
	switch (node.kind) {
		case 'server':
			return `server ${node.status.name}`;
		case 'tool':
			return `tool ${node.tool.wireName}`;
		case 'problem':
			return `problem ${node.index}`;
		case 'problems':
			return `problems ${node.severity}`;
		case 'faulty':
			return `faulty ${node.name}`;
		case 'origin':
			return `origin ${node.uri}`;
	}
}

/** `below`: the nodes below it. */
export function rowOf(node: TreeNode, below: readonly TreeNode[] = []): TreeRow {
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
		case 'origin':
			return originRow(node, below.length);
	}
}

function toolRow(node: ToolNode): TreeRow {
	const { tool, state } = node;
	const { word, ...look } = toolLook(state);
	const tokens = toolTokens(tool);
	const label = oneLine(node.label, 100);
	const marks = marksOf(node);
	return {
		...(node.unsent ? unsentLook : look),
		label,
		description: [...(isPlain(node) ? [] : [word]), ...marks, `≈${shortNumber(tokens)}`].join(' · '),
		contextValue: contextValue(node),
		accessibleLabel: [label, word, ...marks, spokenTokens(tokens)].join(', '),
		isExpandable: false,
		isDimmed: state === 'outside' || state === 'disabled',
	};
}

/** Whether the icon of a tool says enough about its state, which leaves room for the tokens. */
function isPlain({ state, unsent }: ToolNode): boolean {
	return !unsent && (state === 'deferred' || isLoadedState(state));
}

/** Remarks in a tool's row, a few words each. */
export function marksOf({ unsent, rule }: ToolNode): readonly string[] {
	return [
		...(unsent ? [l10n.t('not sent to {0}', oneLine(unsent.model, 40))] : []),
		...(rule ? [ruleWords(rule.permission, rule.chat)] : []),
	];
}

/** Puts a mark in front of a tool's row if its definition may mislead a model. */
export function withWarningMark<T extends Pick<TreeItem, 'description' | 'accessibilityInformation'>>(
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

function serverRow(node: ServerNode): TreeRow {
	const { status, tools } = node;
	const { word, short, ...look } = nodeLook(node);
	const label = oneLine(status.name, 100);
	const tokens = usableTokens(node);
	const counts = countsOf(node);
	const hasNoTools = tools.length === 0;
	const explanation = oneLine(explanationOf(status) ?? '', explanationLength);
	const leftOut = leftOutCount(status);
	const state = short ?? (hasNoTools ? word : undefined);
	// A narrow sidebar truncates rows, so the tokens come first.
	const size = tokens > 0 && `≈${shortNumber(tokens)}`;
	const marks = [state, size, ...(hasNoTools ? [] : counts), leftOut, explanation].filter(Boolean);
	const facts = [...(hasNoTools ? [] : counts), tokens > 0 && spokenTokens(tokens), leftOut].filter(Boolean);
	return {
		...look,
		label,
		description: marks.join(' · '),
		contextValue: contextValue(node),
		accessibleLabel: [label, word, ...facts].join(', '),
		isExpandable: !hasNoTools,
		isDimmed:
			status.state.kind === 'disabled' ||
			status.state.kind === 'forbidden' ||
			(!hasNoTools && tools.every(({ state }) => state === 'outside' || state === 'disabled')),
	};
}

/** Characters of what explains a server's state in its row. */
const explanationLength = 120;

/** `4 left out`: tools that cannot be used. The tooltip names them. */
function leftOutCount({ dropped }: ServerNode['status']): string {
	return dropped.length > 0 ? l10n.t('{0} left out', wholeNumber(dropped.length)) : '';
}

/** A configuration file with its servers, if several files have servers. */
export interface OriginNode {
	readonly kind: 'origin';
	readonly uri: Uri;
	readonly label: string;
	/** Whether it is the user's own file. */
	readonly isUsers: boolean;
}

/** The row of a faulty server, with what is wrong below it. */
export interface FaultyNode extends FaultyServer {
	readonly problems: readonly ProblemNode[];
}

/** The problems of a configuration by where the Servers view shows them. */
export interface SortedProblems {
	/** Above the servers, errors first. A single problem has no group. */
	readonly above: readonly (ProblemsNode | ProblemNode)[];
	/** Among the servers, in the order of the file. */
	readonly faulty: readonly FaultyNode[];
}

/** Problems that keep a server from starting are shown at that server. `labelOf`: labels files, if there are several. */
export function sortProblems(
	problems: readonly FileProblem[],
	labelOf?: (uri: Uri) => string,
): SortedProblems {
	const nodes = problems.map(
		(problem, index): ProblemNode => ({
			kind: 'problem',
			problem,
			index,
			...(labelOf && { file: labelOf(problem.uri) }),
		}),
	);
	const byServer = Map.groupBy(nodes, ({ problem }) => problem.off);
	const others = Object.groupBy(byServer.get(undefined) ?? [], ({ problem }) => problem.severity);
	return {
		above: [...inOneRow('error', others.error), ...inOneRow('warning', others.warning)],
		faulty: [...byServer].flatMap(([name, serverProblems]): FaultyNode[] =>
			name === undefined
				? []
				: [
						{
							kind: 'faulty',
							name,
							unset: unsetVariables(serverProblems.map(({ problem }) => problem)),
							problems: serverProblems,
						},
					],
		),
	};
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

function problemRow(node: ProblemNode): TreeRow {
	const { problem, file } = node;
	const { severity, message, path, start } = problem;
	const end = path.length > 0 && message.startsWith(String(path[0])) ? message.indexOf(': ') : -1;
	const reason = end < 0 ? message : message.slice(end + 2);
	const place = end < 0 ? '' : placeOf(path, problem.off !== undefined);
	const label = oneLine(place || reason, 200);
	const words = [...(place ? [reason] : []), ...(file === undefined ? [] : [file])];
	const line = l10n.t('line {0}', start.line + 1);
	const description = [...words.map((word) => oneLine(word, 200)), line].join(' · ');
	const kind = severity === 'error' ? l10n.t('error') : l10n.t('warning');
	return {
		...looks[severity],
		label,
		description,
		tooltip: '',
		contextValue: contextValue(node),
		accessibleLabel: `${kind}, ${label}, ${description}`,
		isExpandable: false,
	};
}

/**
 * `github · GITHUB_TOKEN`: rows about the same mistake differ by the place, so they begin with it. `isBelow`: the row is below that of the
 * server, whose name is not repeated.
 */
function placeOf(path: FileProblem['path'], isBelow: boolean): string {
	const [section = '', name = section, ...inEntry] = path;
	const last = inEntry.at(-1);
	const key = typeof last === 'number' ? `${inEntry.at(-2) ?? ''}[${last}]` : last;
	return [...(isBelow ? [] : [name]), ...(key === undefined ? [] : [key])].join(' · ');
}

/** `19 warnings`: `17 keys in plain text`, which its button moves. */
function problemsRow(node: ProblemsNode): TreeRow {
	const { severity, problems } = node;
	const all = problems.length;
	const label = severity === 'error' ? l10n.t('{0} errors', all) : l10n.t('{0} warnings', all);
	const tooltip =
		severity === 'error'
			? l10n.t('Entries with errors do not work.')
			: l10n.t('Everything works, but these entries look like mistakes.');
	const n = problems.filter(({ problem }) => isKey(problem)).length;
	const keys = n === 0 ? '' : n === 1 ? l10n.t('1 key in plain text') : l10n.t('{0} keys in plain text', n);
	return {
		...looks[severity],
		label,
		description: keys,
		tooltip,
		contextValue: contextValue(node),
		accessibleLabel: [l10n.t('{0} in the configuration', label), keys].filter(Boolean).join(', '),
		isExpandable: true,
	};
}

/** `memory`: `2 errors`, or `no value for MEMORY_KEY`. */
function faultyRow(node: FaultyNode): TreeRow {
	const { name, problems, unset } = node;
	const label = oneLine(name, 100);
	const n = problems.length;
	// Each of them has its own name.
	const reason =
		unset.length === n
			? l10n.t('no value for {0}', oneLine(unset.join(', '), 100))
			: n === 1
				? l10n.t('1 error')
				: l10n.t('{0} errors', n);
	const sentence = failedName(reason);
	return {
		...looks.error,
		label,
		description: reason,
		tooltip: [
			`**${plain(name, 100)}** — ${sentence}`,
			l10n.t('Fix its configuration entry to start it.'),
		].join('\n\n'),
		contextValue: contextValue(node),
		accessibleLabel: `${label}, ${sentence}`,
		isExpandable: true,
	};
}

/** Servers by file, in the order of the files. VS Code's own tools are in none. */
export function byOrigin(
	servers: readonly (ServerNode | FaultyNode)[],
	origins: readonly OriginNode[],
	originOf: (server: string) => Uri | undefined,
): ReadonlyMap<OriginNode | undefined, readonly (ServerNode | FaultyNode)[]> {
	const groups = Map.groupBy(servers, (node) => {
		const uri = originOf(node.kind === 'server' ? node.status.name : node.name)?.toString();
		return origins.find((origin) => origin.uri.toString() === uri);
	});
	return new Map(
		[...origins, undefined].flatMap((origin) => {
			const nodes = groups.get(origin);
			return nodes ? [[origin, nodes] as const] : [];
		}),
	);
}

/** `app`: `2 servers`. */
function originRow(node: OriginNode, servers: number): TreeRow {
	const { label, isUsers } = node;
	const shortLabel = oneLine(label, 100);
	const description = serverCount(servers);
	return {
		icon: isUsers ? 'account' : 'root-folder',
		label: shortLabel,
		description,
		tooltip: isUsers
			? l10n.t('Servers of your user configuration, for all workspaces.')
			: l10n.t('Servers of this folder’s configuration.'),
		contextValue: contextValue(node),
		accessibleLabel: `${shortLabel}, ${description}`,
		isExpandable: true,
		isExpanded: true,
	};
}
