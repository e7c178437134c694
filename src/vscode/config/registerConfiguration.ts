import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { Event } from '../../common/event.ts';
import { type Config, editorServerName, emptyConfig } from '../../config/config.ts';
import { isDisabled, isServerDisabled, placement, withEditorServer } from '../../discovery/catalog/policy.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Approvals } from '../core/approvals.ts';
import type { ConfigState } from '../core/configState.ts';
import type { Configuration } from '../core/configuration.ts';
import type { EditorTools } from '../core/editorTools.ts';
import { limitsSection } from '../core/limits.ts';
import type { McpAccess } from '../core/mcpAccess.ts';
import type { Switches } from '../core/switches.ts';
import type { Log } from '../ui/log.ts';
import { notify } from '../ui/messages.ts';

/** Applies the configuration to chats: what is loaded and searched, and whether VS Code's own tools are. */
export function applyToChats(
	configFile: Configuration,
	sessions: ChatSessions,
	editorTools: EditorTools,
	switches: Switches,
): vscode.Disposable {
	return whenChanged(configFile, [switches], (config) => {
		const policy = switches.appliedTo(config.policy);
		// While discovery is off, all of VS Code's tools would be loaded.
		const isWanted = config.editorTools && policy.enabled;
		const editor = isWanted ? editorServerName(policy.servers) : undefined;
		sessions.setPolicy(withEditorServer(policy, editor), config.toolsets);
		editorTools.offer(editor);
	});
}

/** Applies the configuration to servers: which ones run, and how. */
export function applyToServers({
	configFile,
	pool,
	approvals,
	switches,
	mcpAccess,
}: {
	readonly configFile: Configuration;
	readonly pool: ServerPool;
	readonly approvals: Approvals;
	readonly switches: Switches;
	readonly mcpAccess: McpAccess;
}): vscode.Disposable {
	return whenChanged(
		configFile,
		[approvals, switches, mcpAccess],
		({ launches, toolCacheTtlSeconds, policy: inFile }) => {
			const policy = switches.appliedTo(inFile);
			pool.setLaunches(launches, {
				toolCacheTtlSeconds,
				isApproved: (name, launch) => approvals.isApproved(name, launch),
				isDisabled: (name) => isServerDisabled(name, policy),
				ban: (name, launch) => mcpAccess.ban(name, launch),
				// A server whose tools are all deferred need not run before a call.
				eager: (tools) =>
					tools.some((tool) => placement(tool, policy) !== 'deferred' && !isDisabled(tool, policy)),
			});
		},
	);
}

/** Applies the configuration when it or anything else changes. In an untrusted workspace, nothing is applied, so nothing starts. */
function whenChanged(
	configFile: Configuration,
	others: readonly { readonly onDidChange: Event<void> }[],
	apply: (config: Config) => void,
): vscode.Disposable {
	let applied: Config | undefined;
	const now = () => {
		const { state } = configFile;
		if (!vscode.workspace.isTrusted || state.kind === 'loading') return;
		applied = configOf(state);
		apply(applied);
	};
	return vscode.Disposable.from(
		configFile.onDidChange((state) => {
			// Problems alone change nothing that is in force.
			if (configOf(state) !== applied) now();
		}),
		vscode.workspace.onDidGrantWorkspaceTrust(now),
		...others.map(({ onDidChange }) => onDidChange(now)),
	);
}

function configOf(state: ConfigState): Config {
	return state.kind === 'ok' ? state.config : emptyConfig;
}

/** A changed limit applies after a reload: running servers keep the limits they were started with. */
export function registerLimits(): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(async (change) => {
		if (!change.affectsConfiguration(limitsSection)) return;
		const reload = l10n.t('Reload Window');
		const chosen = await notify(l10n.t('reload the window to apply the changed limit.'), reload);
		if (chosen === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
	});
}

/** Loads lenses, fixes, completions and hovers when a configuration file is first opened in an editor. */
export function registerConfigEditors({
	app,
	configFile,
	log,
}: {
	readonly app: () => Promise<unknown>;
	readonly configFile: Configuration;
	readonly log: Log;
}): vscode.Disposable {
	const open = (document: vscode.TextDocument) => {
		if (!configFile.fileAt(document.uri)) return;
		// Opening another file tries again.
		app().catch((error: unknown) =>
			log.error(`The editor features of the configuration file could not be loaded: ${error}`),
		);
	};
	const openAll = () => vscode.workspace.textDocuments.forEach(open);
	openAll();
	return vscode.Disposable.from(
		vscode.workspace.onDidOpenTextDocument(open),
		// With another folder or setting, an open file may have become the configuration.
		configFile.onDidChange(openAll),
	);
}
