import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import { variablesIn } from '../../config/secrets/environmentNames.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { ServerState } from '../../mcp/serverState.ts';
import type { ActionNode, NodeRef } from '../actions/action.ts';
import { actions } from '../actions/table.ts';
import { undoNotified } from '../core/offerUndo.ts';
import { type CommandName, commands, ids } from '../ui/ids.ts';
import { notify, shortTitle, turnOnTitle } from '../ui/messages.ts';
import { nodeLook, type ServerNode, usableTokens } from '../ui/nodes.ts';
import { explanationOf } from '../ui/statusLabels.ts';
import type { AddedServers, AddServices, ServersToAdd } from './addedServers.ts';
import { addedSummary } from './importRows.ts';

/** How long added servers may take to start before the notification appears. One that cannot start fails sooner. */
const startPatienceMs = 20_000;

/** Says what was added and how its servers are doing, and offers what they still need, until the user closes the notification. */
export async function offerNextSteps(added: AddedServers, services: AddServices): Promise<void> {
	const undo = l10n.t('Undo');
	for (;;) {
		const { text, steps } = await nextSteps(added, services);
		// Undo Last Change may have undone it in the meantime.
		if (added.isUndone) return;
		const chosen = await notify(text, ...steps.map(({ button }) => button), undo);
		if (chosen === undo) return undoNotified(added);
		const step = steps.find(({ button }) => button === chosen);
		if (!step) return;
		await step.run();
	}
}

interface NextStep {
	readonly button: string;
	readonly run: () => Promise<void>;
}

async function nextSteps(
	added: AddedServers,
	services: AddServices,
): Promise<{ readonly text: string; readonly steps: readonly NextStep[] }> {
	const { configFile, serverModels } = services;
	const { servers, uri, secrets } = added.order;
	const step = (
		name: CommandName,
		on?: ActionNode | NodeRef,
		button = shortTitle(commands[name]),
	): NextStep => ({
		button,
		run: () => services.run(name, on),
	});
	const file = configFile.fileAt(uri);
	const names = servers.flatMap(({ name }) => configFile.serverIn(file, name)?.name ?? []);
	await started(names, services);
	const nodes = names.flatMap((name) => serverModels.server(name) ?? []);
	const inState = (...kinds: readonly ServerState['kind'][]) =>
		nodes.filter(({ status }) => kinds.includes(status.state.kind));
	const unset = await unsetVariables(added.order, configFile);
	const isOff = configFile.state.kind === 'ok' && !configFile.state.config.policy.enabled;
	const notRunning = inState('signed-out', 'failed').map((node) => ({
		name: node.status.name,
		why: whyStopped(node),
	}));
	const [ready] = names.length === 1 ? inState('ready') : [];
	const [failed] = inState('failed');
	const faulty = serverModels.faulty.filter(({ name }) => names.includes(name));
	const onServer = (name: CommandName): readonly NextStep[] => {
		const node = [...nodes, ...faulty].find((candidate) => actions[name].appliesTo?.(candidate));
		return node ? [step(name, node)] : [];
	};
	const text = addedSummary(servers, {
		outcome: added.outcome,
		unset,
		isOff,
		unapproved: inState('unapproved').length,
		notRunning,
		storedSecrets: secrets.length,
		...(ready && { brings: `${toolCount(ready.tools.length)}, ${shownTokens(usableTokens(ready))}` }),
	});
	return {
		text,
		steps: [
			// All servers of a review are on one page.
			...onServer('reviewServers').map(() => step('reviewServers')),
			...onServer('setValue'),
			...onServer('signIn'),
			...(failed ? [step('showServerLog', { server: failed.status.name })] : []),
			...(isOff ? [step('enableDiscovery', undefined, turnOnTitle())] : []),
		],
	};
}

/** `unreachable: self-signed certificate`, `Signed out` */
function whyStopped(node: ServerNode): string {
	const { word, short = word } = nodeLook(node);
	return [short, explanationOf(node.status)?.replace(/[.\s]+$/, '')].filter(Boolean).join(': ');
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

/** Gives starting servers a little time. */
async function started(names: readonly string[], { pool }: AddServices): Promise<void> {
	const title = l10n.t('Starting the added servers…');
	await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () =>
		pool.whenReady(names, { timeoutMs: startPatienceMs }),
	);
}
