import * as vscode from 'vscode';
import { chatName } from '../../chat/chatName.ts';
import { shownTokens } from '../../chat/counts.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { Services } from '../../services.ts';
import { contextKeys, ids } from '../ui/ids.ts';
import { loadedCount } from '../ui/statusLabels.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';
import { type LoadedTreeNode, loadedDrawing, loadedNodes, loadedTools } from './loadedNodes.ts';
import { StableNodes } from './stableNodes.ts';
import { rowItem } from './treeItems.ts';

type LoadedTreeServices = Pick<Services, 'sessions' | 'configFile' | 'undo'>;

/** The view of what is loaded in the last used chat, why, and how many tokens that takes. */
export class LoadedTree implements vscode.TreeDataProvider<LoadedTreeNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<LoadedTreeNode[] | undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #services: LoadedTreeServices;
	readonly #nodes = new StableNodes<LoadedTreeNode>(loadedDrawing);
	readonly #view: vscode.TreeView<LoadedTreeNode>;
	readonly #subscriptions: readonly { dispose(): void }[];
	readonly #throttle = new Throttle(() => this.#redraw(), redrawEveryMs);
	#canUndo = false;

	constructor(services: LoadedTreeServices) {
		const { sessions, configFile } = services;
		this.#services = services;
		this.#view = vscode.window.createTreeView(ids.loadedView, {
			treeDataProvider: this,
			canSelectMany: true,
		});
		const changed = () => this.#throttle.request();
		this.#subscriptions = [
			this.#view,
			this.#throttle,
			this.#changed,
			sessions.onDidChange(changed),
			configFile.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	async getTreeItem(node: LoadedTreeNode): Promise<vscode.TreeItem> {
		const item = rowItem(loadedDrawing.id(node), this.#nodes.row(node));
		return node.kind === 'tool' ? (await import('./rowTooltips.ts')).marked(item, node.tool) : item;
	}

	getChildren(node?: LoadedTreeNode): LoadedTreeNode[] {
		if (!node) return [...this.#nodes.roots];
		return node.kind === 'always' ? [...node.tools] : [];
	}

	async resolveTreeItem(item: vscode.TreeItem, node: LoadedTreeNode): Promise<vscode.TreeItem> {
		if (node.kind !== 'tool') return item;
		const { loadedTooltip } = await import('./rowTooltips.ts');
		item.tooltip = new vscode.MarkdownString(loadedTooltip(node));
		return item;
	}

	/** What a command that is run by a key is for. */
	get selection(): readonly LoadedTreeNode[] {
		return this.#view.selection;
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#redraw(): void {
		const { sessions, configFile } = this.#services;
		const roots = configFile.inForce ? loadedNodes(sessions) : [];
		const redraw = this.#nodes.update(roots);
		if (redraw === 'all') this.#changed.fire(undefined);
		else if (redraw.length > 0) this.#changed.fire([...redraw]);
		this.#setDescription(roots);
		this.#setMessage(roots);
		this.#setCanUndo();
	}

	#setDescription(roots: readonly LoadedTreeNode[]): void {
		const tools = loadedTools(roots);
		const { currentSurface: surface, current } = this.#services.sessions;
		const count = loadedCount(surface, current?.discovery.activated ?? []);
		const description = tools.length === 0 ? '' : `${count} · ${shownTokens(sumOfTokens(tools))}`;
		if (description !== (this.#view.description ?? '')) this.#view.description = description;
	}

	/** The editor hides the welcome view while there is a message: so without rows there is none. */
	#setMessage(roots: readonly LoadedTreeNode[]): void {
		const { current } = this.#services.sessions;
		const message = roots.length === 0 ? '' : chatName(current?.discovery.log.firstPrompt);
		if (message !== (this.#view.message ?? '')) this.#view.message = message;
	}

	#setCanUndo(): void {
		const { canUndo } = this.#services.undo;
		if (canUndo === this.#canUndo) return;
		this.#canUndo = canUndo;
		void vscode.commands.executeCommand('setContext', contextKeys.canUndo, canUndo);
	}
}
