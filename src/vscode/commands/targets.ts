import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount } from '../../chat/counts.ts';
import { isRecord } from '../../common/json.ts';
import { firstSentence } from '../../common/text.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import type { Action, ActionNode, CommandArguments, NodeRef } from '../actions/action.ts';
import { actions } from '../actions/table.ts';
import type { ServerModels } from '../core/serverModels.ts';
import { toolAt } from '../trees/toolDetails.ts';
import { type CommandName, commands } from '../ui/ids.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { failedName, toolLook } from '../ui/looks.ts';
import { dialogTitle, notify, say } from '../ui/messages.ts';
import {
	type FaultyServer,
	nodeLook,
	type ProblemNode,
	type ProblemsNode,
	type ServerNode,
	type ToolNode,
} from '../ui/nodes.ts';

/** The selection of each view, by the view's id. */
export type Selections = ReadonlyMap<string, { readonly selection: readonly unknown[] }>;

/** An action with the nodes that it runs on. */
export interface Targets {
	readonly name: CommandName;
	readonly nodes: readonly ActionNode[];
}

interface TargetContext {
	readonly serverModels: ServerModels;
	readonly views: Selections;
}

/**
 * The nodes that an action runs on: the nodes it was called on, or a node that the user picks. `undefined`: there is none, and the user knows why.
 * Rejects if the action does not apply to the nodes that it was called on.
 */
export async function findTargets(
	name: CommandName,
	called: CommandArguments,
	context: TargetContext,
): Promise<Targets | undefined> {
	const action = actions[name];
	const { appliesTo, single, asks, titles, editor } = action;
	const [first] = called;
	if (!appliesTo) return { name, nodes: [] };
	if (called.length === 0 && asks) return { name, nodes: [] };
	if (called.length === 0) return pickNode(name, appliesTo, context);
	const view = typeof first === 'string' ? context.views.get(first) : undefined;
	if (view) return selected(name, view, context);
	// The title bar of a view passes the focused row, if any, whatever it is.
	const focused = nodeOf(first, context);
	if (titles && asks && !(focused && appliesTo(focused))) return { name, nodes: [] };
	// Actions on one node run on the clicked row, whatever else is selected.
	const nodes = fitted(action, nodesIn(single ? [first] : called, context), context);
	// Without a node the action could run on everything, so unknown arguments stop it. Editors pass their URI.
	if (nodes.length === 0 && !editor) return undefined;
	const [only] = nodes;
	if (nodes.length === 1) {
		if (only && !appliesTo(only)) throw notFor(name, nodeName(only));
		return { name, nodes: only ? [only] : [] };
	}
	const fitting = nodes.filter(appliesTo);
	if (nodes.length > 0 && fitting.length === 0) throw notFor(name, l10n.t('the selection'));
	return { name, nodes: fitting };
}

/**
 * The selected rows of a view if there are several, else the row that has the focus: the arrow keys move the focus without selecting. VS Code
 * does not report the focus, so its selection is toggled twice. Selecting the row would open it.
 */
async function rowsOf(view: { readonly selection: readonly unknown[] }): Promise<readonly unknown[]> {
	const previousSelection = new Set(view.selection);
	if (previousSelection.size > 1) return [...previousSelection];
	await vscode.commands.executeCommand('list.toggleSelection');
	const focused = previousSelection.symmetricDifference(new Set(view.selection));
	await vscode.commands.executeCommand('list.toggleSelection');
	return [...(focused.size > 0 ? focused : previousSelection)];
}

/** The nodes of a view that a key acts on. A key, unlike a menu entry, is not hidden where it does not apply, so it says so. */
async function selected(
	name: CommandName,
	view: { readonly selection: readonly unknown[] },
	context: TargetContext,
): Promise<Targets | undefined> {
	const rows = await rowsOf(view);
	const rowNodes = rows.flatMap((row) => nodeOf(row, context) ?? []);
	const fitting = (candidate: CommandName) =>
		fitted(actions[candidate], rowNodes, context).filter((node) => actions[candidate].appliesTo?.(node));
	const { otherwise, single } = actions[name];
	const nodes = fitting(name);
	if (nodes.length > 0) return { name, nodes: single ? nodes.slice(0, 1) : nodes };
	const others = otherwise ? fitting(otherwise) : [];
	if (otherwise && others.length > 0) return { name: otherwise, nodes: others };
	say(notFor(name, l10n.t('the selection')).message);
	return undefined;
}

/**
 * The nodes that a command was called on. While VS Code redraws a row it passes `undefined` instead, and a command for one row must never run on
 * others.
 */
