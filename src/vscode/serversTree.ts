import * as vscode from 'vscode';
import type { ServerPool } from '../mcp/serverPool.ts';
import type { ConfigFile } from './configFile.ts';
import type { DiscoveryHub } from './discoveryHub.ts';
import { ids } from './ids.ts';
import {
	type ProblemNode,
	problemItem,
	type ServerNode,
	serverItem,
	type ToolNode,
	type TreeNode,
	toolItem,
} from './treeItems.ts';

/** Changes come in bursts while servers start; the tree is drawn at most this often. */
const redrawEveryMs = 100;

/** The view of servers and their tools, loaded or deferred in the current chat; its badge counts the loaded ones. */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #hub: DiscoveryHub;
	readonly #pool: ServerPool;
	readonly #configFile: ConfigFile;
	readonly #view: vscode.TreeView<TreeNode>;
	readonly #subscriptions: { dispose(): void }[];
	#timer: NodeJS.Timeout | undefined;

	constructor(hub: DiscoveryHub, pool: ServerPool, configFile: ConfigFile) {
		this.#hub = hub;
		this.#pool = pool;
		this.#configFile = configFile;
		this.#view = vscode.window.createTreeView(ids.serversView, {
			treeDataProvider: this,
			showCollapseAll: true,
		});
		const changed = () => this.#schedule();
		this.#subscriptions = [
			this.#view,
			hub.onDidChange(changed),
			pool.onDidChange(changed),
			configFile.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		switch (node.kind) {
			case 'server':
				return serverItem(node);
			case 'tool':
				return toolItem(node);
			case 'problem':
				return problemItem(node);
		}
	}

	getChildren(node?: TreeNode): TreeNode[] {
		if (!node) return this.#roots();
		return node.kind === 'server' ? [...node.tools] : [];
	}

	dispose(): void {
		clearTimeout(this.#timer);
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#changed.dispose();
	}

	/** Empty where a welcome view has something to say. */
	#roots(): TreeNode[] {
		const { state } = this.#configFile;
		if (!vscode.workspace.isTrusted || state.kind !== 'ok') return [];
		return [...state.problems.map((problem) => problemNode(state.uri, problem)), ...this.#servers()];
	}

	#servers(): ServerNode[] {
		const tools = Map.groupBy(this.#toolNodes(), ({ tool }) => tool.server);
		return this.#pool
			.servers()
			.map((status) => ({ kind: 'server', status, tools: tools.get(status.name) ?? [] }));
	}

	#toolNodes(): ToolNode[] {
		const stateOf = this.#hub.toolStates();
		return this.#hub.surface().tools.map((tool) => ({ kind: 'tool', tool, state: stateOf(tool) }));
	}

	#schedule(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#changed.fire();
			const loaded = this.#roots().length === 0 ? 0 : this.#toolNodes().filter(isLoaded).length;
			const tooltip = `${loaded} ${loaded === 1 ? 'tool' : 'tools'} loaded`;
			this.#view.badge = loaded === 0 ? undefined : { value: loaded, tooltip };
		}, redrawEveryMs);
	}
}

function isLoaded({ state }: ToolNode): boolean {
	return state !== 'deferred';
}

function problemNode(
	uri: vscode.Uri,
	{ message, start, end }: { message: string; start: Point; end: Point },
): ProblemNode {
	return {
		kind: 'problem',
		message,
		uri,
		range: new vscode.Range(start.line, start.character, end.line, end.character),
	};
}

type Point = { readonly line: number; readonly character: number };
