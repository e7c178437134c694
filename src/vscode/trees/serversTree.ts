import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { oneLine } from '../../common/text.ts';
import { firstCost } from '../../discovery/session/toolTokens.ts';
import type { Configuration } from '../core/configuration.ts';
import type { DismissedWarnings } from '../core/dismissedWarnings.ts';
import type { ModelLists } from '../core/modelLists.ts';
import type { ServerModels } from '../core/serverModels.ts';
import { isFirstStart } from '../core/serverModels.ts';
import { contextKeys, ids } from '../ui/ids.ts';
import type { ServerNode } from '../ui/nodes.ts';
import { badgeOf } from '../ui/statusLabels.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';
import { tooltipOf } from '../ui/tooltips.ts';
import { DrawnRows } from './drawnRows.ts';
import { missingModels } from './modelListLabels.ts';
import {
	byOrigin,
	type FaultyNode,
	type OriginNode,
	rowOf,
	type SortedProblems,
	sortProblems,
	type TreeNode,
	withWarningMark,
} from './serverRows.ts';
import { clickCommand, openDetails, registerDimmedRows, treeItem } from './treeItems.ts';

type ServersTreeServices = {
	readonly serverModels: ServerModels;
	readonly sessions: ChatSessions;
	readonly configFile: Configuration;
	readonly modelLists: ModelLists;
	readonly dismissed: DismissedWarnings;
};