function nodesIn([first, others]: CommandArguments, context: TargetContext): readonly ActionNode[] {
	if (first === undefined || first === null)
		throw new Error(l10n.t('that row has just changed, so nothing was done. Try again.'));
	const rows = Array.isArray(others) && others.includes(first) ? others : [first];
	const nodes = rows.flatMap((row) => nodeOf(row, context) ?? []);
	const ref = refOf(first);
	if (nodes.length === 0 && ref) {
		const name = ref.tool === undefined ? ref.server : toolId({ server: ref.server, name: ref.tool });
		throw new Error(l10n.t('{0} no longer exists.', labelText(name)));
	}
	return nodes;
}

/** The current node for a row or a {@link NodeRef}. */
function nodeOf(value: unknown, { serverModels }: TargetContext): ActionNode | undefined {
	if (isRecord(value) && value.kind === 'origin' && value.uri instanceof vscode.Uri) {
		const { uri, client } = value;
		return { kind: 'origin', uri, ...(typeof client === 'string' && { client }) };
	}
	if (isProblemRow(value)) return value;
	const ref = refOf(value);
	if (!ref) return undefined;
	const { server, tool: name } = ref;
	if (name !== undefined) return serverModels.tool({ server, name });
	return serverModels.server(server) ?? serverModels.faulty.find((entry) => entry.name === server);
}

function isProblemRow(value: unknown): value is ProblemNode | ProblemsNode {
	return isRecord(value) && (value.kind === 'problem' || value.kind === 'problems');
}

function refOf(value: unknown): NodeRef | undefined {
	if (value instanceof vscode.Uri) return toolAt(value);
	if (!isRecord(value)) return undefined;
	const { server, tool, status, kind, name } = value;
	if (kind === 'faulty') return refOf({ server: name });
	if (isRecord(tool)) return refOf({ server: tool.server, tool: tool.name });
	if (isRecord(status)) return refOf({ server: status.name });
	if (typeof server !== 'string') return undefined;
	return typeof tool === 'string' ? { server, tool } : { server };
}

/** The nodes that an action looks at: the tools themselves, or their servers, each once. */
function fitted(
	{ ofServerOfTool }: Action,
	nodes: readonly ActionNode[],
	{ serverModels }: TargetContext,
): readonly ActionNode[] {
	const all = nodes.map((node) =>
		ofServerOfTool && node.kind === 'tool' ? (serverModels.server(node.tool.server) ?? node) : node,
	);
	return [...new Set(all)];
}

async function pickNode(
	name: CommandName,
	appliesTo: (node: ActionNode) => boolean,
	{ serverModels: { servers, faulty } }: TargetContext,
): Promise<Targets | undefined> {
	const fitting = [...servers, ...faulty].filter(appliesTo);
	const tools = servers.flatMap(({ tools }) => tools).filter(appliesTo);
	const items = [...fitting, ...tools].map(pickItem);
	const title = dialogTitle(commands[name]);
	if (items.length === 0) {
		void notify(actions[name].nothing?.() ?? l10n.t('no server or tool fits “{0}”.', title));
		return undefined;
	}
	const placeHolder =
		fitting.length === 0
			? l10n.t('Select a tool')
			: tools.length === 0
				? l10n.t('Select a server')
				: l10n.t('Select a server or a tool');
	const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
	const picked = await vscode.window.showQuickPick(items, options);
	return picked && { name, nodes: [picked.node] };
}

function pickItem(node: ServerNode | FaultyServer | ToolNode) {
	if (node.kind === 'tool') {
		return {
			label: labelText(node.tool.id),
			description: toolLook(node.state).word,
			detail: labelText(firstSentence(node.tool.description ?? node.tool.title ?? ''), lineLength),
			node,
		};
	}
	if (node.kind === 'faulty')
		return {
			label: labelText(node.name),
			description: failedName(l10n.t('errors in its configuration entry')),
			node,
		};
	const count = node.status.listedAt === undefined ? [] : [toolCount(node.status.tools.length)];
	return {
		label: labelText(node.status.name),
		description: [nodeLook(node).word, ...count].join(' · '),
		node,
	};
}

function notFor(name: CommandName, subject: string): Error {
	return new Error(l10n.t('“{0}” does not apply to {1} now.', dialogTitle(commands[name]), subject));
}

function nodeName(node: ActionNode): string {
	if (node.kind === 'origin') return labelText(node.uri.path);
	if (node.kind === 'problem' || node.kind === 'problems') return l10n.t('the selection');
	if (node.kind === 'faulty') return labelText(node.name);
	return labelText(node.kind === 'tool' ? node.tool.id : node.status.name);
}
