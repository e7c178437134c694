import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount, toolCount } from '../../chat/counts.ts';
import { isRecord } from '../../common/json.ts';
import { enableDiscovery } from '../../config/file/edit.ts';
import { searchToolsDefinition } from '../../discovery/tools/searchTools.ts';
import { ServerError } from '../../mcp/serverError.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { Services } from '../../services.ts';
import { createConfig, moveServers, openConfig, openUserConfig } from '../config/configCommands.ts';
import { SearchEvaluator } from '../evaluation/searchEvaluator.ts';
import { showTeaching } from '../evaluation/teachingEvaluation.ts';
import { addServer } from '../import/addServer.ts';
import { importServers } from '../import/importServers.ts';
import { refreshModels } from '../models/refreshModels.ts';
import { change, cycle, place, switchOnOrOff, undoLast, undoUnload } from '../placement/placement.ts';
import type { SwitchAction, ToolAction } from '../placement/toolActions.ts';
import { saveToolset, selectToolset } from '../placement/toolsets.ts';
import { ToolPicker } from '../search/toolPicker.ts';
import { manageSecrets } from '../secrets/manageSecrets.ts';
import { setApiKey } from '../secrets/setApiKey.ts';
import { pasteSignInAddress, signIn, signOut } from '../signIn/signInCommands.ts';
import { forgetTeaching, teachSearch } from '../teaching/teachSearch.ts';
import { filterTools, sortTools } from '../trees/treeOptionCommands.ts';
import { managePermissions, takeBackPermission } from '../trust/managePermissions.ts';
import { ReviewPage, reviewProposal } from '../trust/reviewPage.ts';
import {
	acceptServerChanges,
	acceptToolChange,
	setTrustsHints,
	showToolChange,
	withdrawApprovals,
} from '../trust/trustCommands.ts';
import { commands, ids } from '../ui/ids.ts';
import { failureText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import { isLoaded, toolNodes } from '../ui/nodes.ts';
import { type Choice, serverChoices, switchChoices, toolChoices } from './choices.ts';
import {
	allSwitchedOff,
	type CommandArguments,
	chosenNodes,
	chosenServers,
	chosenTool,
	chosenToSwitch,
	rowsOf,
	type Selections,
} from './targets.ts';

/** What commands act on: what the features share, and what is selected in the views. */
export type CommandContext = Services & { readonly views: Selections };

type Handler = (args: CommandArguments) => Promise<void>;

/** What a command does, by its id. */
export type CommandHandlers = Readonly<Record<(typeof commands)[keyof typeof commands], Handler>>;

/** What every command does; made when the first of them is used. */
export function commandHandlers(context: CommandContext): CommandHandlers {
	const { sessions, pool, logs, approvals, quarantined } = context;
	const servers = serverChoices(approvals, context.configFile);
	const tools = toolChoices();
	/** For one server at a time: what asks, or opens something. */
	const onServer =
		(choice: Choice<ServerStatus>, run: (name: string) => Promise<void>): Handler =>
		async (args) => {
			const [name] = await chosenServers(args.slice(0, 1), choice, context);
			if (name !== undefined) await run(name);
		};
	/** For all that are selected, as one action. */
	const onServers =
		(choice: Choice<ServerStatus>, run: (names: readonly string[]) => Promise<void>): Handler =>
		async (args) => {
			const names = await chosenServers(args, choice, context);
			if (names.length > 0) await run(names);
		};
	const placing =
		(what: ToolAction): Handler =>
		async (args) =>
			place(context, what, await chosenNodes(args, tools[what], context));
	const placingServer = (what: 'pin' | 'defer'): Handler =>
		onServers(servers[what], (names) =>
			place(
				context,
				what,
				names.map((name) => ({ kind: 'server', status: { name } })),
			),
		);
	/** Rows, or what else these commands are called with: a server's name, or the address of an open difference. */
	const calledOn = (args: CommandArguments) =>
		typeof args[0] === 'string' ? [args[0]] : rowsOf(args, context.views);
	const switches = switchChoices();
	const switching =
		(what: SwitchAction): Handler =>
		async (args) =>
			switchOnOrOff(context, what, await chosenToSwitch(args, switches[what], context));
	// One of each: the picker keeps its index, the evaluator its last report, and only one page approves servers.
	const picker = new ToolPicker(sessions);
	const evaluator = new SearchEvaluator(context);
	const review = new ReviewPage(context);
	return {
		[commands.ask]: ask,
		[commands.searchTools]: async () => void picker.open(),
		[commands.openWalkthrough]: async () => openWalkthrough(),
		[commands.openGuide]: async () => openGuide(),
		[commands.createConfig]: async () => createConfig(context),
		[commands.addServer]: async () =>
			addServer({ ...context, review: (proposed) => reviewProposal(proposed, context.extensionUri) }),
		[commands.importServers]: async () => importServers(context),
		[commands.openConfig]: async ([row]) => openConfig(context, row),
		[commands.openUserConfig]: async () => openUserConfig(context),
		[commands.moveToUser]: onServers(servers.moveToUser, (names) => moveServers(context, names, 'user')),
		[commands.moveToWorkspace]: onServers(servers.moveToWorkspace, (names) =>
			moveServers(context, names, 'workspace'),
		),
		[commands.enableDiscovery]: async () => turnOnDiscovery(context),
		[commands.rebuildIndex]: () => rebuildIndex(context),
		[commands.copyManifest]: () => copyManifest(context),
		[commands.selectToolset]: async () => selectToolset(context),
		[commands.saveToolset]: async () => saveToolset(context),
		[commands.resetSession]: () => resetSession(context),
		[commands.startServer]: onServers(servers.start, (names) =>
			progress(
				l10n.t('Starting {0}…', shownServers(names)),
				onEach(names, (name) => pool.start(name)),
			),
		),
		[commands.stopServer]: onServers(servers.stop, (names) => onEach(names, (name) => pool.stop(name))),
		[commands.cancelStart]: onServers(servers.stop, (names) => onEach(names, (name) => pool.stop(name))),
		[commands.restartServer]: onServers(servers.restart, (names) =>
			progress(
				l10n.t('Restarting {0}…', shownServers(names)),
				onEach(names, (name) => pool.restart(name)),
			),
		),
		[commands.signIn]: onServer(servers.signIn, (name) => signIn(context, name)),
		[commands.signOut]: onServer(servers.signOut, (name) => signOut(context, name)),
		[commands.pasteSignInAddress]: pasteSignInAddress,
		[commands.reviewServers]: async (args) => {
			const rows = rowsOf(args, context.views);
			const [only] = rows ? await chosenServers([rows[0]], servers.start, context) : [];
			await review.show(only);
		},
		[commands.withdrawApproval]: onServers(servers.withdraw, (names) => withdrawApprovals(approvals, names)),
		[commands.trustHints]: onServers(servers.trust, (names) => setTrustsHints(approvals, names, true)),
		[commands.distrustHints]: onServers(servers.distrust, (names) => setTrustsHints(approvals, names, false)),
		[commands.managePermissions]: () => managePermissions(context),
		[commands.takeBackPermission]: async (args) =>
			takeBackPermission(context, rowsOf(args, context.views) ?? []),
		[commands.showToolChange]: async (args) => showToolChange(quarantined, calledOn(args)),
		[commands.acceptToolChange]: async (args) => acceptToolChange(quarantined, calledOn(args)),
		[commands.acceptServerChanges]: async (args) => acceptServerChanges(quarantined, calledOn(args)),
		[commands.browseResources]: onServer(servers.browse, async (name) =>
			(await context.resources.get()).browse(name),
		),
		[commands.showServerLog]: onServer(servers.showLog, async (name) => logs.show(name)),
		[commands.pinServer]: placingServer('pin'),
		[commands.deferServer]: placingServer('defer'),
		[commands.pinTool]: placing('pin'),
		[commands.deferTool]: placing('defer'),
		[commands.loadTool]: placing('load'),
		[commands.unloadTool]: placing('unload'),
		[commands.cycleTool]: async (args) => {
			const nodes = await chosenNodes(args, tools.cycle, context);
			if (nodes.length > 0)
				await cycle(
					context,
					nodes.filter((node) => node.kind === 'tool'),
				);
		},
		[commands.disable]: async (args) => {
			// Its key does both.
			const isOff = allSwitchedOff(args, context);
			await switching(isOff ? 'enable' : 'disable')(args);
		},
		[commands.enable]: switching('enable'),
		[commands.undo]: () => undoLast(context),
		[commands.sortTools]: async ([order]) => sortTools(context, order),
		[commands.filterTools]: async ([text]) => filterTools(context, text),
		[commands.clearFilter]: async () => {
			context.treeOptions.filter = undefined;
		},
		[commands.undoUnload]: async () => undoUnload(context),
		[commands.runTool]: async (args) => {
			if (args.length === 0) return void picker.open('running');
			const node = await chosenTool(args, tools.run, context);
			// An offer in the chat gives what is known of the arguments.
			if (node) await context.runs.run(node.tool, isRecord(args[1]) ? args[1] : undefined);
		},
		[commands.runToolAgain]: ([uri]) => context.runs.runAgain(asUri(uri)),
		[commands.copyResult]: ([uri]) => context.runs.copy(asUri(uri)),
		[commands.saveResult]: ([uri]) => context.runs.save(asUri(uri)),
		[commands.setApiKey]: async ([client]) => setApiKey(context, client),
		[commands.refreshModels]: async ([client]) => refreshModels(context, client),
		[commands.manageSecrets]: async ([name]) => manageSecrets(context, name),
		[commands.showContext]: () => context.contextPages.show(),
		[commands.evaluateSearch]: () => evaluator.run(),
		[commands.applyHints]: () => evaluator.applyHints(),
		// The title of a view calls a command with the row that has the focus, if any. That row is not what is meant, so it has another command.
		[commands.teachSearch]: () => teachSearch(context, (learned) => showTeaching(context, learned)),
		[commands.teachServer]: onServers(servers.teach, (names) =>
			teachSearch(context, (learned) => showTeaching(context, learned), names),
		),
		[commands.forgetTeaching]: () => forgetTeaching(context),
		[commands.takeSuggestion]: ([id]) => takeSuggestion(context, id),
		[commands.clearHistory]: () => clearHistory(context),
	};
}

/** Opens the chat with `@discovery` typed, and what it is called with, and leaves the rest to the user. */
async function ask([words]: CommandArguments): Promise<void> {
	const options = { query: `@discovery ${typeof words === 'string' ? words : ''}`, isPartialQuery: true };
	await vscode.commands.executeCommand('workbench.action.chat.open', options);
}

/** In the file whose settings are in force. */
async function turnOnDiscovery(context: CommandContext): Promise<void> {
	const { configFile } = context;
	const { state } = configFile;
	const uri = state.kind === 'ok' ? configFile.fileAt(state.discovery)?.place.uri : undefined;
	await change(context, l10n.t('turn on discovery'), [{ ...(uri && { uri }), plan: enableDiscovery }]);
}

async function rebuildIndex({ sessions, pool }: CommandContext): Promise<void> {
	await vscode.window.withProgress(
		{ location: { viewId: ids.serversView }, title: l10n.t('Rebuilding the index…') },
		async () => {
			await pool.refresh();
			sessions.rebuild();
			// Made by the first search otherwise: then it would be told as rebuilt before it is.
			if (sessions.currentSurface.deferred.length > 0) await sessions.currentSurface.index();
		},
	);
	const states = toolNodes(sessions).map(({ state }) => state);
	const deferred = states.filter((state) => state === 'deferred').length;
	const loaded = states.filter(isLoaded).length;
	say(l10n.t('index rebuilt, {0} deferred, {1} loaded.', toolCount(deferred), loaded));
}

async function copyManifest({ sessions }: CommandContext): Promise<void> {
	const surface = sessions.currentSurface;
	if (surface.deferred.length === 0) throw new Error(l10n.t('nothing is deferred, so there is no manifest.'));
	await vscode.env.clipboard.writeText(searchToolsDefinition(surface).description);
	say(l10n.t('manifest copied.'));
}

/** A button in an old answer may be for something that is done, or that does not hold any more. */
async function takeSuggestion({ habits }: CommandContext, id: unknown): Promise<void> {
	const suggestion = habits.suggestions().find((one) => one.id === id);
	if (!suggestion) throw new Error(l10n.t('this suggestion is taken already, or does not hold any more.'));
	await habits.take(suggestion);
}

/** It cannot be undone, so it asks. */
async function clearHistory({ habits, learnedUse }: CommandContext): Promise<void> {
	const { length } = habits.habits.chats;
	const store = await learnedUse.get();
	if (length === 0 && store.count === 0) throw new Error(l10n.t('nothing is kept of past chats.'));
	const forget = l10n.t('Forget');
	const question =
		length === 1
			? l10n.t('Forget what is kept of one chat?')
			: length === 0
				? l10n.t('Forget what search has learned from chats?')
				: l10n.t('Forget what is kept of {0} chats?', length);
	const detail = l10n.t(
		'Which tools were called, how that went, which searches found nothing, and what search has learned: which words led to which tools.',
	);
	const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, forget);
	if (answer !== forget) return;
	await Promise.all([habits.clear(), store.clear()]);
	say(l10n.t('what was kept of past chats is forgotten, and what search has learned from them.'));
}

