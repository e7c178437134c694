import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Config, editorServerName, emptyConfig } from '../../config/config.ts';
import { isDisabled, isServerDisabled, placement, withEditorServer } from '../../discovery/catalog/policy.ts';
import type { McpLimits } from '../../mcp/limits.ts';
import type { Services } from '../../services.ts';
import { settings } from '../ui/ids.ts';
import { notify } from '../ui/messages.ts';
import type { ConfigState } from './configState.ts';
import { userLimits } from './limits.ts';

/** Applies the configuration to the chats and the servers. In an untrusted workspace nothing starts, elsewhere what is approved. */
export function registerConfiguration({
	sessions,
	pool,
	configFile,
	ui: { editorTools },
	trust: { approvals, switches, mcpAccess },
}: Pick<Services, 'sessions' | 'pool' | 'configFile' | 'ui' | 'trust'>): vscode.Disposable {
	let applied: Config | undefined;
	const apply = () => {
		const { state } = configFile;
		if (!vscode.workspace.isTrusted || state.kind === 'loading') return;
		const config = configOf(state);
		applied = config;
		const { toolsets, launches, toolCacheTtlSeconds } = config;
		const policy = switches.appliedTo(config.policy);
		// While discovery is off, all of the editor's tools would be loaded.
		const isWanted = config.editorTools && policy.enabled;
		const editor = isWanted ? editorServerName(policy.servers) : undefined;
		sessions.setPolicy(withEditorServer(policy, editor), toolsets);
		editorTools.offer(editor);
		pool.setLaunches(launches, {
			toolCacheTtlSeconds,
			isApproved: (name, launch) => approvals.isApproved(name, launch),
			isDisabled: (name) => isServerDisabled(name, policy),
			ban: (name, launch) => mcpAccess.ban(name, launch),
			// A server whose tools are all deferred need not run before one of them is called.
			eager: (tools) =>
				tools.some((tool) => placement(tool, policy) !== 'deferred' && !isDisabled(tool, policy)),
		});
	};
	const listeners = [approvals, switches, mcpAccess].map(({ onDidChange }) => onDidChange(apply));
	return vscode.Disposable.from(
		configFile.onDidChange((state) => {
			// A fault that came or went changes nothing of what is in force.
			if (configOf(state) !== applied) apply();
		}),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
		...listeners,
	);
}

function configOf(state: ConfigState): Config {
	return state.kind === 'ok' ? state.config : emptyConfig;
}

const limitsSection = `${settings.section}.${settings.limits}`;

/** The limits as the user's settings are now. A workspace has no say in them. */
export function readLimits(): McpLimits {
	const configuration = vscode.workspace.getConfiguration(limitsSection);
	return userLimits((name) => configuration.get(name));
}

/** A changed limit holds from the next window on: what runs keeps those that it was started with. */
export function registerLimits(): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(async (change) => {
		if (!change.affectsConfiguration(limitsSection)) return;
		const reload = l10n.t('Reload Window');
		const chosen = await notify(l10n.t('reload the window to apply the new limit.'), reload);
		if (chosen === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
	});
}

/** What helps in the configuration file works on. */
export type EditorServices = Pick<
	Services,
	'sessions' | 'pool' | 'configFile' | 'keyring' | 'languageModels' | 'serverModels'
>;

/** Loads what helps in the configuration file (lenses, fixes, completion, hover) when the file is first opened in an editor. */
export function registerConfigEditors({
	app,
	configFile,
	log,
}: Pick<Services, 'app' | 'configFile' | 'log'>): vscode.Disposable {
	const open = (document: vscode.TextDocument) => {
		if (!configFile.isAt(document.uri)) return;
		// It is tried again with the next file that is opened.
		app().catch((error: unknown) =>
			log.error(`What helps in the configuration file could not be loaded: ${error}`),
		);
	};
	const openAll = () => vscode.workspace.textDocuments.forEach(open);
	openAll();
	return vscode.Disposable.from(
		vscode.workspace.onDidOpenTextDocument(open),
		// With another folder or setting, a file that was open before may have become the configuration.
		configFile.onDidChange(openAll),
	);
}
