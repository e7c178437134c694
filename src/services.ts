import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { App } from './app.ts';
import { KeptChats } from './chat/keptChats.ts';
import { ChatSessions } from './chat/sessions.ts';
import { systemClock } from './common/clock.ts';
import { loadOnce } from './common/loadOnce.ts';
import { emptyConfig } from './config/config.ts';
import { ConfigReader } from './config/configReader.ts';
import { isDisabled } from './discovery/catalog/policy.ts';
import { AcceptedDefinitions } from './mcp/accepted/acceptedDefinitions.ts';
import { approvalHash } from './mcp/accepted/launchFacts.ts';
import { defaultAcceptanceLimits } from './mcp/limits.ts';
import { CatalogStore } from './mcp/listing/catalogStore.ts';
import { ServerPool } from './mcp/serverPool.ts';
import { SignIns } from './mcp/signIn/signIns.ts';
import type { EditorProxy } from './mcp/stdio/childEnvironment.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { EditorTools } from './vscode/agentMode/editorTools.ts';
import { Configuration } from './vscode/config/configuration.ts';
import { readLimits } from './vscode/config/registerConfiguration.ts';
import { HabitStore } from './vscode/habits/habitStore.ts';
import type { UseStore } from './vscode/habits/useStore.ts';
import { ModelLists } from './vscode/models/modelLists.ts';
import { ModelProvider } from './vscode/models/modelProvider.ts';
import { offlinePlanner } from './vscode/models/offlinePlanner.ts';
import { Welcome } from './vscode/participant/welcome.ts';
import { Switches } from './vscode/placement/switches.ts';
import { UndoHistory } from './vscode/placement/undo.ts';
import type { ShownRun } from './vscode/run/result.ts';
import { ChatConsents } from './vscode/secrets/chatConsents.ts';
import { KeyStore } from './vscode/secrets/keyStore.ts';
import { SecretVariables } from './vscode/secrets/secretVariables.ts';
import { ExpansionStore, TeachingOffers } from './vscode/teaching/expansionStore.ts';
import { TreeOptions } from './vscode/trees/treeOptions.ts';
import { ApprovalPrompt } from './vscode/trust/approvalPrompt.ts';
import { Approvals } from './vscode/trust/approvals.ts';
import { McpAccess } from './vscode/trust/mcpAccess.ts';
import { Permissions } from './vscode/trust/permissions.ts';
import { QuarantinedTools } from './vscode/trust/quarantinedTools.ts';
import { SharedMemento } from './vscode/trust/sharedMemento.ts';
import { commands, ids, settings } from './vscode/ui/ids.ts';
import { Log, ServerLogs } from './vscode/ui/log.ts';
import { ReadingDocuments } from './vscode/ui/readingEditor.ts';
import { ServerModels } from './vscode/ui/serverModels.ts';
import { CallConfirmation } from './vscode/ui/toolCalls.ts';

/** Where things are kept. */
interface Places {
	/** Where the extension itself is. */
	readonly extensionUri: vscode.Uri;
	/** Where VS Code keeps what the extension stores for all workspaces. */
	readonly globalStorage: vscode.Uri;
	/** Paths in the workspace's own storage: of large results, and of what models know of chats. */
	readonly folders: { readonly results: string; readonly chats: string };
}

/** What only this user may read. */
interface Keyring {
	/** Secrets that servers read as variables. */
	readonly secrets: SecretVariables;
	/** Keys of providers of models. */
	readonly keys: KeyStore;
	/** Which addresses the user lets chats go to. */
	readonly consents: ChatConsents;
}

interface LanguageModels {
	readonly models: ModelProvider;
	readonly modelLists: ModelLists;
}

/** What there is of servers beside the pool. */
interface Servers {
	/** What the user is signed in to. */
	readonly signIns: SignIns;
	readonly logs: ServerLogs;
}

