import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { emptyConfig } from './config/config.ts';
import { editorServerName } from './config/editorServerName.ts';
import { Catalog } from './discovery/catalog.ts';
import { placement } from './discovery/partition.ts';
import type { Tool } from './discovery/tool.ts';
import { CatalogStore } from './mcp/catalogStore.ts';
import { systemClock } from './mcp/clock.ts';
import { defaultLimits } from './mcp/limits.ts';
import { ServerPool } from './mcp/serverPool.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { registerVerbs } from './vscode/agentMode/verbTools.ts';
import { argumentCheck } from './vscode/chat/argumentCheck.ts';
import { Participant } from './vscode/chat/participant.ts';
import { sweepResults } from './vscode/chat/sweepResults.ts';
import { CallTool } from './vscode/chat/toolInvocation.ts';
import { registerCommands } from './vscode/commands/commands.ts';
import { registerConfigEditors } from './vscode/config/configEditors.ts';
import { ConfigFile } from './vscode/config/configFile.ts';
import { registerDiagnostics } from './vscode/config/diagnostics.ts';
import { ContextPages } from './vscode/context/contextPages.ts';
import { DiscoveryHub, type SavedSession } from './vscode/discoveryHub.ts';
import { withEditorServer } from './vscode/editorTools/editorServer.ts';
import { EditorTools } from './vscode/editorTools/editorTools.ts';
import { HabitStore } from './vscode/habits/habitStore.ts';
import { ids } from './vscode/ids.ts';
import { followImportable } from './vscode/import/importable.ts';
import { indexAhead } from './vscode/indexAhead.ts';
import { askToSend } from './vscode/keys/keyDialogs.ts';
import { KeyStore } from './vscode/keys/keyStore.ts';
import { SecretVariables } from './vscode/keys/secretVariables.ts';
import { LoadedTree } from './vscode/loaded/loadedTree.ts';
import { Unloads } from './vscode/loaded/unloads.ts';
import { Log } from './vscode/log.ts';
import { ConfiguredModels } from './vscode/models/configuredModels.ts';
import { ModelProvider } from './vscode/models/modelProvider.ts';
import { offlinePlanner } from './vscode/models/offlinePlanner.ts';
import { Pacer, redrawEveryMs } from './vscode/pacer.ts';
import { ToolRuns } from './vscode/run/toolRuns.ts';
import { Arrangement } from './vscode/servers/arrangement.ts';
import { ServerLogs } from './vscode/servers/serverLogs.ts';
import { ServersTree } from './vscode/servers/serversTree.ts';
import { StatusBar } from './vscode/statusBar.ts';
import { UndoStack } from './vscode/undo/undoStack.ts';

let pool: ServerPool | undefined;

/** Makes the parts and joins them. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
	// Words that know nothing of the editor are translated, too.
	if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
	const channel = vscode.window.createOutputChannel('Discovery', { log: true });
	const log = new Log(channel);
	const hub = new DiscoveryHub();
	const secrets = new SecretVariables({ secrets: context.secrets, names: context.globalState });
	const configFile = new ConfigFile(log, secrets);
	const keys = createKeyStore(context, configFile);
	const models = new ModelProvider([offlinePlanner]);
	context.subscriptions.push(
		channel,
		secrets,
		configFile,
		models,
		registerDiagnostics(configFile),
		vscode.lm.registerLanguageModelChatProvider(ids.vendor, models),
	);
	// The editor asks for a provider's models only when somebody selects them; until then the first message would find none.
	void vscode.lm.selectChatModels({ vendor: ids.vendor });

	pool = await createPool(context);
	const logs = new ServerLogs(pool);
	const sandbox = new Sandbox(context.asAbsolutePath('dist/sandbox.js'));
	const check = argumentCheck(sandbox);
	const callTools = {
		any: new CallTool(hub, pool, 'any', check),
		reading: new CallTool(hub, pool, 'reading', check),
	};
	const editorTools = new EditorTools();
	const unloads = new Unloads();
	const undo = new UndoStack();
	const arrangement = new Arrangement(context.workspaceState);
	const { extensionUri, globalStorageUri: globalStorage } = context;
	const habits = createHabitStore(context, hub);
	const serversTree = new ServersTree({ hub, pool, configFile, habits, arrangement });
	const loadedTree = new LoadedTree(hub, configFile, unloads);
	const runs = new ToolRuns({ pool, sandbox });
	const contextPages = new ContextPages({ hub, configFile, unloads, habits, extensionUri });
	const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
	const resultFolder = storageFolder(context, 'results');
	const icon = { light: media('discovery.svg'), dark: media('discovery-dark.svg') };
	context.subscriptions.push(
		logs,
		habits,
		arrangement,
		serversTree,
		loadedTree,
		new StatusBar(hub, configFile),
		contextPages,
		runs,
		vscode.lm.registerTool(ids.callTool, callTools.any),
		vscode.lm.registerTool(ids.readTool, callTools.reading),
		registerVerbs(hub, pool),
		sandbox,
		new Participant({
			hub,
			pool,
			configFile,
			models,
			sandbox,
			callTools,
			suggestions: habits,
			resultFolder,
			editorTools,
			icon,
		}),
		registerCommands({
			hub,
			pool,
			configFile,
			logs,
			keys,
			secrets,
			unloads,
			undo,
			arrangement,
			views: new Map<string, Pick<typeof loadedTree | typeof serversTree, 'selection'>>([
				[ids.serversView, serversTree],
				[ids.loadedView, loadedTree],
			]),
			contextPages,
			habits,
			runs,
			globalStorage,
		}),
		registerConfigEditors({
			hub,
			pool,
			configFile,
			keys,
			secrets,
			onDidChangeSecrets: context.secrets.onDidChange,
			suggestions: habits,
		}),
		followImportable(configFile, globalStorage),
		sweepResults(resultFolder),
		editorTools,
		followCatalog(hub, pool, editorTools),
		followConfiguration(hub, pool, configFile, editorTools),
		followLogLevel(log, configFile),
		followModels(models, new ConfiguredModels(keys, log), configFile),
		indexAhead(hub),
	);
	await configFile.reload();
	context.subscriptions.push(rememberChat(hub, context.workspaceState));
}

/** Ends every server; VS Code waits for it. */
export async function deactivate(): Promise<void> {
	await pool?.dispose();
}

