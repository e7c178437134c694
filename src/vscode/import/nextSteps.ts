import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { variablesIn } from '../../config/environmentNames.ts';
import { withSecrets } from '../../config/variables.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { type ConfigFile, folderOf } from '../config/configFile.ts';
import { commands, ids } from '../ids.ts';
import { enterSecret } from '../keys/manageSecrets.ts';
import { failureText } from '../labelText.ts';
import { serverLook } from '../servers/serverWords.ts';
import type { AppliedImport, ImportOrder, ImportParts } from './appliedImport.ts';
import { importText, type StoppedServer } from './importRows.ts';

/** What the next steps are taken with. */
export interface NextStepParts extends ImportParts {
	readonly pool: Pick<ServerPool, 'servers' | 'whenReady'>;
}

/** How long imported servers may take to start before it is said how they stand. One that cannot start fails sooner. */
const startPatienceMs = 5000;

/** Says what was imported, with what it still needs and the way back, until the user has had enough. */
export function offerNextSteps(applied: AppliedImport, order: ImportOrder, parts: NextStepParts): void {
	takeNextSteps(applied, order, parts).catch((error: unknown) => {
		void vscode.window.showErrorMessage(`Discovery: ${failureText(error)}`);
	});
}

async function takeNextSteps(
	applied: AppliedImport,
	order: ImportOrder,
	parts: NextStepParts,
): Promise<void> {
	const { configFile } = parts;
	const enter = l10n.t('Enter Values…');
	const review = l10n.t('Review…');
	const showLog = l10n.t('Show Log');
	const turnOn = l10n.t('Turn On Discovery');
	const undo = l10n.t('Undo');
	for (;;) {
		const unset = await unsetVariables(order, configFile);
		const { unapproved, failed } = await serversNotRunning(order, parts);
		// It may have been taken back meanwhile by other means.
		if (applied.isUndone) return;
		const [firstFailed] = failed;
		const notRunning = [...unapproved, ...failed].map(stoppedServer);
		const isOff = configFile.state.kind === 'ok' && !configFile.state.config.policy.enabled;
		const text = importText(order.servers, { outcome: applied.outcome, unset, isOff, notRunning });
		const buttons = [
			...(unset.length > 0 ? [enter] : []),
			...(unapproved.length > 0 ? [review] : []),
			...(firstFailed ? [showLog] : []),
			...(isOff ? [turnOn] : []),
			undo,
		];
		const chosen = await vscode.window.showInformationMessage(text, ...buttons);
		if (chosen === undo) return applied.undo();
		if (chosen === turnOn) {
			await vscode.commands.executeCommand(commands.enableDiscovery);
		} else if (chosen === enter) {
			await enterValues(unset, order, applied, parts);
		} else if (chosen === review) {
			await vscode.commands.executeCommand(commands.reviewServers);
		} else if (chosen === showLog && firstFailed) {
			const node = { kind: 'server', status: firstFailed };
			await vscode.commands.executeCommand(commands.showServerLog, node);
		} else {
			return;
		}
	}
}

/** Variables that imported servers read, and that nothing sets. */
async function unsetVariables({ servers }: ImportOrder, configFile: ConfigFile): Promise<readonly string[]> {
	const current = await configFile.current();
	const env = current ? withSecrets(current.scope).env : {};
	return variablesIn(servers.map(({ server }) => server.entry)).filter((name) => env[name] === undefined);
}

/** Imported servers that do not run and should; those that still start have a little time to show whether they can. */
async function serversNotRunning(
	{ servers }: ImportOrder,
	{ pool }: NextStepParts,
): Promise<Readonly<Record<'unapproved' | 'failed', readonly ServerStatus[]>>> {
	const names = servers.map(({ name }) => name);
	const title = l10n.t('Starting the imported servers…');
	await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () =>
		pool.whenReady(names, { timeoutMs: startPatienceMs }),
	);
	const imported = pool.servers().filter(({ name }) => names.includes(name));
	return {
		unapproved: imported.filter(({ state }) => state.kind === 'unapproved'),
		failed: imported.filter(({ state }) => state.kind === 'failed'),
	};
}

function stoppedServer(status: ServerStatus): StoppedServer {
	return { name: status.name, why: serverLook(status).word };
}

async function enterValues(
	names: readonly string[],
	{ servers }: ImportOrder,
	applied: AppliedImport,
	{ configFile, secrets }: ImportParts,
): Promise<void> {
	const uri = (await configFile.current())?.uri;
	if (!uri) return;
	const folder = folderOf(uri);
	const inputs = new Map(servers.flatMap(({ server }) => [...server.inputs]));
	for (const name of names) {
		if (!(await enterSecret(name, folder, secrets, inputs.get(name)))) return;
		applied.include(() => secrets.remove(folder, [name]));
	}
}
