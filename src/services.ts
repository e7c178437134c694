import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { StorageFolders } from './chat/boundedFolder.ts';
import { KeptChats } from './chat/keptChats.ts';
import { ChatSessions } from './chat/sessions.ts';
import { systemClock } from './common/clock.ts';
import { loadOnce } from './common/loadOnce.ts';
import { emptyConfig } from './config/config.ts';
import { variableIn } from './config/secrets/dotenv.ts';
import { isDisabled } from './discovery/catalog/policy.ts';
import { AgentUses } from './gateway/agentUses.ts';
import type { AskUser } from './mcp/connection/questions.ts';
import type { McpLimits } from './mcp/limits.ts';
import { defaultAcceptanceLimits } from './mcp/limits.ts';
import { ServerPool } from './mcp/serverPool.ts';
import { SignIns } from './mcp/signIn/signIns.ts';
import type { EditorProxy } from './mcp/stdio/childEnvironment.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import type { RunAction } from './vscode/actions/action.ts';
import { ApprovalPrompt } from './vscode/core/approvalPrompt.ts';
import { Approvals } from './vscode/core/approvals.ts';
import type { ServerOfFile } from './vscode/core/configState.ts';
import { Configuration } from './vscode/core/configuration.ts';
import { DismissedWarnings } from './vscode/core/dismissedWarnings.ts';
import { EditorTools } from './vscode/core/editorTools.ts';
import type { Additions, KeyClient } from './vscode/core/keyRules.ts';
import { type AskedSecret, KeyStore, type SecretAnswer } from './vscode/core/keyStore.ts';
import { limitsSection, userLimits } from './vscode/core/limits.ts';
import { McpAccess } from './vscode/core/mcpAccess.ts';
import { ModelLists } from './vscode/core/modelLists.ts';
import { ModelProvider, type ModelRequestParts } from './vscode/core/modelProvider.ts';
import { offlinePlanner } from './vscode/core/offlinePlanner.ts';
import { Permissions } from './vscode/core/permissions.ts';
import { SecretVariables } from './vscode/core/secretVariables.ts';
import { ServerModels } from './vscode/core/serverModels.ts';
import { Switches } from './vscode/core/switches.ts';
import { UndoHistory } from './vscode/core/undo.ts';
import { ids, settings } from './vscode/ui/ids.ts';
import { Log, ServerLogs } from './vscode/ui/log.ts';
import { CallConfirmation } from './vscode/ui/toolCalls.ts';

/** What the first use needs of the application, which is loaded then. */
export interface LateParts extends ModelRequestParts {
	readonly askUser: AskUser;
	readonly keyDialogs: {
		askToSend(client: KeyClient, secret: AskedSecret, configFile: Configuration): Promise<SecretAnswer>;
		askForChat(client: KeyClient, added: Additions, configFile: Configuration): Promise<boolean>;
		microsoftToken(): Promise<string | undefined>;
	};
}

/** Names of other agents that the user has disconnected from this workspace. */
const disconnectedKey = 'gateway.disconnected';

/** State that outlives a command. A feature names the parts that it takes. */
export type Core = Awaited<ReturnType<typeof createCore>>;

