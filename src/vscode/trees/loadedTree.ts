import * as vscode from 'vscode';
import { chatName } from '../../chat/chatName.ts';
import { loadedWords } from '../../chat/loadedCount.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { AgentUses } from '../../gateway/agentUses.ts';
import type { Configuration } from '../core/configuration.ts';
import type { ServerModels } from '../core/serverModels.ts';
import type { UndoHistory } from '../core/undo.ts';
import { contextKeys, ids } from '../ui/ids.ts';
import { loadedNow } from '../ui/statusLabels.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';
import { DrawnRows } from './drawnRows.ts';
import {
	type LoadedTools,
	type LoadedTreeNode,
	loadedRow,
	loadedTools,
	loadedTooltip,
} from './loadedNodes.ts';
import { withWarningMark } from './serverRows.ts';
import { openDetails, rowItem } from './treeItems.ts';

type LoadedTreeServices = {
	readonly serverModels: ServerModels;
	readonly sessions: ChatSessions;
	readonly configFile: Configuration;
	readonly agents: AgentUses;
	readonly undo: UndoHistory;
};

const nothing: LoadedTools = { roots: [], shared: [], loading: new Map(), agentTools: [] };

/** The view of what is loaded in the last used chat, why, and how many tokens it takes. */
export class LoadedTree implements vscode.TreeDataProvider<LoadedTreeNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<LoadedTreeNode[] | undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #services: LoadedTreeServices;
	#loaded = nothing;
	readonly #rows = new DrawnRows<LoadedTreeNode>({
		children: (node) => (node.kind === 'always' ? this.#loaded.shared : []),
		row: (node) => loadedRow(node, this.#loaded),
		revision: (node) => this.#revisionOf(node),
	});
	readonly #view: vscode.TreeView<LoadedTreeNode>;
	readonly #subscriptions: readonly { dispose(): void }[];
	readonly #throttle = new Throttle(() => this.#redraw(), redrawEveryMs);
	#contexts: Readonly<Record<string, boolean>> = {};

	constructor(services: LoadedTreeServices) {
		const { serverModels, agents, undo } = services;
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
			serverModels.onDidChange(changed),
			agents.onDidChange(changed),
			undo.onDidChange(changed),
			vscode.workspace.onDidGrantWorkspaceTrust(changed),
		];
	}

	getTreeItem(node: LoadedTreeNode): vscode.TreeItem {
		const row = this.#rows.row(node);
		if (node.kind === 'always') return rowItem('always', row);
		if (node.kind === 'agent') return rowItem(`agent ${node.name}`, row);
		return withWarningMark(rowItem(`tool ${node.tool.wireName}`, row), node.tool);
	}

	getChildren(node?: LoadedTreeNode): LoadedTreeNode[] {
		if (!node) return [...this.#rows.roots];
		return node.kind === 'always' ? [...this.#loaded.shared] : [];
	}

	resolveTreeItem(item: vscode.TreeItem, node: LoadedTreeNode): vscode.TreeItem {
		if (node.kind !== 'tool') return item;
		item.command = openDetails(node);
		item.tooltip = new vscode.MarkdownString(loadedTooltip(node, this.#loaded));
		return item;
	}

	/** Commands that are run by a key act on the selection. */
	get selection(): readonly LoadedTreeNode[] {
		return this.#view.selection;
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	/** The tooltip also says when the chat has used the tool. */
	#revisionOf(node: LoadedTreeNode): string | number {
		if (node.kind === 'always') return 0;
		if (node.kind === 'agent') return JSON.stringify(loadedRow(node, this.#loaded));
		const { lastUse = '' } = this.#loaded.loading.get(node) ?? {};
		return `${this.#services.serverModels.revisionOf(node)} ${lastUse}`;
	}

	#redraw(): void {
		const { sessions, agents, configFile, serverModels } = this.#services;
		this.#loaded = configFile.inForce
			? loadedTools(sessions, agents, (tool) => serverModels.tool(tool))
			: nothing;
		const { roots } = this.#loaded;
		const redraw = this.#rows.update(roots);
		if (redraw === 'all') this.#changed.fire(undefined);
		else if (redraw.length > 0) this.#changed.fire([...redraw]);
		this.#setDescription();
		this.#setMessage();
		this.#setContexts();
	}

	#setDescription(): void {
		const { current, currentSurface } = this.#services.sessions;
		const isEmpty = this.#loaded.loading.size === 0;
		const description = isEmpty ? '' : loadedWords(loadedNow(currentSurface, current?.discovery));
		if (description !== (this.#view.description ?? '')) this.#view.description = description;
	}

	/** VS Code hides the welcome view while there is a message, so without rows there is none. */
	#setMessage(): void {
		const { current } = this.#services.sessions;
		const message = this.#loaded.loading.size === 0 ? '' : chatName(current?.discovery.log.firstPrompt);
		if (message !== (this.#view.message ?? '')) this.#view.message = message;
	}

	/** For a button of the view, and for steps of the walkthrough, which complete once the user has done them. */
	#setContexts(): void {
		const { serverModels, sessions, undo } = this.#services;
		const states = serverModels.servers
			.filter(({ isOfEditor }) => !isOfEditor)
			.map(({ status }) => status.state.kind);
		const now: Readonly<Record<string, boolean>> = {
			[contextKeys.canUndo]: undo.next !== undefined,
			[contextKeys.approved]: states.some((kind) => !['unapproved', 'disabled', 'forbidden'].includes(kind)),
			[contextKeys.unapproved]: states.includes('unapproved'),
			[contextKeys.asked]: sessions.current?.discovery.log.firstPrompt !== undefined,
		};
		for (const [key, value] of Object.entries(now))
			if (value !== (this.#contexts[key] ?? false))
				void vscode.commands.executeCommand('setContext', key, value);
		this.#contexts = now;
	}
}
