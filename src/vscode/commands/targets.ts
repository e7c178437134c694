import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount } from '../../chat/counts.ts';
import { firstSentence } from '../../common/text.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { Services } from '../../services.ts';
import { labelText } from '../ui/labelText.ts';
import { serverLook, toolLook } from '../ui/looks.ts';
import { dialogTitle, notify, say } from '../ui/messages.ts';
import { disabledNodes, type PlacedNode, type ServerNode, type ToolNode, toolNodes } from '../ui/nodes.ts';
import { type Choice, isSwitchedOff } from './choices.ts';

const nameLength = 100;
const detailLength = 200;

/**
 * What a command is called with. From a menu: the row that it was opened on, and all selected rows. By a key: the id of the view. From the
 * palette: nothing.
 */
export type CommandArguments = readonly unknown[];

/** What is selected in each view, by the view's id. */
export type Selections = ReadonlyMap<string, { readonly selection: readonly unknown[] }>;

/** Where commands find what they are for. */
type ChoosingContext = Pick<Services, 'sessions' | 'pool'> & { readonly views: Selections };

/**
 * The rows that a command was called on; `undefined`: none, so the user picks. Throws where the row is gone: while VS Code redraws a row it
 * hands over `undefined` in its place, and a command that was meant for one row must never run for others.
 */
export function rowsOf(args: CommandArguments, views: Selections): readonly unknown[] | undefined {
	const [first, others] = args;
	if (args.length === 0) return undefined;
	if (typeof first === 'string') return views.get(first)?.selection ?? [];
	if (first === undefined || first === null)
		throw new Error(l10n.t('that row is gone, so nothing was done. Try again on the row that is there now.'));
	return Array.isArray(others) && others.includes(first) ? others : [first];
}

/** The servers that a command is for: those of the rows it was called on, else one that the user picks. */
export async function chosenServers(
	args: CommandArguments,
	choice: Choice<ServerStatus>,
	{ sessions, pool, views }: ChoosingContext,
): Promise<readonly string[]> {
	const rows = rowsOf(args, views);
	const offered = pool.servers().filter((server) => choice.offers(server, sessions));
	if (rows) {
		const names = [...new Set(rows.map(serverOf).filter((name) => name !== undefined))];
		// Of several, some may have nothing to do. Of one row, the command itself says why it cannot.
		return names.length > 1 ? names.filter((name) => offered.some((server) => server.name === name)) : names;
	}
	const items = offered.map((server) => ({
		name: server.name,
		label: labelText(server.name, nameLength),
		description: [
			serverLook(server).word,
			...(server.listedAt === undefined ? [] : [toolCount(server.tools.length)]),
		].join(' · '),
	}));
	const picked = await pickOne(items, choice);
	return picked ? [picked.name] : [];
}

/** The tool that a command is for, in the same way. */
export async function chosenTool(
	args: CommandArguments,
	choice: Choice<ToolNode>,
	context: ChoosingContext,
): Promise<ToolNode | undefined> {
	return (await chosenNodes(args.slice(0, 1), choice, context)).find((node) => node.kind === 'tool');
}

/** The tools that a command is for: all that are selected, if the row is one of them. A key may be for whole servers, too. */
export async function chosenNodes(
	args: CommandArguments,
	choice: Choice<ToolNode>,
	{ sessions, views }: ChoosingContext,
): Promise<readonly PlacedNode[]> {
	const rows = rowsOf(args, views);
	if (rows) {
		const isKey = typeof args[0] === 'string';
		// A menu offers the command for its row.
		const isOffered = (node: ToolNode) => (!isKey && rows.length === 1) || choice.offers(node, sessions);
		const isFor = (node: unknown): node is PlacedNode =>
			(isNode(node, 'tool') && isOffered(node)) || (isKey && isWholeServer(node, choice));
		return saidIfNone(rows.filter(isFor), choice, isKey);
	}
	const offered = toolNodes(sessions).filter((node) => choice.offers(node, sessions));
	const picked = await pickOne(toolItems(offered), choice);
	return picked ? [picked.node] : [];
}

/** Whether all that is selected in the view that a key has named is disabled. */
export function allSwitchedOff([view]: CommandArguments, { sessions, views }: ChoosingContext): boolean {
	const selected = typeof view === 'string' ? (views.get(view)?.selection ?? []) : [];
	const isOff = (row: unknown) =>
		(isNode(row, 'server') || isNode(row, 'tool')) && isSwitchedOff(row, sessions.policy);
	return selected.length > 0 && selected.every(isOff);
}

/** The servers and tools that are to be disabled or enabled: all that are selected, if the row is one of them. */
export async function chosenToSwitch(
	args: CommandArguments,
	choice: Choice<PlacedNode>,
	{ sessions, pool, views }: ChoosingContext,
): Promise<readonly PlacedNode[]> {
	const isOffered = (node: unknown): node is PlacedNode =>
		(isNode(node, 'server') || isNode(node, 'tool')) && choice.offers(node, sessions);
	const rows = rowsOf(args, views);
	if (rows) return saidIfNone(rows.filter(isOffered), choice, typeof args[0] === 'string');
	const servers = pool
		.servers()
		.map((status) => ({ kind: 'server', status }) as const)
		.filter(isOffered)
		.map((node) => ({
			label: labelText(node.status.name, nameLength),
			description: serverLook(node.status).word,
			node,
		}));
	const tools = toolItems([...disabledNodes(sessions), ...toolNodes(sessions)].filter(isOffered));
	const picked = await pickOne<vscode.QuickPickItem & { readonly node: PlacedNode }>(
		[...servers, ...tools],
		choice,
	);
	return picked ? [picked.node] : [];
}

/** A key says where it has nothing to do: unlike a menu, it is not hidden there. */
function saidIfNone<T>(nodes: readonly T[], choice: Choice<never>, isKey: boolean): readonly T[] {
	if (isKey && nodes.length === 0) say(choice.nothingSelected ?? choice.nothing);
	return nodes;
}

function toolItems(nodes: readonly ToolNode[]) {
	return nodes.map((node) => ({
		label: labelText(node.tool.id, nameLength),
		description: toolLook(node.state).word,
		detail: labelText(firstSentence(node.tool.description ?? node.tool.title ?? ''), detailLength),
		node,
	}));
}

function isWholeServer(node: unknown, { forServers }: Choice<ToolNode>): boolean {
	return forServers === true && isNode(node, 'server') && !node.isOfEditor;
}

/** A key that is for a server works on its tools, too. */
function serverOf(node: unknown): string | undefined {
	if (isNode(node, 'server')) return node.isOfEditor ? undefined : node.status.name;
	return isNode(node, 'tool') && !node.isOfEditor ? node.tool.server : undefined;
}

async function pickOne<T extends vscode.QuickPickItem>(
	items: readonly T[],
	{
		command,
		title = dialogTitle(command),
		placeHolder,
		nothing,
	}: Pick<Choice<unknown>, 'command' | 'title' | 'placeHolder' | 'nothing'>,
): Promise<T | undefined> {
	if (items.length === 0) {
		void notify(nothing);
		return undefined;
	}
	return vscode.window.showQuickPick(items, {
		title,
		placeHolder,
		matchOnDescription: true,
		matchOnDetail: true,
	});
}

function isNode(node: unknown, kind: 'server'): node is ServerNode;
function isNode(node: unknown, kind: 'tool'): node is ToolNode;
function isNode(node: unknown, kind: string): boolean {
	return typeof node === 'object' && node !== null && 'kind' in node && node.kind === kind;
}