/** The view of servers and their tools, with their states in the last used chat. Its badge counts servers that need the user. */
export class ServersTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<TreeNode[] | undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #services: ServersTreeServices;
	readonly #rows: DrawnRows<TreeNode>;
	/** The nodes below each node; servers are grouped by file. */
	#below: ReadonlyMap<TreeNode, readonly TreeNode[]> = new Map();
	#problems: SortedProblems & { readonly sortedFor?: object } = { above: [], faulty: [] };
	#origins: readonly OriginNode[] = [];
	#isEmpty = false;
	readonly #view: vscode.TreeView<TreeNode>;
	readonly #subscriptions: { dispose(): void }[];
	readonly #throttle = new Throttle(() => this.#redraw(), redrawEveryMs);
	/** Redraws the rows of first starts, which count seconds without any other change. */
	readonly #seconds = new Throttle(() => this.#redraw(), 1_000);

	constructor(services: ServersTreeServices) {
		const { serverModels, modelLists, dismissed } = services;
		this.#services = services;
		this.#rows = new DrawnRows<TreeNode>({
			children: (node) => this.#below.get(node) ?? [],
			row: (node) => rowOf(node, this.#below.get(node)),
			revision: (node) => this.#revisionOf(node),
		});
		this.#view = vscode.window.createTreeView(ids.serversView, {
			treeDataProvider: this,
			showCollapseAll: true,
			canSelectMany: true,
		});
		const changed = () => this.#throttle.request();
		this.#subscriptions = [
			this.#view,
			registerDimmedRows(),
			serverModels.onDidChange(changed),
			modelLists.onDidChange(changed),
			dismissed.onDidChange(() => {
				this.#problems = { above: [], faulty: [] };
				changed();
			}),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		const item = treeItem(node, this.#rows.row(node));
		return node.kind === 'tool' ? withWarningMark(item, node.tool) : item;
	}

	resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
		if (node.kind === 'tool') item.command = openDetails(node);
		if (node.kind === 'server') {
			const { name, state } = node.status;
			// A row is too short for the reason of a failure.
			if (state.kind === 'failed') item.command = clickCommand('showServerLog', { server: name });
			if (state.kind === 'unapproved') item.command = clickCommand('reviewServers', { server: name });
		}
		if (node.kind === 'tool' || node.kind === 'server')
			item.tooltip = new vscode.MarkdownString(tooltipOf(node));
		return item;
	}

	/** Commands that are run by a key act on the selection. */
	get selection(): readonly TreeNode[] {
		return this.#view.selection;
	}

	getChildren(node?: TreeNode): TreeNode[] {
		return [...(node ? (this.#below.get(node) ?? []) : this.#rows.roots)];
	}

	dispose(): void {
		this.#throttle.dispose();
		this.#seconds.dispose();
		for (const subscription of this.#subscriptions) subscription.dispose();
		this.#changed.dispose();
	}

	#redraw(): void {
		const { servers } = this.#services.serverModels;
		if (servers.some(isFirstStart)) this.#seconds.request();
		this.#sortProblems();
		const redraw = this.#rows.update(this.#place([...this.#problems.faulty, ...servers]));
		this.#setBadge();
		this.#setMessage();
		this.#setDescription();
		this.#setWelcome();
		if (redraw === 'all') this.#changed.fire(undefined);
		else if (redraw.length > 0) this.#changed.fire([...redraw]);
	}

	/** The nodes stay the same as long as the configuration in force and the dismissed warnings do. */
	#sortProblems(): void {
		const { configFile, dismissed } = this.#services;
		const { inForce } = configFile;
		if (this.#problems.sortedFor === inForce) return;
		const visibleProblems = inForce?.problems.filter((problem) => !dismissed.has(problem)) ?? [];
		const labelOf = configFile.hasSeveral ? labelAt(configFile) : undefined;
		this.#problems = inForce
			? { ...sortProblems(visibleProblems, labelOf), sortedFor: inForce }
			: { above: [], faulty: [] };
	}

	/** Builds the tree and returns its top level. Servers are grouped by file once several files have servers. */
	#place(servers: readonly (ServerNode | FaultyNode)[]): readonly TreeNode[] {
		const { configFile } = this.#services;
		const { state, files } = configFile;
		const { above } = this.#problems;
		const below = new Map<TreeNode, readonly TreeNode[]>();
		for (const node of servers) below.set(node, node.kind === 'faulty' ? node.problems : node.tools);
		for (const node of above) if (node.kind === 'problems') below.set(node, node.problems);
		this.#below = below;
		const filesWithServers = new Set(
			state.kind === 'ok' ? [...state.servers.values()].map(({ file }) => file) : [],
		);
		if (filesWithServers.size < 2) return [...above, ...servers];
		this.#origins = files.map(({ place, label }) => {
			const existing = this.#origins.find(
				(origin) => origin.label === label && origin.uri.toString() === place.uri.toString(),
			);
			return existing ?? { kind: 'origin', uri: place.uri, label, isUsers: !place.folder };
		});
		const groups = byOrigin(servers, this.#origins, (server) => configFile.server(server)?.file.place.uri);
		for (const [origin, nodes] of groups) if (origin) below.set(origin, nodes);
		const top = [...groups].flatMap(([origin, nodes]): readonly TreeNode[] => (origin ? [origin] : nodes));
		return [...above, ...top];
	}

	/** A first start changes its row without any other change. */
	#revisionOf(node: TreeNode): number | string {
		if (node.kind !== 'server' && node.kind !== 'tool') return 0;
		const revision = this.#services.serverModels.revisionOf(node);
		return node.kind === 'server' && isFirstStart(node) ? `${revision} ${rowOf(node).description}` : revision;
	}

	#setBadge(): void {
		const { sessions, configFile, serverModels } = this.#services;
		const badge =
			configFile.inForce &&
			badgeOf(
				serverModels.servers.map(({ status }) => status),
				sessions.catalog.quarantined,
			);
		if (!isDeepStrictEqual(badge, this.#view.badge)) this.#view.badge = badge;
	}

	/** VS Code hides the welcome views while there is a message, so without rows there is none. */
	#setMessage(): void {
		const message = this.#rows.roots.length === 0 ? '' : this.#remarks().join(' ');
		if (message !== (this.#view.message ?? '')) this.#view.message = message;
	}

	/** VS Code shows a welcome view before it asks for the rows, so it must know whether there will be any. */
	#setWelcome(): void {
		const isEmpty = this.#services.configFile.state.kind === 'ok' && this.#rows.roots.length === 0;
		if (isEmpty !== this.#isEmpty)
			void vscode.commands.executeCommand('setContext', contextKeys.empty, isEmpty);
		this.#isEmpty = isEmpty;
	}

	/** `957 tools · ≈419k tokens`: what all tools would take. */
	#setDescription(): void {
		const { currentSurface } = this.#services.sessions;
		const tools = currentSurface.tools.length;
		const tokens = shownTokens(firstCost(currentSurface).everyToolTokens);
		const description = this.#rows.roots.length === 0 || tools === 0 ? '' : `${toolCount(tools)} · ${tokens}`;
		if (description !== (this.#view.description ?? '')) this.#view.description = description;
	}

	#toolsetRemark(name: string): string {
		return this.#services.sessions.chats.length > 1
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
				? [l10n.t('The toolset is no longer in the configuration; the chat keeps the toolset’s last tools.')]
				: []),
			...this.#modelRemarks(),
		];
	}

	/** Files that cannot be read, by name if there are several. */
	#unreadableRemarks({ unreadable }: NonNullable<Configuration['inForce']>): string[] {
		const { configFile } = this.#services;
		return unreadable.map(({ uri, isStale }) => {
			if (isStale && !configFile.hasSeveral)
				return l10n.t('Configuration has errors; using the last valid version.');
			const file = oneLine(labelAt(configFile)(uri), 100);
			return isStale
				? l10n.t('{0} has errors; using its last valid version.', file)
				: l10n.t('{0} cannot be read.', file);
		});
	}

	/** Clients whose models should be offered, and that have none. */
	#modelRemarks(): string[] {
		const { configFile, modelLists } = this.#services;
		const clients = configFile.inForce?.config.clientsWithoutModels ?? [];
		return clients
			.map((client) => missingModels(client, modelLists.stateOf(client)))
			.filter((remark) => remark !== undefined);
	}
}

function labelAt(configFile: Configuration): (uri: vscode.Uri) => string {
	return (uri) => configFile.fileAt(uri)?.label ?? '';
}
