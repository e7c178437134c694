import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { emptyConfig } from './config/config.ts';
import { ConfigReader } from './config/configReader.ts';
import { approvalHash } from './mcp/approval/launchFacts.ts';
import { systemClock } from './mcp/clock.ts';
import type { McpLimits } from './mcp/limits.ts';
import { CatalogStore } from './mcp/listing/catalogStore.ts';
import { DefinitionPins } from './mcp/pins/definitionPins.ts';
import { defaultPinLimits } from './mcp/pins/pinLimits.ts';
import { ServerPool } from './mcp/serverPool.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { registerVerbs } from './vscode/agentMode/verbTools.ts';
import { argumentCheck } from './vscode/chat/argumentCheck.ts';
import { Participant } from './vscode/chat/participant.ts';
import { sweepFolders } from './vscode/chat/sweepFolders.ts';
import { CallTool } from './vscode/chat/toolInvocation.ts';
import { registerCommands } from './vscode/commands/registerCommands.ts';
import { registerConfigEditors } from './vscode/config/configEditors.ts';
import { ConfigFile } from './vscode/config/configFile.ts';
import { registerDiagnostics } from './vscode/config/diagnostics.ts';
import { followConfiguration } from './vscode/config/followConfiguration.ts';
import { CallConfirmation } from './vscode/confirmation.ts';
import { ContextPages } from './vscode/context/contextPages.ts';
import { DiscoveryHub } from './vscode/discoveryHub.ts';
import { EditorTools } from './vscode/editorTools/editorTools.ts';
import { followCatalog } from './vscode/followCatalog.ts';
import { HabitStore } from './vscode/habits/habitStore.ts';
import { ids } from './vscode/ids.ts';
import { followImportable } from './vscode/import/importable.ts';
import { indexAhead } from './vscode/indexAhead.ts';
import { Destinations } from './vscode/keys/destinations.ts';
import { askToSend, askToSendHeader, askToTalk, microsoftToken } from './vscode/keys/keyDialogs.ts';
import { KeyStore } from './vscode/keys/keyStore.ts';
import { SecretVariables } from './vscode/keys/secretVariables.ts';
import { followLimits, readLimits } from './vscode/limits/followLimits.ts';
import { LoadedTree } from './vscode/loaded/loadedTree.ts';
import { Unloads } from './vscode/loaded/unloads.ts';
import { Log } from './vscode/log.ts';
import { followModels } from './vscode/models/followModels.ts';
import { ModelLists } from './vscode/models/modelLists.ts';
import { ModelProvider } from './vscode/models/modelProvider.ts';
import { offlinePlanner } from './vscode/models/offlinePlanner.ts';
import { noticeHeldTools } from './vscode/pins/heldNotices.ts';
import { HeldTools } from './vscode/pins/heldTools.ts';
import { rememberChat } from './vscode/rememberChat.ts';
import { ToolRuns } from './vscode/run/toolRuns.ts';
import { Arrangement } from './vscode/servers/arrangement.ts';
import { ServerLogs } from './vscode/servers/serverLogs.ts';
import { ServersTree } from './vscode/servers/serversTree.ts';
import { StatusBar } from './vscode/statusBar.ts';
import { ApprovalPrompt } from './vscode/trust/approvalPrompt.ts';
import { Approvals } from './vscode/trust/approvals.ts';
import { UndoStack } from './vscode/undo/undoStack.ts';
import { Welcome } from './vscode/welcome.ts';

let pool: ServerPool | undefined;
let pins: DefinitionPins | undefined;
/** Whether accepted tools were ever written. */
const pinsWrittenKey = 'pinsWritten';