/** What the user has decided about servers and their tools. */
interface Trust {
	/** Which servers the user has approved. */
	readonly approvals: Approvals;
	readonly approvalPrompt: ApprovalPrompt;
	/** What the user has disabled in this workspace. */
	readonly switches: Switches;
	/** Which servers VS Code's own settings let start. */
	readonly mcpAccess: McpAccess;
	/** The definitions of tools that the user has accepted, and the tools that wait for that. */
	readonly accepted: AcceptedDefinitions;
	readonly quarantined: QuarantinedTools;
	/** Which calls the user lets run without a question, and which never. */
	readonly permissions: Permissions;
	readonly confirmation: CallConfirmation;
}

/** What is learned, for suggestions and for search. */
interface Learning {
	readonly habits: HabitStore;
	/** What language models have written of tools, for the search. */
	readonly expansions: ExpansionStore;
	/** Which tools the user has been asked whether search is to learn of them. */
	readonly teachingOffers: TeachingOffers;
	/** What search has learned from chats. */
	readonly learnedUse: () => Promise<UseStore>;
}

/** Editors that can only be read. The editor restores their tabs, so each kind is registered at once. */
interface Documents {
	/** Reports on search. */
	readonly reports: ReadingDocuments<undefined>;
	/** What servers have to read. */
	readonly resources: ReadingDocuments<string>;
	/** Results of tools that were run by hand, and calls of chats. */
	readonly results: ReadingDocuments<ShownRun>;
}

/** What is on the screen. */
interface Ui {
	readonly treeOptions: TreeOptions;
	readonly documents: Documents;
	/** The editor's own tools. */
	readonly editorTools: EditorTools;
	readonly welcome: Welcome;
}

/** What the features share. Each takes the part of it that it needs, as `Pick<Services, …>`, and so needs to know no other feature. */
export interface Services {
	/** The second stage, loaded with its first use. */
	readonly app: () => Promise<App>;
	readonly places: Places;
	readonly log: Log;
	/** All files of the configuration, as one. */
	readonly configFile: Configuration;
	readonly keyring: Keyring;
	readonly languageModels: LanguageModels;
	readonly pool: ServerPool;
	readonly servers: Servers;
	readonly serverModels: ServerModels;
	readonly trust: Trust;
	/** The chats of the window, with the catalog of tools that all of them search. */
	readonly sessions: ChatSessions;
	readonly keptChats: KeptChats;
	readonly learning: Learning;
	readonly sandbox: Sandbox;
	readonly undo: UndoHistory;
	readonly ui: Ui;
}

