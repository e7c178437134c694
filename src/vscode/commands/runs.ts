import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount, toolCount } from '../../chat/counts.ts';
import { isRecord } from '../../common/json.ts';
import { enableDiscovery } from '../../config/file/edit.ts';
import { ServerError } from '../../mcp/serverError.ts';
import type { Core } from '../../services.ts';
import type { ActionNode, Called, RunAction } from '../actions/action.ts';
import { actions } from '../actions/table.ts';
import { openConfig } from '../config/configCommands.ts';
import type { ContextPage } from '../context/contextPage.ts';
import { changeConfig } from '../core/configChange.ts';
import type { UndoableChange } from '../core/undo.ts';
import { addServer } from '../import/addServer.ts';
import { defer, load, pin, switchOnOrOff, undoLast, unload } from '../placement/placement.ts';
import { selectToolset } from '../placement/toolsets.ts';
import type { ResourceBrowser } from '../run/browseResources.ts';
import type { HandRuns } from '../run/handRuns.ts';
import { ToolPicker } from '../search/toolPicker.ts';
import { manageSecrets } from '../secrets/manageSecrets.ts';
import { pasteSignInAddress, signIn, signOut } from '../signIn/signInCommands.ts';
import { forget } from '../teaching/forget.ts';
import { teachSearch } from '../teaching/teachSearch.ts';
import { managePermissions } from '../trust/managePermissions.ts';
import { acceptChange, type QuarantinedTools, reviewChanges } from '../trust/quarantinedTools.ts';
import { ReviewPage } from '../trust/reviewPage.ts';
import { type CommandName, ids } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { askToTrust, say } from '../ui/messages.ts';
import { isLoaded, type PlacedNode } from '../ui/nodes.ts';
import { findTargets, type Selections } from './targets.ts';

/** Runs an action on the nodes that it applies to. Resolves to the change, if it can be undone. */
type Run = (
	nodes: readonly ActionNode[],
	called: Called,
) => Promise<UndoableChange | undefined> | Promise<void>;

/** Features with a state of their own. */
interface Features {
	readonly runs: HandRuns;
	readonly resources: ResourceBrowser;
	readonly contextPage: ContextPage;
	readonly quarantined: QuarantinedTools;
	readonly views: Selections;
	readonly run: RunAction;
}

/** Runs actions: finds their nodes, and remembers changes for undo. */
export function actionRunner(services: Core, features: Features) {
	const runs = runsOf(services, features);
	return async (name: CommandName, called: Called): Promise<void> => {
		if (!vscode.workspace.isTrusted && !actions[name].withoutTrust) return askToTrust();
		const targets = await findTargets(name, called, { ...services, views: features.views });
		if (!targets) return;
		const undoable = await runs[targets.name](targets.nodes, called);
		if (undoable) services.undo.push(undoable);
	};
}

