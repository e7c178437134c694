import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { App, createApp } from './app.ts';
import { setLanguage } from './chat/counts.ts';
import { loadOnce } from './common/loadOnce.ts';
import { ListingWait } from './mcp/listing/listingWait.ts';
import { type Core, createCore } from './services.ts';
import type { CommandArguments, RunAction } from './vscode/actions/action.ts';
import { registerGateway } from './vscode/agentMode/gatewaySetting.ts';
import { registerOtherChatTools } from './vscode/agentMode/otherChatTools.ts';
import { SearchableSurface } from './vscode/agentMode/searchableSurface.ts';
import { registerCatalogUpdates, registerIndexAhead } from './vscode/catalogUpdates.ts';
import type { Selections } from './vscode/commands/targets.ts';
import { registerDiagnostics } from './vscode/config/diagnostics.ts';
import {
	applyToChats,
	applyToServers,
	registerConfigEditors,
	registerLimits,
} from './vscode/config/registerConfiguration.ts';
import { registerModels } from './vscode/models/registerModels.ts';
import { type ChatMemory, registerChatMemory } from './vscode/participant/chatMemory.ts';
import { Participant } from './vscode/participant/participant.ts';
import type { ShownRun } from './vscode/run/result.ts';
import { learnFromChats } from './vscode/teaching/learnFromChats.ts';
import { LoadedTree } from './vscode/trees/loadedTree.ts';
import { ServersTree } from './vscode/trees/serversTree.ts';
import { StatusBar } from './vscode/trees/statusBar.ts';
import { ToolDetails } from './vscode/trees/toolDetails.ts';
import { QuarantinedTools, registerQuarantineNotices } from './vscode/trust/quarantinedTools.ts';
import { type CommandName, commandNames, commands, ids } from './vscode/ui/ids.ts';
import { showError } from './vscode/ui/messages.ts';
import { ReadingDocuments } from './vscode/ui/readingEditor.ts';

let core: Core | undefined;
let chatMemory: ChatMemory | undefined;

/** Creates the state that features share, then registers every feature. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
	// Code outside src/vscode translates its texts with @vscode/l10n.
	if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
	setLanguage(vscode.env.language);
	const register = <T extends { dispose(): unknown }>(part: T): T => {
		context.subscriptions.push(part);
		return part;
	};
	const documents = readingDocuments(register);
	// A message or a picker may come before the core is complete.
	const parts = Promise.withResolvers<Parameters<typeof createApp>>();
	const details = register(new ToolDetails(parts.promise.then(([core]) => core)));
	const app = loadOnce(async () => {
		const loaded = await import('./app.ts');
		return register(loaded.createApp(...(await parts.promise)));
	});
	const run = async (name: CommandName, ...called: CommandArguments) => {
		try {
			await (await app()).run(name, called);
		} catch (error) {
			showError(error);
		}
	};
	// Without a node, the action selects its own; a command that VS Code calls with `undefined` was meant for a row.
	const runOn: RunAction = (name, on) => (on === undefined ? run(name) : run(name, on));
	core = await createCore(context, app, runOn);
	const quarantined = register(new QuarantinedTools(core.accepted));
	const { configFile, sessions, learnedUse } = core;
	register(learnFromChats(sessions, async (chats) => (await learnedUse()).learn(chats)));
	const serversTree = new ServersTree(core);
	const loadedTree = new LoadedTree(core);
	const views: Selections = new Map<string, typeof serversTree | typeof loadedTree>([
		[ids.serversView, serversTree],
		[ids.loadedView, loadedTree],
	]);
	const other = { surface: new SearchableSurface(sessions), listings: new ListingWait(core.pool) };
	parts.resolve([core, { documents, quarantined, details, views, other, run: runOn }]);
	context.subscriptions.push(
		registerDiagnostics(configFile),
		serversTree,
		loadedTree,
		new StatusBar(core),
		new Participant(app, core.folders),
		registerOtherChatTools({ ...other, app }),
		registerGateway(app),
		registerCommands(run),
		registerConfigEditors({ ...core, app }),
		registerContextPage(app),
		registerQuarantineNotices(quarantined, runOn),
		registerCatalogUpdates(core),
		applyToChats(configFile, sessions, core.editorTools, core.switches),
		applyToServers(core),
		registerLimits(),
		registerLogLevel(core),
		registerModels(core),
		registerIndexAhead(sessions),
	);
	// After everything has subscribed to it.
	await configFile.reload();
	chatMemory = registerChatMemory(sessions, {
		memento: context.workspaceState,
		chats: core.keptChats,
	});
	context.subscriptions.push(chatMemory);
}

/** Saves the last used chat and stops every server. VS Code waits for the promise. */
export async function deactivate(): Promise<void> {
	await chatMemory?.close();
	await core?.pool.dispose();
	// A write error is already in the log, and must not keep the window from closing.
	await core?.accepted.flush().catch(() => {});
}

/** Registers a command for each action. */
function registerCommands(
	run: (name: CommandName, ...called: CommandArguments) => Promise<void>,
): vscode.Disposable {
	return vscode.Disposable.from(
		...commandNames.map((name) =>
			vscode.commands.registerCommand(commands[name], (...called: unknown[]) => run(name, ...called)),
		),
	);
}

/** Restores the context page after a reload. */
function registerContextPage(app: () => Promise<App>): vscode.Disposable {
	return vscode.window.registerWebviewPanelSerializer(ids.contextPage, {
		deserializeWebviewPanel: async (panel) => (await app()).contextPage.adopt(panel),
	});
}

/** Applies `LOG_LEVEL` from `.env` or the environment. */
function registerLogLevel({ log, configFile }: Pick<Core, 'log' | 'configFile'>): vscode.Disposable {
	return configFile.onDidChange((state) => {
		log.level = state.kind === 'ok' ? state.config.logLevel : undefined;
	});
}

/** Read-only editors. VS Code restores their tabs, so every kind is registered at activation. */
function readingDocuments(register: <T extends { dispose(): unknown }>(service: T) => T) {
	return {
		resources: register(
			new ReadingDocuments<string>(ids.resourceScheme, () =>
				l10n.t('Resources are kept until their window is closed. Run “Discovery: Browse Resources…” again.'),
			),
		),
		results: register(
			new ReadingDocuments<ShownRun>(ids.resultScheme, () =>
				l10n.t('Results are kept until their window is closed.'),
			),
		),
	};
}
