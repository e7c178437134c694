import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogTool } from '../../discovery/catalog.ts';
import type { CallProgress } from '../../mcp/connection/connection.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import { shownCharacters } from '../confirmation.ts';
import { commands } from '../ids.ts';
import { failureText, labelText } from '../labelText.ts';
import { progressText } from '../progressText.ts';

/** A server's answer to a call. */
export interface Answer {
	/** The result as the server sent it. */
	readonly raw: unknown;
	/** How long the call took. */
	readonly ms: number;
}

/** Calls that end sooner show no progress, in milliseconds: it would only flicker. */
const progressAfterMs = 500;

/** Calls a tool. Nothing where the user has stopped it, or where there was no answer, of which the user is told. */
export async function callTool(
	tool: CatalogTool,
	args: Readonly<Record<string, unknown>>,
	pool: ServerPool,
): Promise<Answer | undefined> {
	const stop = new AbortController();
	const reported = new vscode.EventEmitter<CallProgress>();
	const started = performance.now();
	const call = pool.callForRawResult(tool.server, tool.name, args, {
		signal: stop.signal,
		onProgress: (progress) => reported.fire(progress),
	});
	const timer = setTimeout(() => showProgress(tool, call, reported.event, stop), progressAfterMs);
	try {
		return { raw: await call, ms: Math.round(performance.now() - started) };
	} catch (error) {
		if (!stop.signal.aborted) void sayFailed(tool, error, pool);
		return undefined;
	} finally {
		clearTimeout(timer);
		reported.dispose();
	}
}

/** What the server says of its progress, and a button that stops the call, until that has ended. */
function showProgress(
	tool: CatalogTool,
	call: Promise<unknown>,
	onProgress: vscode.Event<CallProgress>,
	stop: AbortController,
): void {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t('Running {0}', labelText(tool.id, shownCharacters)),
		cancellable: true,
	};
	void vscode.window.withProgress(options, async (progress, token) => {
		token.onCancellationRequested(() => stop.abort());
		onProgress((at) => progress.report({ message: labelText(progressText(at), shownCharacters) }));
		await call.catch(() => {});
	});
}

/** What happened, and what helps: a server that does not run can be started. The call is not made again by itself. */
async function sayFailed(tool: CatalogTool, error: unknown, pool: ServerPool): Promise<void> {
	const status = pool.servers().find(({ name }) => name === tool.server);
	const isDown = status?.state.kind === 'failed' || status?.state.kind === 'stopped';
	const [start, log] = [l10n.t('Start Server'), l10n.t('Show Log')];
	const message = `Discovery: ${failureText(error)}`;
	const buttons = status ? [...(isDown ? [start] : []), log] : [];
	const chosen = await vscode.window.showErrorMessage(message, ...buttons);
	if (!chosen) return;
	const command = chosen === start ? commands.startServer : commands.showServerLog;
	await vscode.commands.executeCommand(command, { kind: 'server', status });
}
