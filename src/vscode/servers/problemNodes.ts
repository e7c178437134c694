import * as l10n from '@vscode/l10n';
import type { Uri } from 'vscode';
import { type ConfigProblem, type ProblemSeverity, serverSections } from '../../config/config.ts';
import { plain } from '../../discovery/markdown.ts';
import { oneLine } from '../../discovery/text.ts';
import type { TreeRow } from './treeRows.ts';

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