async function resetSession({ sessions, undo }: CommandContext): Promise<void> {
	if (!sessions.current) throw new Error(l10n.t('there is no chat yet to reset.'));
	undo.forget(sessions.current);
	sessions.current.discovery.reset();
	sessions.chooseToolset(sessions.current, undefined);
	say(l10n.t('the last used chat starts afresh.'));
}

/** What a notification calls servers: the one by its name, or how many. */
function shownServers(names: readonly string[]): string {
	const [name = ''] = names;
	return names.length === 1 ? name : serverCount(names.length);
}

/** Does something with all of them at once; one that fails keeps none of the others from it. */
async function onEach(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
	const results = await Promise.allSettled(names.map(work));
	const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
	if (failures.length > 1) throw new Error(failures.map(failureText).join(' '));
	if (failures.length > 0) throw failures[0];
}

/** Shows in the Servers view that something is going on. A start that the user cancels is not a failure. */
async function progress(title: string, work: Promise<void>): Promise<void> {
	try {
		await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () => work);
	} catch (error) {
		if (!(error instanceof ServerError && error.reason === 'stopped')) throw error;
	}
}

/** What the menu of an editor hands over; from the palette, nothing. */
function asUri(argument: unknown): vscode.Uri | undefined {
	return argument instanceof vscode.Uri ? argument : undefined;
}

/** Opens the walkthrough, from its first step that is not done. */
async function openWalkthrough(): Promise<void> {
	const walkthrough = `${ids.extension}#${ids.walkthrough}`;
	await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
}

/** Opens the user's guide, which comes with the extension. */
async function openGuide(): Promise<void> {
	const extension = vscode.extensions.getExtension(ids.extension);
	if (!extension) throw new Error(l10n.t('the extension is not installed.'));
	const index = vscode.Uri.joinPath(extension.extensionUri, 'docs', 'README.md');
	await vscode.commands.executeCommand('markdown.showPreview', index);
}
