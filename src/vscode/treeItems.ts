import * as vscode from 'vscode';
import { type CatalogTool, toolDefinition } from '../discovery/catalog.ts';
import { code, plain } from '../discovery/markdown.ts';
import { parameterList } from '../discovery/searchTools/parameterList.ts';
import { firstSentence, oneLine } from '../discovery/text.ts';
import { estimateDefinitionTokens } from '../discovery/tokens.ts';
import type { ServerStatus } from '../mcp/serverPool.ts';
import type { ToolState } from './discoveryHub.ts';

/** A server with its tools, as the tree shows them. */
export interface ServerNode {
	readonly kind: 'server';
	readonly status: ServerStatus;
	readonly tools: readonly ToolNode[];
}

/** One tool in the tree. */
export interface ToolNode {
	readonly kind: 'tool';
	readonly tool: CatalogTool;
	readonly state: ToolState;
}

/** A fault of the configuration, as a line that leads to it. */
export interface ProblemNode {
	readonly kind: 'problem';
	readonly message: string;
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
}

export type TreeNode = ServerNode | ToolNode | ProblemNode;

/** Icon and word of each state of a tool. */
const toolStates: Record<
	ToolState,
	{ readonly icon: string; readonly color?: string; readonly word: string }
> = {
	pinned: { icon: 'pinned', word: 'pinned' },
	loaded: { icon: 'circle-filled', color: 'charts.green', word: 'loaded' },
	activated: { icon: 'pass-filled', color: 'charts.green', word: 'loaded' },
	deferred: { icon: 'circle-outline', word: 'deferred' },
};

export function problemItem(node: ProblemNode): vscode.TreeItem {
	const item = new vscode.TreeItem(oneLine(node.message, 200));
	item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
	item.tooltip = node.message;
	item.contextValue = 'problem';
	item.command = {
		command: 'vscode.open',
		title: 'Open Configuration',
		arguments: [node.uri, { selection: node.range }],
	};
	return item;
}

export function toolItem({ tool, state }: ToolNode): vscode.TreeItem {
	const { icon, color, word } = toolStates[state];
	const tokens = estimateDefinitionTokens(toolDefinition(tool));
	const item = new vscode.TreeItem(oneLine(tool.name, 100));
	item.id = `tool ${tool.wireName}`;
	item.description = `${word} · ≈${shortNumber(tokens)} tokens`;
	item.iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
	item.contextValue = `tool.${state}`;
	item.tooltip = new vscode.MarkdownString(
		[
			`**${plain(tool.id)}** (${word})`,
			plain(firstSentence(tool.description ?? tool.title ?? 'No description.'), 500),
			`Parameters: ${plain(parameterList(tool.inputSchema))}`,
			`≈${tokens} tokens (estimated) · models call it ${code(tool.wireName)}`,
		].join('\n\n'),
	);
	item.accessibilityInformation = { label: `${tool.name}, ${word}, about ${tokens} tokens` };
	return item;
}

export function serverItem({ status, tools }: ServerNode): vscode.TreeItem {
	const { icon, color, word } = serverState(status);
	const loaded = tools.filter(({ state }) => state !== 'deferred');
	const tokens = tools.reduce((sum, { tool }) => sum + estimateDefinitionTokens(toolDefinition(tool)), 0);
	const cached = status.cached;
	const item = new vscode.TreeItem(
		oneLine(status.name, 100),
		tools.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
	);
	item.id = `server ${status.name}`;
	item.description = tools.length === 0 ? word : facts(status, tools.length, loaded.length, tokens);
	item.iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
	const running = status.state.kind === 'ready' || status.state.kind === 'starting';
	const deferred = tools.every(({ state }) => state === 'deferred' || state === 'activated');
	item.contextValue = `server.${running ? 'running' : 'stopped'}.${deferred ? 'deferred' : 'open'}`;
	item.tooltip = new vscode.MarkdownString(
		[
			`**${plain(status.name)}** — ${plain(word)}`,
			...(cached ? ['The tools are as of its last run; it starts when one of them is called.'] : []),
			...(status.description ? [plain(status.description, 300)] : []),
			...(status.state.kind === 'failed' ? [plain(status.state.error.message, 1000)] : []),
			...(status.cutShort ? [plain(status.cutShort, 300)] : []),
			...(status.listError ? [plain(status.listError.message, 500)] : []),
			...status.dropped.map(({ name, reason }) => `Left out: ${code(name)} (${plain(reason, 200)})`),
		].join('\n\n'),
	);
	item.accessibilityInformation = { label: `${status.name}, ${word}, ${item.description}` };
	return item;
}

/** `8 tools · 2 loaded · ≈1.2k tokens`; the state comes first where it is not that of a running server. */
function facts(status: ServerStatus, tools: number, loaded: number, tokens: number): string {
	const { short } = serverState(status);
	return [
		...(short ? [short] : []),
		`${tools} ${tools === 1 ? 'tool' : 'tools'}`,
		...(loaded > 0 ? [`${loaded} loaded`] : []),
		`≈${shortNumber(tokens)} tokens`,
	].join(' · ');
}

interface Look {
	readonly icon: string;
	readonly color?: string;
	readonly word: string;
	/** Before the counts; nothing where all is as it should be. */
	readonly short?: string;
}

/** Icon and words of each state of a server. */
function serverState({ state, cached }: ServerStatus): Look {
	switch (state.kind) {
		case 'stopped':
			return { icon: 'vm', word: 'not running', short: cached ? 'cached' : 'stopped' };
		case 'starting':
			return { icon: 'loading~spin', word: 'starting…', short: 'starting…' };
		case 'ready':
			return { icon: 'vm-running', color: 'charts.green', word: 'running' };
		case 'failed':
			return {
				icon: 'error',
				color: 'problemsErrorIcon.foreground',
				word: `failed: ${oneLine(state.error.message, 80)}`,
				short: 'failed',
			};
	}
}

function shortNumber(n: number): string {
	return n < 1000 ? `${n}` : `${(n / 1000).toFixed(1)}k`;
}
