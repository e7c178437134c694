import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { App } from './app.ts';
import { KeptChats } from './chat/keptChats.ts';
import { ChatSessions } from './chat/sessions.ts';
import { systemClock } from './common/clock.ts';
import { loadOnce } from './common/loadOnce.ts';
import { emptyConfig } from './config/config.ts';
import { variableIn } from './config/secrets/dotenv.ts';
import { isDisabled } from './discovery/catalog/policy.ts';
import type { AcceptedDefinitions, AcceptedDefinitionsOptions } from './mcp/accepted/acceptedDefinitions.ts';
import { approvalHash } from './mcp/accepted/launchFacts.ts';
import { defaultAcceptanceLimits } from './mcp/limits.ts';
import { ServerPool } from './mcp/serverPool.ts';
import { SignIns } from './mcp/signIn/signIns.ts';
import type { EditorProxy } from './mcp/stdio/childEnvironment.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { EditorTools } from './vscode/agentMode/editorTools.ts';
import type { ServerOfFile } from './vscode/config/configState.ts';
import { Configuration } from './vscode/config/configuration.ts';
import { readLimits } from './vscode/config/registerConfiguration.ts';
import { ModelLists } from './vscode/models/modelLists.ts';
import { ModelProvider } from './vscode/models/modelProvider.ts';
import { offlinePlanner } from './vscode/models/offlinePlanner.ts';
import { Switches } from './vscode/placement/switches.ts';
import { UndoHistory } from './vscode/placement/undo.ts';
import type { ShownRun } from './vscode/run/result.ts';
import { KeyStore } from './vscode/secrets/keyStore.ts';
import { SecretVariables } from './vscode/secrets/secretVariables.ts';
import type { ExpansionStore } from './vscode/teaching/expansionStore.ts';
import { learnFromChats } from './vscode/teaching/learnFromChats.ts';
import type { UseStore } from './vscode/teaching/useStore.ts';
import { ApprovalPrompt } from './vscode/trust/approvalPrompt.ts';
import { Approvals } from './vscode/trust/approvals.ts';
import { McpAccess } from './vscode/trust/mcpAccess.ts';
import { Permissions } from './vscode/trust/permissions.ts';
import { QuarantinedTools } from './vscode/trust/quarantinedTools.ts';
import type { TrustFile } from './vscode/trust/trustState.ts';
import { ids, settings } from './vscode/ui/ids.ts';
import { Log, ServerLogs } from './vscode/ui/log.ts';
import { ReadingDocuments } from './vscode/ui/readingEditor.ts';
import { ServerModels } from './vscode/ui/serverModels.ts';
import { CallConfirmation } from './vscode/ui/toolCalls.ts';

/** Where the extension reads and stores files. */
interface Storage {
	/** The installed extension. */
	readonly extensionUri: vscode.Uri;
	/** VS Code's folder for what the extension stores across workspaces. */
	readonly globalStorage: vscode.Uri;
	/** Folders in the workspace's storage: large results, the logs of chats, and what chats have read. */
	readonly folders: { readonly results: string; readonly chats: string; readonly reads: string };
	/** The logs of chats, for a reload of the window. */
	readonly keptChats: KeptChats;
}

/** Secrets, and who may get them. */
interface Keyring {
	/** Secrets that a configuration refers to as variables. */
	readonly secrets: SecretVariables;
	/** API keys of model providers, and the addresses that the user has agreed to send chats to. */
	readonly keys: KeyStore;
}

interface LanguageModels {
	readonly models: ModelProvider;
	readonly modelLists: ModelLists;
}

/** Everything about servers except their connections, which the pool owns. */
interface Servers {
	/** The servers that the user has signed in to. */
	readonly signIns: SignIns;
	readonly logs: ServerLogs;
}

