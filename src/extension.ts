import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { setLanguage } from './chat/counts.ts';
import { createServices, type Services } from './services.ts';
import { registerOtherChatTools } from './vscode/agentMode/otherChatTools.ts';
import { registerCatalogUpdates, registerIndexAhead } from './vscode/catalogUpdates.ts';
import { registerCommands } from './vscode/commands/registerCommands.ts';
import type { Selections } from './vscode/commands/targets.ts';
import { registerDiagnostics } from './vscode/config/diagnostics.ts';
import {
	registerConfigEditors,
	registerConfiguration,
	registerLimits,
} from './vscode/config/registerConfiguration.ts';
import { registerModels } from './vscode/models/modelProvider.ts';
import { type ChatMemory, registerChatMemory } from './vscode/participant/chatMemory.ts';
import { Participant } from './vscode/participant/participant.ts';
import { LoadedTree } from './vscode/trees/loadedTree.ts';
import { ServersTree } from './vscode/trees/serversTree.ts';
import { StatusBar } from './vscode/trees/statusBar.ts';
import { registerQuarantineNotices } from './vscode/trust/quarantinedTools.ts';
import { ids } from './vscode/ui/ids.ts';

let services: Services | undefined;
let chatMemory: ChatMemory | undefined;

/** Creates the services, then registers every feature. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
	// Code outside src/vscode translates its texts with @vscode/l10n.
	if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
	setLanguage(vscode.env.language);
	services = await createServices(context);
	const { configFile, sessions } = services;
	const serversTree = new ServersTree(services);
	const loadedTree = new LoadedTree(services);
	const views: Selections = new Map<string, typeof serversTree | typeof loadedTree>([
		[ids.serversView, serversTree],
		[ids.loadedView, loadedTree],
	]);
	context.subscriptions.push(
		registerDiagnostics(configFile),
		serversTree,
		loadedTree,
		new StatusBar(services),
		new Participant(services),
		registerOtherChatTools(services),
		registerCommands(services, views),
		registerConfigEditors(services),
		registerContextPage(services),
		registerQuarantineNotices(services.trust.quarantined),
		registerCatalogUpdates({ ...services, ...services.trust, ...services.learning, ...services.ui }),
		registerConfiguration(services),
		registerLimits(),
		registerLogLevel(services),
		registerModels(services),
		registerIndexAhead(sessions),
	);
	// After everything has subscribed to it.
	await configFile.reload();
	chatMemory = registerChatMemory(sessions, {
		memento: context.workspaceState,
		chats: services.storage.keptChats,
	});
	context.subscriptions.push(chatMemory);
}

/** Saves the last used chat and stops every server. VS Code waits for the promise. */
export async function deactivate(): Promise<void> {
	await chatMemory?.close();
	await services?.pool.dispose();
	// A write error is already in the log, and must not keep the window from closing.
	await services?.trust.accepted.flush().catch(() => {});
}

/** Restores the context page after a reload. */
function registerContextPage({ app }: Pick<Services, 'app'>): vscode.Disposable {
	return vscode.window.registerWebviewPanelSerializer(ids.contextPage, {
		deserializeWebviewPanel: async (panel) => (await app()).contextPage.adopt(panel),
	});
}

/** Applies `LOG_LEVEL` from `.env` or the environment. */
function registerLogLevel({ log, configFile }: Pick<Services, 'log' | 'configFile'>): vscode.Disposable {
	return configFile.onDidChange((state) => {
		log.level = state.kind === 'ok' ? state.config.logLevel : undefined;
	});
}
