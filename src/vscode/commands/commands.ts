import * as vscode from 'vscode';
import type { ConfigEdits } from '../../config/edit.ts';
import { searchToolsDefinition } from '../../discovery/searchTools/definition.ts';
import { toolCount } from '../../discovery/text.ts';
import type { ServerPool, ServerStatus } from '../../mcp/serverPool.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { problemRange } from '../config/problemRange.ts';
import type { ContextPages } from '../context/contextPages.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { ReportDocuments } from '../evaluation/reportDocuments.ts';
import type { EvaluatorParts, SearchEvaluator } from '../evaluation/searchEvaluator.ts';
import type { HabitStore } from '../habits/habitStore.ts';
import { commands, ids } from '../ids.ts';
import type { KeyStore } from '../keys/keyStore.ts';
import type { SecretVariables } from '../keys/secretVariables.ts';
import type { Unloads } from '../loaded/unloads.ts';
import type { ToolRuns } from '../run/toolRuns.ts';
import type { ToolPicker } from '../search/toolPicker.ts';
import type { ServerLogs } from '../servers/serverLogs.ts';
import { isLoaded, type ToolNode, toolNodes } from '../servers/treeNodes.ts';
import { loadTool, undoUnload, unloadTool } from './loading.ts';
import {
	type Choice,
	type CommandArguments,
	chosenServer,
	chosenTool,
	serverChoices,
	toolChoices,
} from './pickers.ts';

/** What commands act on. */
export interface CommandContext {
	readonly hub: DiscoveryHub;
	readonly pool: ServerPool;
	readonly configFile: ConfigFile;
	readonly logs: ServerLogs;
	readonly keys: KeyStore;
	readonly secrets: SecretVariables;
	/** Where VS Code keeps what the extension stores for all workspaces. */
	readonly globalStorage: vscode.Uri;
	readonly unloads: Unloads;
	readonly contextPages: ContextPages;
	readonly habits: HabitStore;
	readonly runs: ToolRuns;
}

type Handler = (args: CommandArguments) => Promise<void>;

/** Registers every command; a failing one says what happened. */
export function registerCommands(context: CommandContext): vscode.Disposable {
	const { hub, pool, configFile, logs } = context;
	const onServer =
		(choice: Choice<ServerStatus>, run: (name: string) => Promise<void>): Handler =>
		async (args) => {
			const name = await chosenServer(args, choice, context);
			if (name !== undefined) await run(name);
		};
	const onTool =
		(choice: Choice<ToolNode>, run: (node: ToolNode) => Promise<void>): Handler =>
		async (args) => {
			const node = await chosenTool(args, choice, hub);
			if (node) await run(node);
		};
	const edit = (makeEdit: (module: EditModule) => (text: string) => ConfigEdits) =>
		change(configFile, makeEdit);
	const reports = new ReportDocuments();
	const evaluator = searchEvaluator({ hub, configFile, reports });
	const handlers: Record<(typeof commands)[keyof typeof commands], Handler> = {
		[commands.ask]: ask,
		[commands.searchTools]: searchTools(context),
		[commands.openWalkthrough]: async () => (await onDemand()).openWalkthrough(),
		[commands.createConfig]: async () => (await onDemand()).createConfig(context),
		[commands.importServers]: async () => (await onDemand()).importServers(context),
		[commands.openConfig]: () => openConfig(context),
		[commands.enableDiscovery]: () => edit(({ enableDiscovery }) => enableDiscovery),
		[commands.rebuildIndex]: () => rebuildIndex(context),
		[commands.copyManifest]: () => copyManifest(context),
		[commands.selectToolset]: async () => (await onDemand()).selectToolset(context),
		[commands.saveToolset]: async () => (await onDemand()).saveToolset(context),
		[commands.resetSession]: () => resetSession(context),
		[commands.startServer]: onServer(serverChoices.start, (name) =>
			progress(`Starting ${name}…`, pool.start(name)),
		),
		[commands.stopServer]: onServer(serverChoices.stop, (name) => pool.stop(name)),
		[commands.restartServer]: onServer(serverChoices.restart, (name) =>
			progress(`Restarting ${name}…`, pool.restart(name)),
		),
		[commands.showServerLog]: onServer(serverChoices.showLog, async (name) => logs.show(name)),
		[commands.pinServer]: onServer(serverChoices.pin, (name) =>
			edit(
				({ pinServer }) =>
					(text) =>
						pinServer(text, name),
			),
		),
		[commands.deferServer]: onServer(serverChoices.defer, (name) =>
			edit(
				({ deferServer }) =>
					(text) =>
						deferServer(text, name),
			),
		),
		[commands.pinTool]: onTool(toolChoices.pin, ({ tool }) =>
			edit(
				({ pinTool }) =>
					(text) =>
						pinTool(text, tool.server, tool.name),
			),
		),
		[commands.deferTool]: onTool(toolChoices.defer, (node) => deferTool(context, node)),
		[commands.loadTool]: onTool(toolChoices.load, async ({ tool }) => loadTool(context, tool.wireName)),
		[commands.unloadTool]: onTool(toolChoices.unload, async ({ tool }) => unloadTool(context, tool.wireName)),
		[commands.undoUnload]: async () => undoUnload(context),
		[commands.runTool]: onTool(toolChoices.run, ({ tool }) => context.runs.run(tool)),
		[commands.runToolAgain]: ([uri]) => context.runs.runAgain(asUri(uri)),
		[commands.copyResult]: ([uri]) => context.runs.copy(asUri(uri)),
		[commands.saveResult]: ([uri]) => context.runs.save(asUri(uri)),
		[commands.setApiKey]: async ([client]) => (await onDemand()).setApiKey(context, client),
		[commands.manageSecrets]: async ([name]) => (await onDemand()).manageSecrets(context, name),
		[commands.showContext]: () => context.contextPages.show(),
		[commands.evaluateSearch]: async () => (await evaluator()).run(),
		[commands.applyHints]: async () => (await evaluator()).applyHints(),
		[commands.takeSuggestion]: ([id]) => takeSuggestion(context, id),
		[commands.clearHistory]: () => clearHistory(context),
	};
	return vscode.Disposable.from(
		reports,
		...Object.entries(handlers).map(([id, handler]) =>
			vscode.commands.registerCommand(id, (...args: unknown[]) => handler(args).catch(report)),
		),
	);
}