/** Makes what the features share; it is disposed of with the extension. */
export async function createServices(context: vscode.ExtensionContext): Promise<Services> {
	const { extensionUri, globalState, globalStorageUri: globalStorage, workspaceState } = context;
	const own = <T extends { dispose(): unknown }>(service: T): T => {
		context.subscriptions.push(service);
		return service;
	};
	const log = new Log(own(vscode.window.createOutputChannel('Discovery', { log: true })));
	const app = loadOnce(async () => {
		const { createApp } = await import('./app.ts');
		return own(createApp(services));
	});
	const learnedUse = loadOnce(async () => {
		const { UseStore } = await import('./vscode/habits/useStore.ts');
		return new UseStore({ memento: workspaceState, isOn: learnsFromUse, now: Date.now });
	});
	const sessions = new ChatSessions(async () => (await learnedUse()).evidence);
	const secrets = own(new SecretVariables({ secrets: context.secrets, names: globalState }));
	const reader = new ConfigReader();
	const configFile = own(new Configuration({ log, secrets, reader, userFolder: globalStorage }));
	// Registered before anything is awaited. The editor asks a provider for its models only when somebody selects them, so we do: else the
	// first message would find none.
	let pool: ServerPool | undefined;
	const models = own(new ModelProvider([offlinePlanner({ configFile, sessions, pool: () => pool })], app));
	context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider(ids.vendor, models));
	void vscode.lm.selectChatModels({ vendor: ids.vendor });

	const launchOf = (server: string) => configFile.launchOf(server);
	const switches = new Switches(workspaceState);
	const mcpAccess = own(new McpAccess());
	const trustFolder = trustFolderOf(context);
	const trusted = own(new SharedMemento(path.join(trustFolder, 'approvals.json')));
	const users = own(new SharedMemento(path.join(globalStorage.fsPath, 'trust', 'user', 'approvals.json')));
	const approvals = new Approvals(trusted, { users, launchOf, switches, mcpAccess });
	for (const memento of [trusted, users]) {
		own(memento.onDidChange(() => approvals.lookAgain()));
		// Not every file system tells of its changes.
		own(vscode.window.onDidChangeWindowState(({ focused }) => focused && memento.lookAgain()));
	}
	const limits = readLimits();
	const accepted = openAccepted(trustFolder, { approvals, trusted, log });
	const store = await CatalogStore.open(storageFolder(context, 'catalog'), limits, systemClock);
	const signIns = own(
		new SignIns({
			secrets: context.secrets,
			// Of all windows of this machine: whose turn it is to renew a token.
			folder: vscode.Uri.joinPath(globalStorage, 'signIn').fsPath,
			clock: systemClock,
		}),
	);
	const sandbox = own(new Sandbox(context.asAbsolutePath('dist/sandbox.js')));
	pool = new ServerPool({
		signIns,
		reaperScript: context.asAbsolutePath('dist/reaper.js'),
		store,
		limits,
		client: { name: 'mcp-discovery', version: context.extension.packageJSON.version },
		toolCacheTtlSeconds: emptyConfig.toolCacheTtlSeconds,
		isHeld: (server, tool) => accepted.isHeld(server, tool),
		isDisabled: (server, name) => isDisabled({ server, name }, sessions.policy),
		editorProxy,
		ask: async (asked, signal) => (await app()).askUser(asked, signal),
	});
	const keys = new KeyStore({
		secrets: context.secrets,
		agreements: globalState,
		environment: (name, client) => configFile.environmentValue(name, client),
		ask: async (request, variable) => (await app()).keyDialogs.askToSendKey(request, variable, configFile),
		askForHeader: async (request, variable) =>
			(await app()).keyDialogs.askToSendHeader(request, variable, configFile),
		signIn: async () => (await app()).keyDialogs.microsoftToken(),
	});
	const consents = new ChatConsents({
		keys,
		agreements: globalState,
		ask: async (request) => (await app()).keyDialogs.askConsent(request, configFile),
	});
	const modelFolder = vscode.Uri.joinPath(globalStorage, 'models').fsPath;
	const habits = new HabitStore({
		sessions,
		memento: workspaceState,
		learn: async (chats) => (await learnedUse()).learn(chats),
		take: ({ kind, server, tool }) =>
			vscode.commands.executeCommand(kind === 'pin' ? commands.pinServer : commands.deferServer, {
				server,
				...(tool !== undefined && { tool }),
			}),
		now: Date.now,
	});
	const expansions = new ExpansionStore(vscode.Uri.joinPath(globalStorage, 'teaching').fsPath, Date.now);
	// Nothing waits for it: the catalog is made anew where there is any.
	void expansions.load();
	const permissions = new Permissions({
		memento: workspaceState,
		launchOf: (server) => approvals.launchOf(server),
		isApproved: (server, launch) =>
			approvals.launches.some(([name, hash]) => name === server && hash === launch),
	});
	const confirmation = new CallConfirmation(
		(server) => approvals.trustsHints(server),
		(tool, chat) => permissions.ruleFor(tool, chat),
	);
	// What was kept goes, if it was turned off while this workspace was not open.
	if (!learnsFromUse()) void learnedUse();
	own(
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration(`${settings.section}.${settings.learnFromUse}`))
				learnedUse().then(
					(store) => store.heedSetting(),
					() => undefined,
				);
		}),
	);
	const undo = new UndoHistory(sessions);
	const welcome = own(new Welcome({ configFile, log, storage: globalStorage.fsPath }));
	const trust: Trust = {
		approvals,
		approvalPrompt: own(new ApprovalPrompt({ approvals, configFile, switches, mcpAccess, welcome })),
		switches,
		mcpAccess,
		accepted: own(accepted),
		quarantined: own(new QuarantinedTools(accepted)),
		permissions,
		confirmation,
	};
	const learning: Learning = {
		habits: own(habits),
		expansions,
		teachingOffers: new TeachingOffers(workspaceState),
		learnedUse,
	};
	const places: Places = {
		extensionUri,
		globalStorage,
		folders: { results: storageFolder(context, 'results'), chats: storageFolder(context, 'chats') },
	};
	const services: Services = {
		app,
		places,
		log,
		configFile,
		keyring: { secrets, keys, consents },
		languageModels: {
			models,
			modelLists: own(new ModelLists({ folder: modelFolder, keys, consents, now: Date.now, log })),
		},
		pool,
		servers: {
			signIns,
			logs: own(new ServerLogs(pool, openServerLog)),
		},
		serverModels: own(new ServerModels({ sessions, pool, learning, trust, configFile })),
		trust,
		sessions,
		keptChats: new KeptChats(places.folders.chats),
		learning,
		sandbox,
		undo,
		ui: {
			treeOptions: own(new TreeOptions(workspaceState)),
			documents: readingDocuments(own),
			editorTools: own(new EditorTools()),
			welcome,
		},
	};
	return services;
}