/** The user's decisions about servers and their tools. */
interface Trust {
	/** The servers that the user has approved. */
	readonly approvals: Approvals;
	readonly approvalPrompt: ApprovalPrompt;
	/** Servers and tools that the user has disabled in this workspace. */
	readonly switches: Switches;
	/** VS Code's own policy on which MCP servers may start. */
	readonly mcpAccess: McpAccess;
	/** The tool definitions that the user has accepted. */
	readonly accepted: AcceptedDefinitions;
	/** Changed tools, until the user accepts them. */
	readonly quarantined: QuarantinedTools;
	/** Calls that are always allowed, or never. */
	readonly permissions: Permissions;
	readonly confirmation: CallConfirmation;
}

/** What search learns. */
interface Learning {
	/** Descriptions of tools that a language model wrote for search. */
	readonly expansions: ExpansionStore;
	/** What search has learned from chats. */
	readonly learnedUse: () => Promise<UseStore>;
}

/** Read-only editors. VS Code restores their tabs, so every kind is registered at activation. */
interface Documents {
	/** Resources of servers. */
	readonly resources: ReadingDocuments<string>;
	/** Results of Run Tool, and calls made in chats. */
	readonly results: ReadingDocuments<ShownRun>;
}

interface Ui {
	readonly documents: Documents;
	/** The tools that VS Code and other extensions contribute. */
	readonly editorTools: EditorTools;
}

/** What features share. A feature takes the part that it needs, as `Pick<Services, …>`, and imports no other feature. */
export interface Services {
	/** The application: everything that a start does not need, loaded on first use. */
	readonly app: () => Promise<App>;
	readonly storage: Storage;
	readonly log: Log;
	/** All configuration files, merged. */
	readonly configFile: Configuration;
	readonly keyring: Keyring;
	readonly languageModels: LanguageModels;
	readonly pool: ServerPool;
	readonly servers: Servers;
	readonly serverModels: ServerModels;
	readonly trust: Trust;
	/** The chats of this window, and the catalog that they search. */
	readonly sessions: ChatSessions;
	readonly learning: Learning;
	readonly sandbox: Sandbox;
	readonly undo: UndoHistory;
	readonly ui: Ui;
}