function runsOf(
	services: Core,
	{ runs, resources, contextPage, quarantined, run }: Features,
): Readonly<Record<CommandName, Run>> {
	const { pool, logs } = services;
	// One instance of each: the picker keeps its index, and there is one review page.
	const picker = new ToolPicker({ ...services, run });
	const review = new ReviewPage(services);
	const onEach = (work: (server: string) => Promise<unknown>) => (nodes: readonly ActionNode[]) =>
		each(namesOf(nodes), work);
	const onOne = (work: (server: string) => unknown) => async (nodes: readonly ActionNode[]) => {
		for (const name of namesOf(nodes)) await work(name);
	};
	return {
		ask: (_, [words]) => ask(words),
		openWalkthrough,
		addServer: () => addServer({ ...services, run, review: (server) => review.show(server) }),
		openConfig: ([node]) => openConfig(services, node),
		enableDiscovery: () => turnOnDiscovery(services),
		searchTools: async () => void picker.open(),
		rebuildIndex: () => rebuildIndex(services),
		selectToolset: () => selectToolset(services),
		resetSession: () => resetSession(services),

		reviewServers: ([node]) => review.show(node && namesOf([node])[0]),
		startServer: (nodes) =>
			progress(
				l10n.t('Starting {0}…', shown(nodes)),
				each(namesOf(nodes), (name) => pool.start(name)),
			),
		stopServer: onEach((name) => pool.stop(name)),
		restartServer: (nodes) =>
			progress(
				l10n.t('Restarting {0}…', shown(nodes)),
				each(namesOf(nodes), (name) => pool.restart(name)),
			),
		signIn: onOne((name) => signIn(services, name)),
		signOut: onOne((name) => signOut(services, name)),
		pasteSignInAddress,
		showServerLog: onOne((name) => logs.show(name)),
		browseResources: onOne((name) => resources.browse(name)),
		managePermissions: ([node]) => managePermissions(services, node),
		reviewChanges: ([node]) => reviewChanges(quarantined, node),
		acceptChange: (nodes, called) => acceptChange(quarantined, nodes, called),

		pinServer: (nodes) => pin(services, placed(nodes)),
		deferServer: (nodes) => defer(services, placed(nodes)),
		loadTool: async (nodes) => load(services, placed(nodes)),
		unloadTool: async (nodes) => unload(services, placed(nodes)),
		disable: (nodes) => switchOnOrOff(services, 'disable', placed(nodes)),
		enable: (nodes) => switchOnOrOff(services, 'enable', placed(nodes)),
		undo: () => undoLast(services),

		runTool: async ([node], [, args]) => {
			// A button in the chat passes the arguments that are known.
			if (node?.kind === 'tool') await runs.run(node.tool, isRecord(args) ? args : undefined);
			else picker.open('running');
		},
		runToolAgain: async (_, [uri]) => runs.runAgain(asUri(uri)),

		manageSecrets: (_, [named, failed]) => manageSecrets(services, named, failed),
		showContext: async () => contextPage.show(),
		teachSearch: (nodes) => teachSearch({ ...services, run }, nodes.length > 0 ? namesOf(nodes) : undefined),
		forget: () => forget(services),
	};
}

function namesOf(nodes: readonly ActionNode[]): readonly string[] {
	return nodes.flatMap((node) => (node.kind === 'server' ? [node.status.name] : []));
}

function placed(nodes: readonly ActionNode[]): readonly PlacedNode[] {
	return nodes.filter((node) => node.kind !== 'origin');
}

/** Opens the chat with `@discovery` and the given words typed. */
async function ask(words: unknown): Promise<void> {
	const options = { query: `@discovery ${typeof words === 'string' ? words : ''}`, isPartialQuery: true };
	await vscode.commands.executeCommand('workbench.action.chat.open', options);
}

async function turnOnDiscovery({ configFile }: Core): Promise<UndoableChange | undefined> {
	const { state } = configFile;
	const uri = state.kind === 'ok' ? state.discovery.place.uri : undefined;
	const made = await changeConfig(configFile, [{ uri, plan: enableDiscovery }]);
	return made && { what: l10n.t('turn on discovery'), undo: made.undo };
}

async function rebuildIndex({ sessions, pool, serverModels }: Core): Promise<void> {
	await vscode.window.withProgress(
		{ location: { viewId: ids.serversView }, title: l10n.t('Rebuilding the index…') },
		async () => {
			await pool.refresh();
			sessions.rebuild();
			// Made by the first search otherwise: then it would be told as rebuilt before it is.
			if (sessions.currentSurface.deferred.length > 0) await sessions.currentSurface.index();
		},
	);
	const states = serverModels.servers.flatMap(({ tools }) => tools.map(({ state }) => state));
	const deferred = states.filter((state) => state === 'deferred').length;
	const loaded = states.filter(isLoaded).length;
	say(l10n.t('index rebuilt: {0} deferred, {1} loaded.', toolCount(deferred), loaded));
}

async function resetSession({ sessions }: Core): Promise<void> {
	if (!sessions.current) throw new Error(l10n.t('no chat to reset yet.'));
	sessions.current.discovery.reset();
	sessions.chooseToolset(sessions.current, undefined);
	say(l10n.t('last used chat reset.'));
}

/** The name of a single server, or how many there are. */
function shown(nodes: readonly ActionNode[]): string {
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

/** The menu of an editor passes its URI, the palette nothing. */
function asUri(argument: unknown): vscode.Uri | undefined {
	return argument instanceof vscode.Uri ? argument : undefined;
}

async function openWalkthrough(): Promise<void> {
	const walkthrough = `${ids.extension}#${ids.walkthrough}`;
	await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
}
