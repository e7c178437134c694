import * as vscode from 'vscode';
import { placement } from '../../discovery/partition.ts';
import { firstSentence, toolCount } from '../../discovery/text.ts';
import type { ServerPool, ServerStatus } from '../../mcp/serverPool.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { serverLook } from '../servers/serverWords.ts';
import { type ServerNode, type ToolNode, toolNodes } from '../servers/treeNodes.ts';
import { toolLooks } from '../servers/treeRows.ts';

/** What a command that was called without a server or tool offers to choose from. */
export interface Choice<T> {
	/** The command's own title. */
	readonly title: string;
	/** What the command has something to do for. */
	readonly offers: (candidate: T, hub: DiscoveryHub) => boolean;
	/** Said where that is nothing. */
	readonly nothing: string;
}

/** What a menu hands over, or nothing where a command came from the palette. */
export type CommandArguments = readonly unknown[];

/** The server that a command is for: that of the row it was called on, else one that the user picks. */
export async function chosenServer(
	args: CommandArguments,
	choice: Choice<ServerStatus>,
	{ hub, pool }: { readonly hub: DiscoveryHub; readonly pool: ServerPool },
): Promise<string | undefined> {
	if (args.length > 0) return isNode(args[0], 'server') ? args[0].status.name : undefined;
	const items = pool
		.servers()
		.filter((server) => choice.offers(server, hub))
		.map((server) => ({
			label: server.name,
			description: [
				serverLook(server).word,
				...(server.listedAt === undefined ? [] : [toolCount(server.tools.length)]),
			].join(' · '),
		}));
	return (await pickOne(items, choice))?.label;
}

/** The tool that a command is for, in the same way. */
export async function chosenTool(
	args: CommandArguments,
	choice: Choice<ToolNode>,
	hub: DiscoveryHub,
): Promise<ToolNode | undefined> {
	// A row that is being redrawn is handed over as nothing. The user meant that row: a list of all tools would only startle.
	if (args.length > 0) return isNode(args[0], 'tool') ? args[0] : undefined;
	const items = toolNodes(hub)
		.filter((node) => choice.offers(node, hub))
		.map((node) => ({
			label: node.tool.id,
			description: toolLooks[node.state].word,
			detail: firstSentence(node.tool.description ?? node.tool.title ?? ''),
			node,
		}));
	return (await pickOne(items, choice))?.node;
}

const isRunning = ({ state }: ServerStatus) => state.kind === 'ready' || state.kind === 'starting';
const placed = ({ tool }: ToolNode, { policy }: DiscoveryHub) => placement(tool, policy);
const placedTools = ({ tools }: ServerStatus, { policy }: DiscoveryHub) =>
	tools.map((tool) => placement(tool, policy));

/** What the commands for one server are offered for. */
export const serverChoices = {
	start: {
		title: 'Start Server',
		offers: (server) => !isRunning(server),
		nothing: 'nothing to start: every configured server runs.',
	},
	stop: { title: 'Stop Server', offers: isRunning, nothing: 'nothing to stop: no server runs.' },
	restart: { title: 'Restart Server', offers: isRunning, nothing: 'nothing to restart: no server runs.' },
	showLog: { title: 'Show Server Log', offers: () => true, nothing: 'no server is configured.' },
	pin: {
		title: 'Pin All Tools of Server',
		offers: (server, hub) => !placedTools(server, hub).every((place) => place === 'pinned'),
		nothing: 'nothing to pin: every tool is pinned, or none is known yet.',
	},
	defer: {
		title: 'Defer All Tools of Server',
		offers: (server, hub) => placedTools(server, hub).some((place) => place !== 'deferred'),
		nothing: 'nothing to defer: every tool is deferred, or none is known yet.',
	},
} satisfies Record<string, Choice<ServerStatus>>;

/** What the commands for one tool are offered for. */
export const toolChoices = {
	pin: {
		title: 'Pin Tool',
		offers: (node, hub) => !node.unconfigured && placed(node, hub) !== 'pinned',
		nothing: 'nothing to pin: every tool is pinned, or none is known yet.',
	},
	defer: {
		title: 'Defer Tool',
		offers: (node, hub) =>
			!node.unconfigured && (placed(node, hub) !== 'deferred' || node.state === 'activated'),
		nothing: 'nothing to defer: every tool is deferred, or none is known yet.',
	},
	run: {
		title: 'Run Tool',
		offers: (node) => !node.unconfigured,
		nothing: 'nothing to run: no tool is known yet.',
	},
	load: {
		title: 'Load Tool for the Last Used Chat',
		offers: ({ state }) => state === 'deferred',
		nothing: 'nothing to load: no tool is deferred.',
	},
	unload: {
		title: 'Unload Tool from the Last Used Chat',
		offers: ({ state }) => state === 'activated',
		nothing: 'nothing to unload: the last used chat has loaded no tool.',
	},
} satisfies Record<string, Choice<ToolNode>>;

async function pickOne<T extends vscode.QuickPickItem>(
	items: readonly T[],
	{ title, nothing }: Pick<Choice<unknown>, 'title' | 'nothing'>,
): Promise<T | undefined> {
	if (items.length === 0) {
		void vscode.window.showInformationMessage(`Discovery: ${nothing}`);
		return undefined;
	}
	return vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
}

function isNode(node: unknown, kind: 'server'): node is ServerNode;
function isNode(node: unknown, kind: 'tool'): node is ToolNode;
function isNode(node: unknown, kind: string): boolean {
	return typeof node === 'object' && node !== null && 'kind' in node && node.kind === kind;
}
