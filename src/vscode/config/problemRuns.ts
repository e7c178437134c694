import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Step } from '../../common/steps.ts';
import { smallestEdit } from '../../config/file/textEdit.ts';
import { withoutSecrets } from '../../config/fixes/secretFixes.ts';
import { loadConfig } from '../../config/load.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ActionNode } from '../actions/action.ts';
import { changeConfig, type PlannedChange } from '../core/configChange.ts';
import type { DismissedWarnings } from '../core/dismissedWarnings.ts';
import { offerUndo } from '../core/offerUndo.ts';
import type { UndoableChange } from '../core/undo.ts';
import { changedSince } from '../ui/fileChanges.ts';
import { type FileProblem, problemsOf } from '../ui/nodes.ts';
import { type FixServices, storingSecrets } from './quickFixes.ts';

/** Moves the key of a row, or else those of all configuration files, to secret storage. It is one change that can be undone. */
export async function moveKeys(services: FixServices, row?: ActionNode): Promise<UndoableChange | undefined> {
	const { configFile } = services;
	const only = row?.kind === 'problem' ? row.problem : undefined;
	const moves = await Promise.all(
		(only ? [only.uri] : configFile.uris).map((uri) => movingKeys(services, uri, only)),
	);
	const keys = moves.reduce((sum, { count }) => sum + count, 0);
	if (keys === 0) throw new Error(l10n.t('no key can be moved automatically.'));
	const change = await changeConfig(
		configFile,
		moves.flatMap(({ change }) => change),
		{ before: moves.flatMap(({ storing }) => storing) },
	);
	const [moved, label] =
		keys === 1
			? [l10n.t('moved 1 key to secret storage.'), l10n.t('move 1 key')]
			: [l10n.t('moved {0} keys to secret storage.', keys), l10n.t('move {0} keys', keys)];
	return change && offerUndo(moved, { label, undo: change.undo });
}

interface Moving {
	readonly count: number;
	readonly storing: readonly Step[];
	readonly change: readonly PlannedChange[];
}

async function movingKeys(services: FixServices, uri: vscode.Uri, only?: FileProblem): Promise<Moving> {
	const { text, scope } = (await services.configFile.current(uri)) ?? {};
	if (text === undefined || !scope) return { count: 0, storing: [], change: [] };
	const problems = loadConfig(text, scope).problems.filter(
		({ path }) => !only || isDeepStrictEqual(path, only.path),
	);
	const { after, secrets } = withoutSecrets(text, problems, withSecrets(scope).env);
	const plan = (now: string) => {
		if (now !== text) throw changedSince();
		return smallestEdit(text, after);
	};
	return {
		count: secrets.length,
		storing: await storingSecrets(services, uri, secrets),
		change: secrets.length > 0 ? [{ uri, plan }] : [],
	};
}

export async function dismissWarnings(
	dismissed: DismissedWarnings,
	nodes: readonly ActionNode[],
): Promise<UndoableChange> {
	const warnings = nodes.flatMap(problemsOf).filter(({ severity }) => severity === 'warning');
	await dismissed.dismiss(warnings);
	const undo = () => dismissed.restore(warnings);
	const n = warnings.length;
	if (n === 1) return { label: l10n.t('dismiss 1 warning'), undo };
	// A group's row does not show how many warnings it stands for.
	return offerUndo(l10n.t('dismissed {0} warnings. The file stays marked.', n), {
		label: l10n.t('dismiss {0} warnings', n),
		undo,
	});
}
