import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { argumentCheck } from './chat/argumentCheck.ts';
import { ChatSessions } from './chat/sessions.ts';
import { systemClock } from './common/clock.ts';
import { emptyConfig } from './config/config.ts';
import { ConfigReader } from './config/configReader.ts';
import { AcceptedDefinitions } from './mcp/accepted/acceptedDefinitions.ts';
import { defaultAcceptanceLimits } from './mcp/accepted/acceptedFile.ts';
import { approvalHash } from './mcp/accepted/launchFacts.ts';
import type { McpLimits } from './mcp/limits.ts';
import { CatalogStore } from './mcp/listing/catalogStore.ts';
import { ServerPool } from './mcp/serverPool.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { EditorTools } from './vscode/agentMode/editorTools.ts';
import { registerOtherChatTools } from './vscode/agentMode/otherChatTools.ts';
import { registerCatalogUpdates, registerIndexAhead } from './vscode/catalogUpdates.ts';
import { registerCommands } from './vscode/commands/registerCommands.ts';
import { registerConfigEditors } from './vscode/config/configEditors.ts';
import { ConfigFile } from './vscode/config/configFile.ts';
import { registerDiagnostics } from './vscode/config/diagnostics.ts';
import { readLimits, registerConfiguration, registerLimits } from './vscode/config/registerConfiguration.ts';
import { ContextPages } from './vscode/context/contextPages.ts';
import { HabitStore } from './vscode/habits/habitStore.ts';
import { registerImportable } from './vscode/import/importable.ts';
import { ModelLists } from './vscode/models/modelLists.ts';
import { ModelProvider, registerModels } from './vscode/models/modelProvider.ts';
import { offlinePlanner } from './vscode/models/offlinePlanner.ts';
import { registerChatMemory } from './vscode/participant/chatMemory.ts';
import { McpCallTool } from './vscode/participant/mcpCallTool.ts';
import { Participant, registerFolderSweep } from './vscode/participant/participant.ts';
import { Welcome } from './vscode/participant/welcome.ts';
import { UndoStack, UnloadHistory } from './vscode/placement/undo.ts';
import { HandRuns } from './vscode/run/handRuns.ts';
import { ChatConsents } from './vscode/secrets/chatConsents.ts';
import { askConsent, askToSendHeader, askToSendKey, microsoftToken } from './vscode/secrets/keyDialogs.ts';
import { KeyStore } from './vscode/secrets/keyStore.ts';
import { SecretVariables } from './vscode/secrets/secretVariables.ts';
import { LoadedTree } from './vscode/trees/loadedTree.ts';
import { ServersTree } from './vscode/trees/serversTree.ts';
import { TreeOptions } from './vscode/trees/treeOptions.ts';
import { ApprovalPrompt } from './vscode/trust/approvalPrompt.ts';
import { Approvals } from './vscode/trust/approvals.ts';
import { QuarantinedTools, registerQuarantineNotices } from './vscode/trust/quarantinedTools.ts';
import { ids } from './vscode/ui/ids.ts';
import { Log } from './vscode/ui/log.ts';
import { ServerLogs } from './vscode/ui/serverLogs.ts';
import { StatusBar } from './vscode/ui/statusBar.ts';
import { CallConfirmation } from './vscode/ui/toolCalls.ts';

let pool: ServerPool | undefined;
let pins: AcceptedDefinitions | undefined;
/** Whether accepted tools were ever written. */
const pinsWrittenKey = 'pinsWritten';

/** Makes the parts and joins them. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
	// Words that know nothing of the editor are translated, too.
	if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
	const channel = vscode.window.createOutputChannel('Discovery', { log: true });
	const log = new Log(channel);
	const hub = new ChatSessions();
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
	const heldTools = new QuarantinedTools(pins);
	const logs = new ServerLogs(pool);
	const sandbox = new Sandbox(context.asAbsolutePath('dist/sandbox.js'));
	const check = argumentCheck(sandbox);
	const welcome = new Welcome({ configFile, log, storage: context.globalStorageUri.fsPath });
	const approvalPrompt = new ApprovalPrompt({ approvals, configFile, welcome });
	const confirmation = new CallConfirmation((server) => approvals.trustsHints(server));
	const callParts = { hub, pool, confirmation, check };
	const callTools = {
		any: new McpCallTool('any', callParts),
		reading: new McpCallTool('reading', callParts),
		confirmation,
	};
	const editorTools = new EditorTools();
	const unloads = new UnloadHistory();
	const undo = new UndoStack();
	const arrangement = new TreeOptions(context.workspaceState);
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
	const runs = new HandRuns({ pool, sandbox, confirmation });
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
		registerOtherChatTools(hub, pool),
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
		registerImportable(configFile, globalStorage),
		registerFolderSweep({ results: resultFolder, chats: chatsFolder }),
		editorTools,
		pins,
		heldTools,
		registerQuarantineNotices(heldTools),
		registerCatalogUpdates({ hub, pool, editorTools, pins }),
		registerConfiguration({ hub, pool, configFile, editorTools, approvals, limits }),
		registerLimits(),
		welcome,
		approvalPrompt,
		followLogLevel(log, configFile),
		registerModels({
			models,
			keys,
			destinations,
			lists: modelLists,
			log,
			configFile,
			onDidChangeSecrets: context.secrets.onDidChange,
		}),
		registerIndexAhead(hub),
	);
	await configFile.reload();
	context.subscriptions.push(
		registerChatMemory(hub, { memento: context.workspaceState, chatFolder: chatFolder(context) }),
	);
}

/** Ends every server; VS Code waits for it. */
export async function deactivate(): Promise<void> {
	await pool?.dispose();
	// Where it cannot be written, the log has said so; the window must close all the same.
	await pins?.flush().catch(() => {});
}

/** What the user has accepted of tools. */
function openPins(
	context: vscode.ExtensionContext,
	approvals: Approvals,
	log: Log,
): Promise<AcceptedDefinitions> {
	// Kept with the folder, or without a workspace for all.
	const memento = context.storageUri ? context.workspaceState : context.globalState;
	return AcceptedDefinitions.open({
		folder: storageFolder(context, 'pins'),
		clock: systemClock,
		limits: defaultAcceptanceLimits,
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
	accepted: AcceptedDefinitions,
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
		ask: (request, variable) => askToSendKey(request, variable, configFile),
		askForHeader: (request, variable) => askToSendHeader(request, variable, configFile),
		signIn: microsoftToken,
	});
}

function createDestinations(
	{ globalState }: vscode.ExtensionContext,
	keys: KeyStore,
	configFile: ConfigFile,
): ChatConsents {
	return new ChatConsents({
		keys,
		agreements: globalState,
		ask: (request) => askConsent(request, configFile),
	});
}

function createHabitStore({ workspaceState }: vscode.ExtensionContext, hub: ChatSessions): HabitStore {
	const execute = (command: string, argument: unknown) => vscode.commands.executeCommand(command, argument);
	return new HabitStore({ hub, memento: workspaceState, execute, now: Date.now });
}

/** `LOG_LEVEL` beside the file or in the environment rules what the log shows. */
function followLogLevel(log: Log, configFile: ConfigFile): vscode.Disposable {
	return configFile.onDidChange((state) => {
		log.level = state.kind === 'ok' ? state.config.logLevel : undefined;
	});
}
