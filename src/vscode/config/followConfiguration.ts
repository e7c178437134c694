import * as vscode from 'vscode';
import { emptyConfig } from '../../config/config.ts';
import { editorServerName } from '../../config/editorServerName.ts';
import { placement } from '../../discovery/partition.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { withEditorServer } from '../editorTools/editorServer.ts';
import type { EditorTools } from '../editorTools/editorTools.ts';
import type { UserLimits } from '../limits/limitSettings.ts';
import type { Approvals } from '../trust/approvals.ts';
import type { ConfigFile } from './configFile.ts';

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
	const apply = () => {
		const { state } = configFile;
		if (!vscode.workspace.isTrusted || state.kind === 'loading') return;
		const config = state.kind === 'ok' ? state.config : emptyConfig;
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
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
		{ dispose: () => listener.dispose() },
	);
}