/** Makes the parts and joins them. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
	// Words that know nothing of the editor are translated, too.
	if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
	const channel = vscode.window.createOutputChannel('Discovery', { log: true });
	const log = new Log(channel);
	const hub = new DiscoveryHub();
	const secrets = new SecretVariables({ secrets: context.secrets, names: context.globalState });
	const reader = new ConfigReader(context.asAbsolutePath('dist/configThread.js'), vscode.l10n.bundle);
	const configFile = new ConfigFile(log, secrets, reader);
	const keys = createKeyStore(context, configFile);
	const models = new ModelProvider([offlinePlanner({ configFile, hub, pool: () => pool })]);
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

	const approvals = new Approvals(context.workspaceState);
	pins = await openPins(context, approvals, log);
	const limits = readLimits();
	pool = await createPool(context, limits.mcp, pins);
	const heldTools = new HeldTools(pins);
	const logs = new ServerLogs(pool);
	const sandbox = new Sandbox(context.asAbsolutePath('dist/sandbox.js'));
	const check = argumentCheck(sandbox);
	const welcome = new Welcome({ configFile, log, storage: context.globalStorageUri.fsPath });
	const approvalPrompt = new ApprovalPrompt({ approvals, configFile, welcome });
	const confirmation = new CallConfirmation((server) => approvals.trustsHints(server));
	const callParts = { hub, pool, confirmation, check };
	const callTools = {
		any: new CallTool('any', callParts),
		reading: new CallTool('reading', callParts),
		confirmation,
	};
	const editorTools = new EditorTools();
	const unloads = new Unloads();
	const undo = new UndoStack();
	const arrangement = new Arrangement(context.workspaceState);
	const { extensionUri, globalStorageUri: globalStorage } = context;
	const habits = createHabitStore(context, hub);
	const destinations = createDestinations(context, keys, configFile);
	const modelLists = new ModelLists({
		folder: vscode.Uri.joinPath(globalStorage, 'models').fsPath,
		keys,
		destinations,
		now: Date.now,
		log,
	});
	const serversTree = new ServersTree({ hub, pool, configFile, habits, arrangement, approvals, modelLists });
	const loadedTree = new LoadedTree(hub, configFile, unloads);
	const runs = new ToolRuns({ pool, sandbox, confirmation });
	const contextPages = new ContextPages({ hub, configFile, unloads, habits, extensionUri });
	const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
	const resultFolder = storageFolder(context, 'results');
	const chatsFolder = storageFolder(context, 'chats');
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
			approvals,
			suggestions: habits,
			unloads,
			undo,
			resultFolder,
			chatsFolder,
			editorTools,
			icon,
		}),
		registerCommands({
			hub,
			pool,
			configFile,
			logs,
			keys,
			modelLists,
			secrets,
			unloads,
			undo,
			arrangement,
			approvals,
			approvalPrompt,
			heldTools,
			views: new Map<string, Pick<typeof loadedTree | typeof serversTree, 'selection'>>([
				[ids.serversView, serversTree],
				[ids.loadedView, loadedTree],
			]),
			contextPages,
			habits,
			runs,
			globalStorage,
			extensionUri,
		}),
		registerConfigEditors({
			hub,
			pool,
			configFile,
			keys,
			modelLists,
			secrets,
			onDidChangeSecrets: context.secrets.onDidChange,
			suggestions: habits,
		}),
		followImportable(configFile, globalStorage),
		sweepFolders({ results: resultFolder, chats: chatsFolder }),
		editorTools,
		pins,
		heldTools,
		noticeHeldTools(heldTools),
		followCatalog({ hub, pool, editorTools, pins }),
		followConfiguration({ hub, pool, configFile, editorTools, approvals, limits }),
		followLimits(),
		welcome,
		approvalPrompt,
		followLogLevel(log, configFile),
		followModels({
			models,
			keys,
			destinations,
			lists: modelLists,
			log,
			configFile,
			onDidChangeSecrets: context.secrets.onDidChange,
		}),
		indexAhead(hub),
	);
	await configFile.reload();
	context.subscriptions.push(
		rememberChat(hub, { memento: context.workspaceState, chatFolder: chatFolder(context) }),
	);
}

/** Ends every server; VS Code waits for it. */
export async function deactivate(): Promise<void> {
	await pool?.dispose();
	// Where it cannot be written, the log has said so; the window must close all the same.
	await pins?.flush().catch(() => {});
}

/** What the user has accepted of tools. */
function openPins(context: vscode.ExtensionContext, approvals: Approvals, log: Log): Promise<DefinitionPins> {
	// Kept with the folder, or without a workspace for all.
	const memento = context.storageUri ? context.workspaceState : context.globalState;
	return DefinitionPins.open({
		folder: storageFolder(context, 'pins'),
		clock: systemClock,
		limits: defaultPinLimits,
		hashOf: approvalHash,
		approved: () => approvals.launches,
		wasWritten: memento.get(pinsWrittenKey) === true,
		onWritten: () => {
			if (memento.get(pinsWrittenKey) !== true) void memento.update(pinsWrittenKey, true);
		},
		onWriteError: (error) => log.error(`accepted tools are not kept: ${error}`),
	});
}

async function createPool(
	context: vscode.ExtensionContext,
	limits: McpLimits,
	accepted: DefinitionPins,
): Promise<ServerPool> {
	const folder = storageFolder(context, 'catalog');
	const { version } = context.extension.packageJSON;
	return new ServerPool({
		reaperScript: context.asAbsolutePath('dist/reaper.js'),
		store: await CatalogStore.open(folder, limits, systemClock),
		limits,
		client: { name: 'mcp-discovery', version },
		toolCacheTtlSeconds: emptyConfig.toolCacheTtlSeconds,
		isHeld: (server, tool) => accepted.isHeld(server, tool),
	});
}

/** A folder of the workspace's own storage, which the editor keeps outside of it. */
function storageFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext, name: string): string {
	return vscode.Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}

/** Where the editor keeps the chats of a workspace: beside our storage of it. */
function chatFolder({ storageUri }: vscode.ExtensionContext): string | undefined {
	return storageUri && vscode.Uri.joinPath(storageUri, '../chatSessions').fsPath;
}

function createKeyStore(context: vscode.ExtensionContext, configFile: ConfigFile): KeyStore {
	return new KeyStore({
		secrets: context.secrets,
		agreements: context.globalState,
		environment: (name) => configFile.environmentValue(name),
		ask: (request, variable) => askToSend(request, variable, configFile),
		askForHeader: (request, variable) => askToSendHeader(request, variable, configFile),
		signIn: microsoftToken,
	});
}

function createDestinations(
	{ globalState }: vscode.ExtensionContext,
	keys: KeyStore,
	configFile: ConfigFile,
): Destinations {
	return new Destinations({
		keys,
		agreements: globalState,
		ask: (request) => askToTalk(request, configFile),
	});
}

function createHabitStore({ workspaceState }: vscode.ExtensionContext, hub: DiscoveryHub): HabitStore {
	const execute = (command: string, argument: unknown) => vscode.commands.executeCommand(command, argument);
	return new HabitStore({ hub, memento: workspaceState, execute, now: Date.now });
}

/** `LOG_LEVEL` beside the file or in the environment rules what the log shows. */
function followLogLevel(log: Log, configFile: ConfigFile): vscode.Disposable {
	return configFile.onDidChange((state) => {
		log.level = state.kind === 'ok' ? state.config.logLevel : undefined;
	});
}