/** Whether search may learn from what chats call. A value that is no boolean is no yes. */
function learnsFromUse(): boolean {
	return vscode.workspace.getConfiguration(settings.section).get(settings.learnFromUse) === true;
}

/** VS Code's settings of its proxy; a workspace cannot set them. */
function editorProxy(): EditorProxy {
	const settings = vscode.workspace.getConfiguration('http');
	return { proxy: settings.get('proxy') || '', noProxy: settings.get('noProxy') || [] };
}

function readingDocuments(own: <T extends { dispose(): unknown }>(service: T) => T): Documents {
	return {
		reports: own(
			new ReadingDocuments(ids.evaluationScheme, () =>
				l10n.t('Reports are kept until their window is closed. Run “Discovery: Evaluate Search…” again.'),
			),
		),
		resources: own(
			new ReadingDocuments(ids.resourceScheme, () =>
				l10n.t('Resources are kept until their window is closed. Run “Discovery: Browse Resources…” again.'),
			),
		),
		results: own(
			new ReadingDocuments(ids.resultScheme, () => l10n.t('Results are kept until their window is closed.')),
		),
	};
}

function openServerLog(server: string): vscode.LogOutputChannel {
	return vscode.window.createOutputChannel(l10n.t('Discovery: {0}', server), { log: true });
}

/** Files of accepted tools that were written. */
const acceptedFilesKey = 'acceptedFiles';

/** What the user has accepted of tools; `trusted`: kept beside it. */
function openAccepted(
	folder: string,
	{
		approvals,
		trusted,
		log,
	}: Pick<Services, 'log'> & {
		readonly approvals: Approvals;
		readonly trusted: SharedMemento;
	},
): AcceptedDefinitions {
	const onWriteError = (error: unknown) => log.error(`accepted tools are not kept: ${error}`);
	return new AcceptedDefinitions({
		folder,
		clock: systemClock,
		limits: defaultAcceptanceLimits,
		hashOf: approvalHash,
		approved: () => approvals.launches,
		written: {
			get: () => trusted.get(acceptedFilesKey, []),
			set: (files) => void trusted.update(acceptedFilesKey, files).catch(onWriteError),
		},
		onWriteError,
	});
}

/**
 * A folder for what all windows on a workspace share. While one window has the workspace's own storage folder, `ID`, the editor gives the
 * next one `ID-1`.
 */
function trustFolderOf({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
	const own = storageUri && path.basename(path.dirname(storageUri.fsPath));
	const id = own?.replace(/(?<=.)-\d+$/, '') ?? 'none';
	return path.join(globalStorageUri.fsPath, 'trust', id);
}

/** A folder of the workspace's own storage, which the editor keeps outside of it. */
function storageFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext, name: string): string {
	return vscode.Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}
