import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { AgentUses } from '../../gateway/agentUses.ts';
import type { NodeRef } from '../actions/action.ts';
import { actions } from '../actions/table.ts';
import type { ServerModels } from '../core/serverModels.ts';
import { contextKeys, ids } from '../ui/ids.ts';
import { fileBaseName } from '../ui/labelText.ts';
import type { ToolNode } from '../ui/nodes.ts';
import { openToRead } from '../ui/readingEditor.ts';
import type { CallConfirmation } from '../ui/toolCalls.ts';
import { loadedTools, toolPage } from './loadedNodes.ts';

interface DetailServices {
	readonly serverModels: ServerModels;
	readonly sessions: ChatSessions;
	readonly agents: AgentUses;
	readonly confirmation: CallConfirmation;
}

/** Two clicks that are further apart are no double click: the usual limit of desktops. */
const doubleClickMs = 500;

/** How long a page that is opened may wait for its tool. Known tools are read from disk in a fraction of it. */
const restoreMs = 5_000;

/** Pages about tools, which follow what happens to them. Their URIs name the tools, so that VS Code can restore the tabs. */
export class ToolDetails implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly onDidChange = this.#changed.event;
	readonly #services: Promise<DetailServices>;
	readonly #subscriptions: { dispose(): void }[];
	#lastClick: { readonly uri: string; readonly at: number } | undefined;
	/** The pages that this window has shown. */
	readonly #pages = new Set<string>();

	/** `services`: a promise, because VS Code may restore a tab before they exist. */
	constructor(services: Promise<DetailServices>) {
		this.#services = services;
		this.#subscriptions = [
			this.#changed,
			vscode.workspace.registerTextDocumentContentProvider(ids.toolScheme, this),
		];
		void services.then(({ serverModels }) =>
			this.#subscriptions.push(serverModels.onDidChange(() => this.#refresh())),
		);
	}

	/** Opens the page of a tool. From a row, the focus goes there only on a double click, which VS Code reports as two clicks. */
	async show({ tool }: ToolNode, from: 'row' | 'palette'): Promise<void> {
		const { server, name } = tool;
		const query = new URLSearchParams({ server, tool: name }).toString();
		const uri = vscode.Uri.from({ scheme: ids.toolScheme, path: `/${fileBaseName(name)}.md`, query });
		const [last, now] = [this.#lastClick, { uri: uri.toString(), at: performance.now() }];
		this.#lastClick = now;
		const isDouble = last?.uri === now.uri && now.at - last.at < doubleClickMs;
		const preserveFocus = from === 'row' && !isDouble;
		await openToRead(await vscode.workspace.openTextDocument(uri), { preview: true, preserveFocus });
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const services = await this.#services;
		if (!this.#pages.has(uri.toString())) await whenKnown(uri, services.serverModels);
		this.#pages.add(uri.toString());
		this.#setActions(services);
		return textOf(uri, services);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	async #refresh(): Promise<void> {
		const services = await this.#services;
		for (const document of vscode.workspace.textDocuments) {
			const { uri } = document;
			if (uri.scheme === ids.toolScheme && textOf(uri, services) !== document.getText())
				this.#changed.fire(uri);
		}
		this.#setActions(services);
	}

	#setActions({ serverModels }: DetailServices): void {
		if (this.#pages.size === 0) return;
		for (const name of ['pinServer', 'deferServer'] as const) {
			const fitting = [...this.#pages].filter((page) => {
				const node = nodeAt(vscode.Uri.parse(page), serverModels);
				return node && actions[name].appliesTo?.(node);
			});
			void vscode.commands.executeCommand('setContext', `${contextKeys.pages}.${name}`, fitting);
		}
	}
}

/**
 * VS Code restores a page before servers are known. Its Markdown preview misses a change that comes before the preview is ready, so the page
 * waits for its tool.
 */
function whenKnown(uri: vscode.Uri, serverModels: ServerModels): Promise<void> {
	if (nodeAt(uri, serverModels)) return Promise.resolve();
	return new Promise((resolve) => {
		const end = () => {
			listener.dispose();
			clearTimeout(timer);
			resolve();
		};
		const listener = serverModels.onDidChange(() => {
			if (nodeAt(uri, serverModels)) end();
		});
		const timer = setTimeout(end, restoreMs);
	});
}

function textOf(uri: vscode.Uri, { serverModels, sessions, agents, confirmation }: DetailServices): string {
	const node = nodeAt(uri, serverModels);
	if (!node) return `${l10n.t('This tool does not exist now.')}\n`;
	return toolPage(
		node,
		loadedTools(sessions, agents, (tool) => serverModels.tool(tool)),
		confirmation.verdict({ tool: node.tool }),
	);
}

function nodeAt(uri: vscode.Uri, serverModels: ServerModels): ToolNode | undefined {
	const { server, tool } = toolAt(uri) ?? {};
	return server !== undefined && tool !== undefined ? serverModels.tool({ server, name: tool }) : undefined;
}

/** The tool whose page has this URI. */
export function toolAt({ scheme, query }: vscode.Uri): NodeRef | undefined {
	const names = new URLSearchParams(scheme === ids.toolScheme ? query : '');
	const [server, tool] = [names.get('server'), names.get('tool')];
	return server === null || tool === null ? undefined : { server, tool };
}
