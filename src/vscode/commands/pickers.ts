import * as vscode from 'vscode';
import { placement } from '../../discovery/partition.ts';
import { firstSentence } from '../../discovery/text.ts';
import type { ServerPool, ServerStatus } from '../../mcp/serverPool.ts';
import { toolCount } from '../counts.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { nextPlacing } from '../servers/placing.ts';
import { serverLook } from '../servers/serverWords.ts';
import { type ServerNode, type ToolNode, toolNodes } from '../servers/treeNodes.ts';
import { toolLooks } from '../servers/treeRows.ts';
import type { PlacedNode } from './placement.ts';

const messageMs = 5000;

/** What a command that was called without a server or tool offers to choose from. */
export interface Choice<T> {
	/** The command's own title. */
	readonly title: string;
	/** What the command has something to do for. */
	readonly offers: (candidate: T, hub: DiscoveryHub) => boolean;
	/** Said where that is nothing. */
	readonly nothing: string;
	/** Said where that is nothing of what is selected in a view; absent in what is not for several. */
	readonly nothingSelected?: string;
	/** Whether a key that runs it is for whole servers, too. */
	readonly forServers?: true;
}

/**
 * What a menu hands over: the row it was opened on, and all that are selected. A key hands over the id of its view. Nothing: a command
 * came from the palette.
 */
export type CommandArguments = readonly unknown[];

/** What is selected in each view, by the view's id. */
export type Selections = ReadonlyMap<string, { readonly selection: readonly unknown[] }>;

/** Where commands find what they are for. */
interface ChoosingParts {
	readonly hub: DiscoveryHub;
	readonly views: Selections;
}

/** The server that a command is for: that of the row it was called on, else one that the user picks. */
export async function chosenServer(
	args: CommandArguments,
	choice: Choice<ServerStatus>,
	{ hub, pool, views }: ChoosingParts & { readonly pool: ServerPool },
): Promise<string | undefined> {
	if (args.length > 0) return serverOf(selectedIn(views, args[0])?.[0] ?? args[0]);
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
	parts: ChoosingParts,
): Promise<ToolNode | undefined> {
	return (await chosenNodes(args.slice(0, 1), choice, parts)).find((node) => node.kind === 'tool');
}

/** The tools that a command is for: all that are selected, if the row is one of them. A key may be for whole servers, too. */
export async function chosenNodes(
	args: CommandArguments,
	choice: Choice<ToolNode>,
	{ hub, views }: ChoosingParts,
): Promise<readonly PlacedNode[]> {
	const [first, others] = args;
	const isOffered = (node: unknown) => isNode(node, 'tool') && choice.offers(node, hub);
	const selected = selectedIn(views, first);
	if (selected) {
		const nodes = selected.filter((node) => isOffered(node) || isWholeServer(node, choice)) as PlacedNode[];
		if (nodes.length === 0) sayNothing(choice.nothingSelected ?? choice.nothing);
		return nodes;
	}
	if (Array.isArray(others) && others.length > 1 && others.includes(first)) return others.filter(isOffered);
	// A row that is being redrawn is handed over as nothing. The user meant that row: a list of all tools would only startle.
	if (args.length > 0) return isNode(first, 'tool') ? [first] : [];
	const picked = await pickOne(toolItems(hub, choice), choice);
	return picked ? [picked.node] : [];
}

function toolItems(hub: DiscoveryHub, choice: Choice<ToolNode>) {
	return toolNodes(hub)
		.filter((node) => choice.offers(node, hub))
		.map((node) => ({
			label: node.tool.id,
			description: toolLooks[node.state].word,
			detail: firstSentence(node.tool.description ?? node.tool.title ?? ''),
			node,
		}));
}

/** What is selected, where a key has named its view. */
function selectedIn(views: Selections, argument: unknown): readonly unknown[] | undefined {
	return typeof argument === 'string' ? (views.get(argument)?.selection ?? []) : undefined;
}

function isWholeServer(node: unknown, { forServers }: Choice<ToolNode>): boolean {
	return forServers === true && isNode(node, 'server') && !node.unconfigured;
}

/** A key that is for a server works on its tools, too. */
function serverOf(node: unknown): string | undefined {
	if (isNode(node, 'server')) return node.unconfigured ? undefined : node.status.name;
	return isNode(node, 'tool') && !node.unconfigured ? node.tool.server : undefined;
}

function sayNothing(what: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${what}`, messageMs);
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
		nothingSelected: 'nothing to pin in the selection.',
		forServers: true,
	},
	defer: {
		title: 'Defer Tool',
		offers: (node, hub) =>
			!node.unconfigured && (placed(node, hub) !== 'deferred' || node.state === 'activated'),
		nothing: 'nothing to defer: every tool is deferred, or none is known yet.',
		nothingSelected: 'nothing to defer in the selection.',
		forServers: true,
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
		nothingSelected: 'nothing to load in the selection.',
	},
	unload: {
		title: 'Unload Tool from the Last Used Chat',
		offers: ({ state }) => state === 'activated',
		nothing: 'nothing to unload: the last used chat has loaded no tool.',
		nothingSelected: 'nothing in the selection was loaded by the last used chat.',
	},
	cycle: {
		title: 'Cycle State of Tool',
		offers: (node) => nextPlacing(node) !== undefined,
		nothing: 'no tool is known yet.',
		nothingSelected: 'no tool is selected whose state can be set.',
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
