import * as vscode from 'vscode';
import type { SuggestionSource } from '../../discovery/habits/suggestion.ts';
import { oneLine, toolCount } from '../../discovery/text.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { ids } from '../ids.ts';
import { Pacer, redrawEveryMs } from '../pacer.ts';
import { serverNodes } from './serverNodes.ts';
import { StableNodes } from './stableNodes.ts';
import { treeItem } from './treeItems.ts';
import { isLoaded, type TreeNode } from './treeNodes.ts';
import { serversDrawing } from './treeRows.ts';

/** The view of servers and their tools as they stand in the last used chat; its badge counts the loaded ones. */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<TreeNode[] | undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #hub: DiscoveryHub;
	readonly #pool: ServerPool;
	readonly #configFile: ConfigFile;
	readonly #suggestions: SuggestionSource;
	readonly #nodes = new StableNodes<TreeNode>(serversDrawing);
	readonly #view: vscode.TreeView<TreeNode>;
	readonly #subscriptions: { dispose(): void }[];
	readonly #pacer = new Pacer(() => this.#redraw(), redrawEveryMs);

	constructor(hub: DiscoveryHub, pool: ServerPool, configFile: ConfigFile, suggestions: SuggestionSource) {
		this.#hub = hub;
		this.#pool = pool;
		this.#configFile = configFile;
		this.#suggestions = suggestions;
		this.#view = vscode.window.createTreeView(ids.serversView, {
			treeDataProvider: this,
			showCollapseAll: true,
		});
		const changed = () => this.#pacer.request();
		this.#subscriptions = [
			this.#view,
			hub.onDidChange(changed),
			pool.onDidChange(changed),
			configFile.onDidChange(changed),
			suggestions.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		return treeItem(node, this.#nodes.row(node));
	}

	getChildren(node?: TreeNode): TreeNode[] {
		if (!node) return [...this.#nodes.roots];
		return node.kind === 'server' ? [...node.tools] : [];
	}

	dispose(): void {
		this.#pacer.dispose();
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#changed.dispose();
	}

	#redraw(): void {
		const roots = this.#roots();
		const redraw = this.#nodes.update(roots);
		if (redraw === 'all') this.#changed.fire(undefined);
		else if (redraw.length > 0) this.#changed.fire([...redraw]);
		this.#setBadge(roots);
		this.#setMessage(roots);
	}

	/** Empty where a welcome view has something to say. */
	#roots(): TreeNode[] {
		const { state } = this.#configFile;
		if (!vscode.workspace.isTrusted || state.kind !== 'ok') return [];
		const { uri, config } = state;
		const problems = state.problems.map((problem, index) => ({
			kind: 'problem' as const,
			problem,
			index,
			uri,
		}));
		const suggestions = this.#suggestions.suggestions();
		return [...problems, ...serverNodes(this.#hub, this.#pool.servers(), config.launches, suggestions)];
	}

	#setBadge(roots: readonly TreeNode[]): void {
		const loaded = roots
			.flatMap((node) => (node.kind === 'server' ? node.tools : []))
			.filter(({ state }) => isLoaded(state)).length;
		if (loaded === (this.#view.badge?.value ?? 0)) return;
		this.#view.badge = loaded === 0 ? undefined : { value: loaded, tooltip: `${toolCount(loaded)} loaded` };
	}

	/** A message takes the place of the welcome views: there is none without rows. */
	#setMessage(roots: readonly TreeNode[]): void {
		const message = roots.length === 0 ? '' : this.#remarks().join(' ');
		if (message !== (this.#view.message ?? '')) this.#view.message = message;
	}

	#remarks(): string[] {
		const { state } = this.#configFile;
		const toolset = this.#hub.current?.discovery.surface.toolset?.name;
		const stale = state.kind === 'ok' && state.stale;
		const chat = this.#hub.chatCount > 1 ? ' of the last used chat' : '';
		return [
			...(stale ? ['The configuration has faults; the last good one is in force.'] : []),
			...(toolset === undefined ? [] : [`Toolset${chat}: ${oneLine(toolset, 100)}.`]),
		];
	}
}
