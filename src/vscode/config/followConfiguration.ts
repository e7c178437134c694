import * as vscode from 'vscode';
import { type Config, emptyConfig } from '../../config/config.ts';
import { editorServerName } from '../../config/editorServerName.ts';
import { placement } from '../../discovery/partition.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { withEditorServer } from '../editorTools/editorServer.ts';
import type { EditorTools } from '../editorTools/editorTools.ts';
import type { UserLimits } from '../limits/limitSettings.ts';
import type { Approvals } from '../trust/approvals.ts';
import type { ConfigFile } from './configFile.ts';
import type { ConfigState } from './configState.ts';

/** What follows the configuration. */
export interface ConfiguredParts {
	readonly hub: DiscoveryHub;
	readonly pool: ServerPool;
	readonly configFile: ConfigFile;
	readonly editorTools: EditorTools;
	readonly approvals: Approvals;
	readonly limits: UserLimits;
}

/** What the file says becomes the policy and the servers; in an untrusted workspace nothing starts, elsewhere what is approved. */
export function followConfiguration({
	hub,
	pool,
	configFile,
	editorTools,
	approvals,
	limits,
}: ConfiguredParts): vscode.Disposable {
	let applied: Config | undefined;
	const apply = () => {
		const { state } = configFile;
		if (!vscode.workspace.isTrusted || state.kind === 'loading') return;
		const config = configOf(state);
		applied = config;
		const { policy, toolsets, launches, toolCacheTtlSeconds } = config;
		// While discovery is off, they would all be loaded.
		const isWanted = config.editorTools && policy.enabled;
		const editor = isWanted ? editorServerName(policy.servers) : undefined;
		const maxRequestTools = limits.toolsPerRequest;
		hub.setPolicy({ ...withEditorServer(policy, editor), maxRequestTools }, toolsets);
		editorTools.offer(editor);
		pool.setLaunches(launches, {
			toolCacheTtlSeconds,
			isApproved: (name, launch) => approvals.isApproved(name, launch),
			// A server whose tools are all deferred need not run before one of them is called.
			eager: (tools) => tools.some((tool) => placement(tool, policy) !== 'deferred'),
		});
	};
	const listener = approvals.onDidChange(apply);
	return vscode.Disposable.from(
		configFile.onDidChange((state) => {
			// A fault that came or went changes nothing of what is in force.
			if (configOf(state) !== applied) apply();
		}),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
		{ dispose: () => listener.dispose() },
	);
}

function configOf(state: ConfigState): Config {
	return state.kind === 'ok' ? state.config : emptyConfig;
}
