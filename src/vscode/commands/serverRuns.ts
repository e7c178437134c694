import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { ServerError } from '../../mcp/serverError.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { ActionNode } from '../actions/action.ts';
import { ids } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { type ActionRun, namesOf } from './runs.ts';

/** Starts, stops and restarts servers, all of them at once. */
export function serverRuns(
	pool: ServerPool,
): Readonly<Record<'startServer' | 'stopServer' | 'restartServer', ActionRun>> {
	return {
		startServer: (nodes) =>
			progress(
				l10n.t('Starting {0}…', nameOrCount(nodes)),
				each(namesOf(nodes), (name) => pool.start(name)),
			),
		stopServer: (nodes) => each(namesOf(nodes), (name) => pool.stop(name)),
		restartServer: (nodes) =>
			progress(
				l10n.t('Restarting {0}…', nameOrCount(nodes)),
				each(namesOf(nodes), (name) => pool.restart(name)),
			),
	};
}

/** The name of a single server, or how many there are. */
function nameOrCount(nodes: readonly ActionNode[]): string {
	const [name = '', ...others] = namesOf(nodes);
	return others.length === 0 ? name : serverCount(nodes.length);
}

/** Runs `work` for all servers at once, and reports failures at the end. */
async function each(names: readonly string[], work: (name: string) => Promise<unknown>): Promise<void> {
	const results = await Promise.allSettled(names.map(work));
	const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
	if (failures.length > 1) throw new Error(failures.map(failureText).join(' '));
	if (failures.length > 0) throw failures[0];
}

/** Shows progress in the Servers view. A start that the user stops is not a failure. */
async function progress(title: string, work: Promise<void>): Promise<void> {
	try {
		await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () => work);
	} catch (error) {
		if (!(error instanceof ServerError && error.reason === 'stopped')) throw error;
	}
}
