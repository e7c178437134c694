import * as vscode from 'vscode';
import type { ConfigEdits } from '../../config/edit.ts';
import type { Activation } from '../../discovery/activationSet.ts';
import { searchToolsDefinition } from '../../discovery/searchTools/definition.ts';
import { toolCount } from '../../discovery/text.ts';
import type { ServerPool, ServerStatus } from '../../mcp/serverPool.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { problemRange } from '../config/problemRange.ts';
import type { ContextPages } from '../context/contextPages.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { HabitStore } from '../habits/habitStore.ts';
import { commands, ids } from '../ids.ts';
import type { KeyStore } from '../keys/keyStore.ts';
import type { Unloads } from '../loaded/unloads.ts';
import type { ToolPicker } from '../search/toolPicker.ts';
import type { ServerLogs } from '../servers/serverLogs.ts';
import { isLoaded, type ToolNode, toolNodes } from '../servers/treeNodes.ts';
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
	readonly unloads: Unloads;
	readonly contextPages: ContextPages;
	readonly habits: HabitStore;
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
	const handlers: Record<(typeof commands)[keyof typeof commands], Handler> = {
		[commands.ask]: ask,
		[commands.searchTools]: searchTools(context),
		[commands.createConfig]: () => createConfig(context),
		[commands.openConfig]: () => openConfig(context),
		[commands.enableDiscovery]: () => edit(({ enableDiscovery }) => enableDiscovery),
		[commands.rebuildIndex]: () => rebuildIndex(context),
		[commands.copyManifest]: () => copyManifest(context),
		[commands.selectToolset]: () => selectToolset(context),
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
		[commands.setApiKey]: async ([client]) =>
			(await import('../keys/setApiKey.ts')).setApiKey(context, client),
		[commands.showContext]: () => context.contextPages.show(),
		[commands.takeSuggestion]: ([id]) => takeSuggestion(context, id),
		[commands.clearHistory]: () => clearHistory(context),
	};
	return vscode.Disposable.from(
		...Object.entries(handlers).map(([id, handler]) =>
			vscode.commands.registerCommand(id, (...args: unknown[]) => handler(args).catch(report)),
		),
	);
}

function report(error: unknown): void {
	void vscode.window.showErrorMessage(`Discovery: ${error instanceof Error ? error.message : String(error)}`);
}

type EditModule = typeof import('../../config/edit.ts');

/** The module of edits is loaded on first use, with the schema library behind it. */
async function change(
	configFile: ConfigFile,
	makeEdit: (module: EditModule) => (text: string) => ConfigEdits,
): Promise<void> {
	const outcome = await configFile.edit(makeEdit(await import('../../config/edit.ts')));
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
		const { ToolPicker } = await import('../search/toolPicker.ts');
		picker ??= new ToolPicker(hub, report);
		picker.open();
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

/** `why`: what is to be said of why it is loaded, where that is not that the user has just asked for it. */
function loadTool(
	{ hub }: CommandContext,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): void {
	const { discovery } = hub.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return;
	discovery.load([tool], why.reason, why.words);
	if (discovery.loadedTools.includes(tool)) return;
	throw new Error(
		`there is no room for ${tool.id}: this turn of the chat has loaded all that max_active_schemas admits. Unload a tool first.`,
	);
}

function unloadTool({ hub, unloads }: CommandContext, wireName: string): void {
	const tool = hub.current?.discovery.surface.get(wireName);
	if (hub.current && tool) unloads.unload(hub.current, tool);
}

function undoUnload(context: CommandContext): void {
	const { hub, unloads } = context;
	const unload = hub.current && unloads.last(hub.current);
	if (!unload) throw new Error('nothing to undo: no tool was unloaded from the last used chat.');
	loadTool(context, unload.tool.wireName, unload.activation);
}

async function createConfig({ configFile }: CommandContext): Promise<void> {
	const [uri] = configFile.uris;
	if (!uri) {
		await vscode.commands.executeCommand('vscode.openFolder');
		return;
	}
	const { state } = configFile;
	if (state.kind === 'ok' || state.kind === 'broken') {
		await vscode.window.showTextDocument(state.uri);
		return;
	}
	const { configTemplate } = await import('../../config/template.ts');
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(configTemplate));
	await vscode.window.showTextDocument(uri);
	await configFile.reload();
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

async function selectToolset({ hub }: CommandContext): Promise<void> {
	if (hub.toolsets.size === 0) throw new Error('the configuration defines no toolsets ("tool_sets").');
	const session = hub.currentOrNext();
	const chosen = session.discovery.surface.toolset?.name;
	const all = { label: 'All Tools', name: undefined, description: chosen === undefined ? 'chosen' : '' };
	const items = [...hub.toolsets.values()].map(({ name, description }) => ({
		label: name,
		name,
		description: name === chosen ? 'chosen' : '',
		...(description && { detail: description }),
	}));
	const picked = await vscode.window.showQuickPick([all, ...items], {
		title: 'Select Toolset of the Last Used Chat',
	});
	if (picked) hub.chooseToolset(session, picked.name);
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