/** Creates the state that features share. It is disposed with the extension. `app`: for what only a later use needs. `run`: runs actions. */
export async function createCore(
	context: vscode.ExtensionContext,
	app: () => Promise<LateParts>,
	run: RunAction,
) {
	const { extensionUri, globalState, globalStorageUri: globalStorage, workspaceState } = context;
	const register = <T extends { dispose(): unknown }>(service: T): T => {
		context.subscriptions.push(service);
		return service;
	};
	/** Network file systems may report no changes, so we also look when the window gets the focus. */
	const loadOnFocus = (file: { load(): unknown }) =>
		register(vscode.window.onDidChangeWindowState(({ focused }) => focused && file.load()));
	const log = new Log(register(vscode.window.createOutputChannel('Discovery', { log: true })));
	const learnedUse = loadOnce(async () => {
		const { UseStore } = await import('./vscode/core/useStore.ts');
		return new UseStore({ memento: workspaceState, isOn: learnsFromUse, now: Date.now });
	});
	const sessions = new ChatSessions(async () => (await learnedUse()).evidence);
	const secrets = register(new SecretVariables(context.secrets));
	const configFile = register(new Configuration({ log, secrets, userFolder: globalStorage }));
	// Register before the first await. VS Code asks a provider for its models only when something selects them, so we select them here:
	// otherwise the first chat message fails with "Language model unavailable".
	const models = register(
		new ModelProvider([offlinePlanner((name) => sessions.currentSurface.get(name)?.id ?? name)], app),
	);
	context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider(ids.vendor, models));
	void vscode.lm.selectChatModels({ vendor: ids.vendor });

	const client = { name: 'mcp-discovery', version: String(context.extension.packageJSON.version) };
	const launchOf = (server: string) => configFile.server(server)?.launch;
	const switches = new Switches(workspaceState);
	const mcpAccess = register(new McpAccess());
	const trustFolder = trustFolderOf(context);
	const usersFolder = path.join(globalStorage.fsPath, 'trust', 'user');
	// What is stored is checked with zod, which is too large for the start.
	const [{ openTrustFile }, { AcceptedDefinitions }, { CatalogStore }, { ExpansionStore }] =
		await Promise.all([
			import('./vscode/core/openTrustFile.ts'),
			import('./mcp/accepted/acceptedDefinitions.ts'),
			import('./mcp/listing/catalogStore.ts'),
			import('./vscode/core/expansionStore.ts'),
		]);
	const onProblem = (problem: unknown) => log.error(String(problem));
	const openTrust = (folder: string) =>
		openTrustFile(path.join(folder, 'approvals.json'), { clock: systemClock, onProblem });
	const [trusted, users] = await Promise.all([openTrust(trustFolder), openTrust(usersFolder)]);
	for (const file of [trusted, users]) {
		register(file);
		loadOnFocus(file);
	}
	const approvals = new Approvals(trusted, { users, launchOf, switches, mcpAccess });
	// Must subscribe first: later subscribers ask which servers are approved.
	let launches = configFile.inForce?.config.launches;
	register(
		configFile.onDidChange(() => {
			const { inForce } = configFile;
			if (launches && inForce) approvals.keep(launches, inForce.config.launches);
			launches = inForce?.config.launches ?? launches;
		}),
	);
	const limits = readLimits();
	const accepted = new AcceptedDefinitions({
		folder: trustFolder,
		clock: systemClock,
		limits: defaultAcceptanceLimits,
		hashOf: (launch, server) => approvals.hashOf(launch, server),
		approved: () => (approvals.isKnown ? approvals.launches : undefined),
		onProblem,
	});
	const store = register(await CatalogStore.open(storageFolder(context, 'catalog'), limits, systemClock));
	const signIns = register(
		new SignIns({
			secrets: context.secrets,
			// Shared by all windows of this machine, so that only one of them refreshes a token.
			folder: vscode.Uri.joinPath(globalStorage, 'signIn').fsPath,
			clock: systemClock,
		}),
	);
	const sandbox = register(new Sandbox(context.asAbsolutePath('dist/sandbox.js')));
	const pool = new ServerPool({
		signIns,
		reaperScript: context.asAbsolutePath('dist/reaper.js'),
		store,
		limits,
		client,
		toolCacheTtlSeconds: emptyConfig.toolCacheTtlSeconds,
		isQuarantined: (server, tool) => accepted.isQuarantined(server, tool),
		isDisabled: (server, name) => isDisabled({ server, name }, sessions.policy),
		editorProxy,
		ask: async (asked, signal) => (await app()).askUser(asked, signal),
	});
	const keys = new KeyStore({
		secrets: context.secrets,
		agreements: globalState,
		// Without stored secrets: they are for servers, and keys of providers have their own rules.
		environment: (name, { file }) =>
			variableIn(name, configFile.fileAt(file)?.knownScope ?? { env: process.env }),
		askForSecret: async (client, secret) => (await app()).keyDialogs.askToSend(client, secret, configFile),
		askForChat: async (client, added) => (await app()).keyDialogs.askForChat(client, added, configFile),
		signIn: async () => (await app()).keyDialogs.microsoftToken(),
	});
	const modelFolder = vscode.Uri.joinPath(globalStorage, 'models').fsPath;
	const expansions = register(
		new ExpansionStore({
			folder: vscode.Uri.joinPath(globalStorage, 'teaching').fsPath,
			now: Date.now,
			entryOf: (name) => entryId(name, configFile.server(name)),
		}),
	);
	// Many texts take a while to read. The catalog is rebuilt once they are loaded.
	setImmediate(() => void expansions.load());
	const permissions = new Permissions(trusted, approvals);
	const confirmation = new CallConfirmation({
		trustsHints: (server) => approvals.trustsHints(server),
		ruleFor: (tool, chat) => permissions.ruleFor(tool, chat),
		knowsRules: () => permissions.isKnown,
	});
	// Deletes what was learned if the setting was turned off while this workspace was closed.
	if (!learnsFromUse()) void learnedUse();
	register(
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration(`${settings.section}.${settings.learnFromUse}`))
				learnedUse().then(
					(store) => store.applySetting(),
					() => undefined,
				);
		}),
	);
	loadOnFocus(register(accepted));
	const folders: StorageFolders = {
		results: storageFolder(context, 'results'),
		chats: storageFolder(context, 'chats'),
		reads: storageFolder(context, 'reads'),
	};
	return {
		extensionUri,
		globalStorage,
		workspaceState,
		secretStorage: context.secrets,
		version: client.version,
		folders,
		keptChats: new KeptChats(folders.chats),
		log,
		configFile,
		secrets,
		keys,
		models,
		modelLists: register(new ModelLists({ folder: modelFolder, keys, now: Date.now, log })),
		pool,
		signIns,
		logs: register(new ServerLogs(pool, openServerLog)),
		serverModels: register(new ServerModels({ sessions, pool, approvals, permissions, configFile })),
		approvals,
		approvalPrompt: register(
			new ApprovalPrompt({
				approvals,
				configFile,
				switches,
				mcpAccess,
				review: () => run('reviewServers'),
			}),
		),
		switches,
		dismissed: register(new DismissedWarnings(workspaceState)),
		mcpAccess,
		accepted,
		permissions,
		confirmation,
		sessions,
		expansions,
		learnedUse,
		sandbox,
		agents: new AgentUses({
			get: () => workspaceState.get<readonly string[]>(disconnectedKey, []),
			set: (names) => void workspaceState.update(disconnectedKey, names),
		}),
		undo: new UndoHistory(),
		editorTools: register(new EditorTools()),
	};
}