async function createPool(context: vscode.ExtensionContext): Promise<ServerPool> {
	const folder = storageFolder(context, 'catalog');
	const { version } = context.extension.packageJSON;
	return new ServerPool({
		reaperScript: context.asAbsolutePath('dist/reaper.js'),
		store: await CatalogStore.open(folder, defaultLimits, systemClock),
		client: { name: 'mcp-discovery', version },
		toolCacheTtlSeconds: emptyConfig.toolCacheTtlSeconds,
	});
}

/** A folder of the workspace's own storage, which the editor keeps outside of it. */
function storageFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext, name: string): string {
	return vscode.Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}

function createKeyStore(context: vscode.ExtensionContext, configFile: ConfigFile): KeyStore {
	return new KeyStore({
		secrets: context.secrets,
		agreements: context.globalState,
		environment: (name) => configFile.environmentValue(name),
		ask: (request, variable) => askToSend(request, variable, configFile),
	});
}

function createHabitStore({ workspaceState }: vscode.ExtensionContext, hub: DiscoveryHub): HabitStore {
	const execute = (command: string, argument: unknown) => vscode.commands.executeCommand(command, argument);
	return new HabitStore({ hub, memento: workspaceState, execute, now: Date.now });
}

/** The current chat is known again at the next start, before anything is said in it. */
function rememberChat(hub: DiscoveryHub, memento: vscode.Memento): vscode.Disposable {
	const key = 'currentChat';
	const saved = memento.get<SavedSession>(key);
	if (saved && !hub.current) hub.open(saved);
	let written = JSON.stringify(saved);
	const write = () => {
		const now = JSON.stringify(hub.saved);
		if (now === written) return;
		written = now;
		void memento.update(key, hub.saved);
	};
	const pacer = new Pacer(write, redrawEveryMs);
	const listener = hub.onDidChange(() => pacer.request());
	return new vscode.Disposable(() => {
		listener.dispose();
		pacer.dispose();
		// What happened right before the window closes is kept, too.
		write();
	});
}

/** What servers list becomes the catalog, and what the editor has, where that is wanted. */
function followCatalog(hub: DiscoveryHub, servers: ServerPool, editorTools: EditorTools): vscode.Disposable {
	const update = () => {
		// Both only grow, so the sum is another one as soon as either is.
		const version = servers.version + editorTools.version;
		if (version === hub.catalog.version) return;
		const { server } = editorTools;
		hub.setCatalog(new Catalog([...servers.catalogServers(), ...(server ? [server] : [])], version));
	};
	const listener = servers.onDidChange(update);
	return vscode.Disposable.from(editorTools.onDidChange(update), { dispose: () => listener.dispose() });
}

/** What the file says becomes the policy and the servers; in an untrusted workspace nothing starts. */
function followConfiguration(
	hub: DiscoveryHub,
	servers: ServerPool,
	configFile: ConfigFile,
	editorTools: EditorTools,
): vscode.Disposable {
	const apply = () => {
		const { state } = configFile;
		if (!vscode.workspace.isTrusted || state.kind === 'loading') return;
		const config = state.kind === 'ok' ? state.config : emptyConfig;
		const { policy, toolsets, launches, toolCacheTtlSeconds } = config;
		// While discovery is off, they would all be loaded.
		const isWanted = config.editorTools && policy.enabled;
		const editor = isWanted ? editorServerName(policy.servers) : undefined;
		hub.setPolicy(withEditorServer(policy, editor), toolsets);
		editorTools.offer(editor);
		// A server whose tools are all deferred need not run before one of them is called.
		const eager = (tools: readonly Tool[]) => tools.some((tool) => placement(tool, policy) !== 'deferred');
		servers.setLaunches(launches, { toolCacheTtlSeconds, eager });
	};
	return vscode.Disposable.from(
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
	);
}

/** `LOG_LEVEL` beside the file or in the environment rules what the log shows. */
function followLogLevel(log: Log, configFile: ConfigFile): vscode.Disposable {
	return configFile.onDidChange((state) => {
		log.level = state.kind === 'ok' ? state.config.logLevel : undefined;
	});
}

/** What the file says becomes models of VS Code; none in an untrusted workspace, so that nothing leaves the machine. */
function followModels(
	models: ModelProvider,
	configured: ConfiguredModels,
	configFile: ConfigFile,
): vscode.Disposable {
	const apply = () => {
		const { state } = configFile;
		if (state.kind === 'loading') return;
		const { models: definitions } =
			vscode.workspace.isTrusted && state.kind === 'ok' ? state.config : emptyConfig;
		models.offer(configured.update(definitions));
	};
	return vscode.Disposable.from(
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
	);
}
