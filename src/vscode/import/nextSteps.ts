import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import { variablesIn } from '../../config/secrets/environmentNames.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { commands, ids } from '../ui/ids.ts';
import { serverLook } from '../ui/looks.ts';
import { notify, sayFailed, shortTitle } from '../ui/messages.ts';
import { enterSecret } from '../ui/secretInput.ts';
import type { AddedServers, AddServices, ServersToAdd } from './addedServers.ts';
import { addedSummary } from './importRows.ts';

/** How long added servers may take to start before the notification appears. One that cannot start fails sooner. */
const startPatienceMs = 5000;

/** Says what was added and how its servers are doing, and offers what they still need, until the user closes the notification. */
export function offerNextSteps(added: AddedServers, order: ServersToAdd, services: AddServices): void {
	takeNextSteps(added, order, services).catch(sayFailed);
}

async function takeNextSteps(added: AddedServers, order: ServersToAdd, services: AddServices): Promise<void> {
	const undo = l10n.t('Undo');
	for (;;) {
		const { text, steps } = await nextSteps(added, order, services);
		// Undo Last Change may have undone it in the meantime.
		if (added.isUndone) return;
		const chosen = await notify(text, ...steps.map(({ button }) => button), undo);
		if (chosen === undo) return added.undo();
		const step = steps.find(({ button }) => button === chosen);
		if (!step) return;
		await step.run();
	}
}

interface NextStep {
	readonly button: string;
	readonly run: () => Thenable<unknown>;
}

async function nextSteps(
	added: AddedServers,
	order: ServersToAdd,
	services: AddServices,
): Promise<{ readonly text: string; readonly steps: readonly NextStep[] }> {
	const { configFile, sessions, trust } = services;
	const { servers, uri, secrets } = order;
	const command = (id: string, ...args: readonly unknown[]): NextStep => ({
		button: shortTitle(id),
		run: () => vscode.commands.executeCommand(id, ...args),
	});
	const written = new Set(servers.map(({ name }) => name));
	const names = servers.flatMap(({ name }) => configFile.nameOf(uri, name) ?? []);
	const current = await startedServers(names, services);
	const first = (kind: ServerStatus['state']['kind']) => current.find(({ state }) => state.kind === kind);
	const unset = await unsetVariables(order, configFile);
	const isOff = configFile.state.kind === 'ok' && !configFile.state.config.policy.enabled;
	const proposed = trust.permissions.proposals.filter(({ server }) => written.has(server)).length;
	const notRunning = current
		.filter(({ state }) => ['unapproved', 'signed-out', 'failed'].includes(state.kind))
		.map((status) => ({ name: status.name, why: serverLook(status).word }));
	const ready = first('ready');
	const tools = sessions.catalog.tools.filter(({ server }) => server === ready?.name);
	const [signedOut, failed] = [first('signed-out'), first('failed')];
	const text = addedSummary(servers, {
		outcome: added.outcome,
		unset,
		isOff,
		notRunning,
		proposed,
		kept: secrets.length,
		...(ready &&
			names.length === 1 && { brings: `${toolCount(tools.length)}, ${shownTokens(sumOfTokens(tools))}` }),
	});
	return {
		text,
		steps: [
			...(unset.length > 0
				? [{ button: l10n.t('Enter Values…'), run: () => enterValues(unset, order, added, services) }]
				: []),
			...(first('unapproved') ? [command(commands.reviewServers)] : []),
			...(signedOut ? [command(commands.signIn, { server: signedOut.name })] : []),
			...(failed ? [command(commands.showServerLog, { server: failed.name })] : []),
			...(isOff ? [command(commands.enableDiscovery)] : []),
			...(proposed > 0 ? [command(commands.managePermissions)] : []),
		],
	};
}

/** Environment variables that the servers read and that are not set. */
async function unsetVariables(
	{ servers, uri }: ServersToAdd,
	configFile: AddServices['configFile'],
): Promise<readonly string[]> {
	const current = await configFile.current(uri);
	const env = current ? withSecrets(current.scope).env : {};
	return variablesIn(servers.map(({ server }) => server.entry)).filter((name) => env[name] === undefined);
}

/** The servers, after those that are starting have had a little time. */
async function startedServers(
	names: readonly string[],
	{ pool }: AddServices,
): Promise<readonly ServerStatus[]> {
	const title = l10n.t('Starting the added servers…');
	await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () =>
		pool.whenReady(names, { timeoutMs: startPatienceMs }),
	);
	return pool.servers().filter(({ name }) => names.includes(name));
}

async function enterValues(
	names: readonly string[],
	{ servers, uri }: ServersToAdd,
	added: AddedServers,
	{ configFile, keyring: { secrets } }: AddServices,
): Promise<void> {
	const folder = configFile.folderOf(uri);
	const inputs = new Map(servers.flatMap(({ server }) => [...server.inputs]));
	for (const name of names) {
		if (!(await enterSecret(name, folder, secrets, inputs.get(name)))) return;
		added.include(() => secrets.remove(folder, [name]));
	}
}