/** Identifies the entry that defines a server, in all windows. VS Code's own tools have no entry, only their server's name. */
function entryId(name: string, server: ServerOfFile | undefined): string {
	return JSON.stringify(server ? [server.file.place.uri.toString(), server.key] : [name]);
}

/** Whether search may learn from chats. Only `true` counts as consent. */
function learnsFromUse(): boolean {
	return vscode.workspace.getConfiguration(settings.section).get(settings.learnFromUse) === true;
}

/** VS Code's proxy settings. A workspace cannot set them. */
function editorProxy(): EditorProxy {
	const settings = vscode.workspace.getConfiguration('http');
	return { proxy: settings.get('proxy') || '', noProxy: settings.get('noProxy') || [] };
}

/** The limits from the user's settings, which a workspace cannot change. */
function readLimits(): McpLimits {
	const configuration = vscode.workspace.getConfiguration(limitsSection);
	return userLimits((name) => configuration.get(name));
}

function openServerLog(server: string): vscode.LogOutputChannel {
	return vscode.window.createOutputChannel(l10n.t('Discovery: {0}', server), { log: true });
}

/**
 * A folder that all windows on a workspace share. VS Code gives the first window the storage folder `ID`, and a second window on the same
 * workspace `ID-1`.
 */
function trustFolderOf({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
	const storageName = storageUri && path.basename(path.dirname(storageUri.fsPath));
	const id = storageName?.replace(/(?<=.)-\d+$/, '') ?? 'none';
	return path.join(globalStorageUri.fsPath, 'trust', id);
}

/** A folder in the workspace's storage, which VS Code keeps outside the workspace. */
function storageFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext, name: string): string {
	return vscode.Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}