function report(error: unknown): void {
	void vscode.window.showErrorMessage(`Discovery: ${error instanceof Error ? error.message : String(error)}`);
}

type EditModule = typeof import('../../config/edit.ts');

function onDemand(): Promise<typeof import('../onDemand.ts')> {
	return import('../onDemand.ts');
}

async function change(
	configFile: ConfigFile,
	makeEdit: (module: EditModule) => (text: string) => ConfigEdits,
): Promise<void> {
	const outcome = await configFile.edit(makeEdit((await onDemand()).configEdits));
	if (outcome === 'unsaved') {
		void vscode.window.showInformationMessage(
			'Discovery: the change takes effect when you save the configuration file.',
		);
	}
}

/** Opens the chat with `@discovery` typed, and what it is called with, and leaves the rest to the user. */
async function ask([words]: CommandArguments): Promise<void> {
	const options = { query: `@discovery ${typeof words === 'string' ? words : ''}`, isPartialQuery: true };
	await vscode.commands.executeCommand('workbench.action.chat.open', options);
}

/** The search for people is loaded when first asked for, and keeps its index from then on. */
function searchTools({ hub }: CommandContext): Handler {
	let picker: ToolPicker | undefined;
	return async () => {
		const { ToolPicker } = await onDemand();
		picker ??= new ToolPicker(hub, report);
		picker.open();
	};
}

/** What search is evaluated with is loaded when first asked for; it knows the last report from then on. */
function searchEvaluator(parts: EvaluatorParts): () => Promise<SearchEvaluator> {
	let evaluator: SearchEvaluator | undefined;
	return async () => {
		const { SearchEvaluator } = await onDemand();
		evaluator ??= new SearchEvaluator(parts);
		return evaluator;
	};
}

/** Deferring takes an activated tool out of the last used chat, too. */
async function deferTool(context: CommandContext, { tool, state }: ToolNode): Promise<void> {
	unloadTool(context, tool.wireName);
	if (state === 'activated') return;
	const names = context.hub.catalog.tools
		.filter(({ server }) => server === tool.server)
		.map(({ name }) => name);
	await change(
		context.configFile,
		(module) => (text) => module.deferTool(text, tool.server, tool.name, names),
	);
}

async function openConfig({ configFile }: CommandContext): Promise<void> {
	const { state } = configFile;
	if (state.kind !== 'ok' && state.kind !== 'broken') {
		throw new Error('there is no configuration file yet. Create one with "Discovery: Create Configuration".');
	}
	const first = state.problems[0];
	const options = first ? { selection: problemRange(first) } : {};
	await vscode.window.showTextDocument(state.uri, options);
}

async function rebuildIndex({ hub, pool }: CommandContext): Promise<void> {
	await vscode.window.withProgress(
		{ location: { viewId: ids.serversView }, title: 'Rebuilding the index…' },
		async () => {
			await pool.refresh();
			hub.rebuild();
		},
	);
	const states = toolNodes(hub).map(({ state }) => state);
	const deferred = states.filter((state) => state === 'deferred').length;
	const loaded = states.filter(isLoaded).length;
	vscode.window.setStatusBarMessage(
		`Discovery: index rebuilt, ${toolCount(deferred)} deferred, ${loaded} loaded.`,
		5000,
	);
}

async function copyManifest({ hub }: CommandContext): Promise<void> {
	const surface = hub.currentSurface;
	if (surface.deferred.length === 0) throw new Error('nothing is deferred, so there is no manifest.');
	await vscode.env.clipboard.writeText(searchToolsDefinition(surface).description);
	vscode.window.setStatusBarMessage('Discovery: manifest copied.', 3000);
}

/** A button in an old answer may be for something that is done, or that does not hold any more. */
async function takeSuggestion({ habits }: CommandContext, id: unknown): Promise<void> {
	const suggestion = habits.suggestions().find((one) => one.id === id);
	if (!suggestion) throw new Error('this suggestion is taken already, or does not hold any more.');
	await habits.take(suggestion);
}

async function clearHistory({ habits }: CommandContext): Promise<void> {
	await habits.clear();
	vscode.window.setStatusBarMessage('Discovery: what was kept of past chats is forgotten.', 3000);
}

async function resetSession({ hub, unloads }: CommandContext): Promise<void> {
	if (!hub.current) throw new Error('there is no chat yet to reset.');
	unloads.forget(hub.current);
	hub.current.discovery.reset();
	hub.chooseToolset(hub.current, undefined);
	vscode.window.setStatusBarMessage('Discovery: the last used chat starts afresh.', 3000);
}

async function progress(title: string, work: Promise<void>): Promise<void> {
	await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () => work);
}

/** What the menu of an editor hands over; from the palette, nothing. */
function asUri(argument: unknown): vscode.Uri | undefined {
	return argument instanceof vscode.Uri ? argument : undefined;
}