/** Creates the shared services. They are disposed with the extension. */
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
		const { UseStore } = await import('./vscode/teaching/useStore.ts');
		return new UseStore({ memento: workspaceState, isOn: learnsFromUse, now: Date.now });
	});
	const sessions = new ChatSessions(async () => (await learnedUse()).evidence);
	const secrets = own(new SecretVariables(context.secrets));
	const configFile = own(new Configuration({ log, secrets, userFolder: globalStorage }));
	// Register before the first await. VS Code asks a provider for its models only when something selects them, so we select them here:
	// otherwise the first chat message fails with "Language model unavailable".
	const models = own(new ModelProvider([offlinePlanner()], app));
	context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider(ids.vendor, models));
	void vscode.lm.selectChatModels({ vendor: ids.vendor });

	const launchOf = (server: string) => configFile.server(server)?.launch;
	const switches = new Switches(workspaceState);
	const mcpAccess = own(new McpAccess());
	const trustFolder = trustFolderOf(context);
	const usersFolder = path.join(globalStorage.fsPath, 'trust', 'user');
	// What is stored is checked with zod, which is too large for the start.
	const [{ openTrustFile }, { AcceptedDefinitions }, { CatalogStore }, { ExpansionStore }] =
		await Promise.all([
			import('./vscode/trust/openTrustFile.ts'),
			import('./mcp/accepted/acceptedDefinitions.ts'),
			import('./mcp/listing/catalogStore.ts'),
			import('./vscode/teaching/expansionStore.ts'),
		]);
	const onProblem = (problem: unknown) => log.error(String(problem));
	const openTrust = (folder: string) =>
		openTrustFile(path.join(folder, 'approvals.json'), { clock: systemClock, onProblem });
	const [trusted, users] = await Promise.all([openTrust(trustFolder), openTrust(usersFolder)]);
	for (const file of [trusted, users]) {
		own(file);
		// Network file systems may report no changes, so we also check when the window gets the focus.
		own(vscode.window.onDidChangeWindowState(({ focused }) => focused && file.load()));
	}
	const approvals = new Approvals(trusted, { users, launchOf, switches, mcpAccess });
	const limits = readLimits();
	const accepted = new AcceptedDefinitions({
		folder: trustFolder,
		clock: systemClock,
		limits: defaultAcceptanceLimits,
		hashOf: approvalHash,
		approved: () => (approvals.isKnown ? approvals.launches : undefined),
		written: acceptedFiles(trusted),
		onProblem,
	});
	const store = own(await CatalogStore.open(storageFolder(context, 'catalog'), limits, systemClock));
	const signIns = own(
		new SignIns({
			secrets: context.secrets,
			// Shared by all windows of this machine, so that only one of them refreshes a token.
			folder: vscode.Uri.joinPath(globalStorage, 'signIn').fsPath,
			clock: systemClock,
		}),
	);
	const sandbox = own(new Sandbox(context.asAbsolutePath('dist/sandbox.js')));
	const pool = new ServerPool({
		signIns,
		reaperScript: context.asAbsolutePath('dist/reaper.js'),
		store,
		limits,
		client: { name: 'mcp-discovery', version: context.extension.packageJSON.version },
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
	const expansions = own(
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
	own(learnFromChats(sessions, async (chats) => (await learnedUse()).learn(chats)));
	// Deletes what was learned if the setting was turned off while this workspace was closed.
	if (!learnsFromUse()) void learnedUse();
	own(
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration(`${settings.section}.${settings.learnFromUse}`))
				learnedUse().then(
					(store) => store.applySetting(),
					() => undefined,
				);
		}),
	);
	const trust: Trust = {
		approvals,
		approvalPrompt: own(new ApprovalPrompt({ approvals, configFile, switches, mcpAccess })),
		switches,
		mcpAccess,
		accepted: own(accepted),
		quarantined: own(new QuarantinedTools(accepted)),
		permissions,
		confirmation,
	};
	const learning: Learning = {
		expansions,
		learnedUse,
	};
	const folders = {
		results: storageFolder(context, 'results'),
		chats: storageFolder(context, 'chats'),
		reads: storageFolder(context, 'reads'),
	};
	const services: Services = {
		app,
		storage: { extensionUri, globalStorage, folders, keptChats: new KeptChats(folders.chats) },
		log,
		configFile,
		keyring: { secrets, keys },
		languageModels: {
			models,
			modelLists: own(new ModelLists({ folder: modelFolder, keys, now: Date.now, log })),
		},
		pool,
		servers: {
			signIns,
			logs: own(new ServerLogs(pool, openServerLog)),
		},
		serverModels: own(new ServerModels({ sessions, pool, trust, configFile })),
		trust,
		sessions,
		learning,
		sandbox,
		undo: new UndoHistory(),
		ui: {
			documents: readingDocuments(own),
			editorTools: own(new EditorTools()),
		},
	};
	return services;
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

function readingDocuments(own: <T extends { dispose(): unknown }>(service: T) => T): Documents {
	return {
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

/** Remembers which files of accepted definitions were written, so that a deleted one is noticed. */
function acceptedFiles(trusted: TrustFile): NonNullable<AcceptedDefinitionsOptions['written']> {
	const has = (file: string) => !trusted.isKnown || trusted.value.acceptedFiles.includes(file);
	const change = (changed: (files: readonly string[]) => readonly string[]) =>
		// A failure is in the log, and repaired by the next change.
		trusted
			.update((state) => ({ ...state, acceptedFiles: changed(state.acceptedFiles) }))
			.catch(() => undefined);
	return {
		has,
		add(added) {
			if (!added.every(has)) void change((files) => [...new Set([...files, ...added])]);
		},
		remove(removed) {
			void change((files) => files.filter((file) => !removed.includes(file)));
		},
	};
}

/**
 * A folder that all windows on a workspace share. VS Code gives the first window the storage folder `ID`, and a second window on the same
 * workspace `ID-1`.
 */
function trustFolderOf({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
	const own = storageUri && path.basename(path.dirname(storageUri.fsPath));
	const id = own?.replace(/(?<=.)-\d+$/, '') ?? 'none';
	return path.join(globalStorageUri.fsPath, 'trust', id);
}

/** A folder in the workspace's storage, which VS Code keeps outside the workspace. */
function storageFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext, name: string): string {
	return vscode.Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}
