import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount } from '../../chat/counts.ts';
import { oneLine } from '../../common/text.ts';
import type { Services } from '../../services.ts';
import { contextKeys, ids } from '../ui/ids.ts';
import { missingModels } from '../ui/modelListLabels.ts';
import type { ServerNode } from '../ui/nodes.ts';
import { currentNodes } from '../ui/nodes.ts';
import { badgeOf } from '../ui/statusLabels.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';
import {
	byOrigin,
	type FaultyNode,
	type SortedProblems,
	serversDrawing,
	sortProblems,
	type TreeNode,
} from './serverRows.ts';
import { StableNodes } from './stableNodes.ts';
import { registerDimmedRows, treeItem } from './treeItems.ts';
import { orderLabel } from './treeOptions.ts';

type ServersTreeServices = Pick<
	Services,
	'sessions' | 'pool' | 'configFile' | 'habits' | 'treeOptions' | 'approvals' | 'permissions' | 'modelLists'
>;

/** The view of servers and their tools as they stand in the last used chat; its badge counts servers that need the user. */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<TreeNode[] | undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #services: ServersTreeServices;
	readonly #nodes = new StableNodes<TreeNode>(serversDrawing);
	readonly #view: vscode.TreeView<TreeNode>;
	readonly #subscriptions: { dispose(): void }[];
	#isFiltered = false;
	readonly #throttle = new Throttle(() => this.#redraw(), redrawEveryMs);
	/** Redraws the rows of first starts, which count seconds. Their servers tell of no change meanwhile. */
	readonly #seconds = new Throttle(() => this.#redraw(), 1_000);

	constructor(services: ServersTreeServices) {
		const { sessions, pool, configFile, habits, treeOptions, approvals, permissions, modelLists } = services;
		this.#services = services;
		this.#view = vscode.window.createTreeView(ids.serversView, {
			treeDataProvider: this,
			showCollapseAll: true,
			canSelectMany: true,
		});
		const changed = () => this.#throttle.request();
		this.#subscriptions = [
			this.#view,
			registerDimmedRows(),
			sessions.onDidChange(changed),
			pool.onDidChange(changed),
			configFile.onDidChange(changed),
			habits.onDidChange(changed),
			approvals.onDidChange(changed),
			permissions.onDidChange(changed),
			modelLists.onDidChange(changed),
			treeOptions.onDidChange(() => this.#arrange()),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
		const item = treeItem(node, this.#nodes.row(node), this.#isFiltered);
		return node.kind === 'tool' ? (await import('./rowTooltips.ts')).marked(item, node.tool) : item;
	}

	async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
		if (node.kind !== 'tool' && node.kind !== 'server') return item;
		const { tooltipOf } = await import('./rowTooltips.ts');
		item.tooltip = new vscode.MarkdownString(tooltipOf(node));
		return item;
	}

	/** What a command that is run by a key is for. */
	get selection(): readonly TreeNode[] {
		return this.#view.selection;
	}

	getChildren(node?: TreeNode): TreeNode[] {
		if (!node) return [...this.#nodes.roots];
		switch (node.kind) {
			case 'server':
				return [...node.tools];
			case 'problems':
			case 'faulty':
				return [...node.problems];
			case 'origin':
				return [...node.servers];
			case 'tool':
			case 'problem':
				return [];
		}
	}

	dispose(): void {
		this.#throttle.dispose();
		this.#seconds.dispose();
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#changed.dispose();
	}

	/** Follows the user's order and filter at once, without waiting for other changes. */
	#arrange(): void {
		const isFiltered = this.#services.treeOptions.filter !== undefined;
		if (isFiltered !== this.#isFiltered) {
			this.#isFiltered = isFiltered;
			void vscode.commands.executeCommand('setContext', contextKeys.filtered, isFiltered);
			this.#redraw('all');
		} else this.#redraw();
	}

	#redraw(least: 'all' | 'changed' = 'changed'): void {
		const servers = this.#servers();
		if (servers.some(({ status: { state } }) => state.kind === 'starting' && state.first))
			this.#seconds.request();
		const { above, faulty } = this.#problems();
		const shown = this.#services.treeOptions.apply(servers, faulty);
		const redraw = this.#nodes.update([...above, ...this.#byOrigin(shown)]);
		this.#setBadge();
		// The message, which counts the rows, is set before they are drawn: so nobody sees new rows below an old count.
		this.#setMessage(
			servers,
			shown.filter((node) => node.kind === 'server'),
		);
		if (least === 'all' || redraw === 'all') this.#changed.fire(undefined);
		else if (redraw.length > 0) this.#changed.fire([...redraw]);
		const { short } = orderLabel(this.#services.treeOptions.order);
		if (short !== (this.#view.description ?? '')) this.#view.description = short;
	}

	/** The servers to show; none where a welcome view is shown instead. */
	#servers(): readonly ServerNode[] {
		const { inForce } = this.#services.configFile;
		return inForce ? currentNodes(this.#services, inForce) : [];
	}

	#problems(): SortedProblems {
		const { inForce } = this.#services.configFile;
		if (!inForce) return { above: [], faulty: [] };
		const { configFile } = this.#services;
		return sortProblems(
			inForce.problems,
			configFile.hasSeveral ? (uri) => configFile.labelOf(uri) : undefined,
		);
	}

	/** The rows of servers, below those of their files once several files have some. */
	#byOrigin(nodes: readonly (ServerNode | FaultyNode)[]): readonly TreeNode[] {
		const { configFile } = this.#services;
		const { state, files } = configFile;
		const having =
			state.kind === 'ok' ? new Set([...state.servers.values()].map(({ file }) => file)) : new Set();
		if (having.size < 2) return nodes;
		const origins = files.map(({ place, label }) => ({ uri: place.uri, label, isUsers: !place.folder }));
		return byOrigin(nodes, origins, (server) => configFile.placeOf(server)?.uri);
	}

	/** Shows nothing where no configuration is in force. */
	#setBadge(): void {
		const { sessions, configFile, pool } = this.#services;
		const badge = configFile.inForce && badgeOf(pool.servers(), sessions.catalog.quarantined);
		if (!isDeepStrictEqual(badge, this.#view.badge)) this.#view.badge = badge;
	}

	/** The editor hides the welcome views while there is a message: so without rows there is none, unless a filter has left no row. */
	#setMessage(servers: readonly ServerNode[], shown: readonly ServerNode[]): void {
		const remarks = [...this.#filterRemarks(servers, shown), ...this.#remarks()];
		const message = servers.length === 0 && this.#nodes.roots.length === 0 ? '' : remarks.join(' ');
		if (message !== (this.#view.message ?? '')) this.#view.message = message;
	}

	#filterRemarks(servers: readonly ServerNode[], shown: readonly ServerNode[]): string[] {
		const { filter } = this.#services.treeOptions;
		if (!filter) return [];
		const found = countOf(shown);
		return [
			l10n.t('{0} of {1} · filter: {2}.', found, toolCount(countOf(servers)), oneLine(filter.text, 100)),
		];
	}

	#toolsetRemark(name: string): string {
		return this.#services.sessions.chatCount > 1
			? l10n.t('Toolset of the last used chat: {0}.', name)
			: l10n.t('Toolset: {0}.', name);
	}

	#remarks(): string[] {
		const { state } = this.#services.configFile;
		const toolset = this.#services.sessions.current?.discovery.surface.toolset;
		return [
			...(state.kind === 'ok' ? this.#unreadableRemarks(state) : []),
			...(toolset ? [this.#toolsetRemark(oneLine(toolset.name, 100))] : []),
			...(toolset?.missing
				? [l10n.t('It is missing from the configuration; the chat keeps the tools that it last had.')]
				: []),
			...this.#modelRemarks(),
		];
	}

	/** A remark on each file that cannot be read: it is named where there are others. */
	#unreadableRemarks({ unreadable }: NonNullable<Services['configFile']['inForce']>): string[] {
		const { configFile } = this.#services;
		return unreadable.map(({ uri, isStale }) => {
			if (isStale && !configFile.hasSeveral)
				return l10n.t('Configuration has errors; using the last valid version.');
			const file = oneLine(configFile.labelOf(uri), 100);
			return isStale
				? l10n.t('{0} has faults; what it said last is in force.', file)
				: l10n.t('{0} cannot be read; nothing of it is in force.', file);
		});
	}

	/** A remark on each client that should bring models and has none. */
	#modelRemarks(): string[] {
		const { configFile, modelLists } = this.#services;
		const clients = configFile.inForce?.config.clientsWithoutModels ?? [];
		return clients
			.map((client) => missingModels(client, modelLists.stateOf(client)))
			.filter((remark) => remark !== undefined);
	}
}

function countOf(servers: readonly ServerNode[]): number {
	return servers.reduce((sum, { tools }) => sum + tools.length, 0);
}
