import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigFile } from '../config/configFile.ts';
import { nextPlacing, type Placing } from '../servers/placing.ts';
import type { ToolNode } from '../servers/treeNodes.ts';
import type { UndoStack } from '../undo/undoStack.ts';
import { changeConfig, type EditModule, type Plan } from './configChanges.ts';
import { type LoadingParts, loadTools, unloadTools } from './loading.ts';
import { changeWords, outcomeWords, type PlacedNode } from './placementWords.ts';

/** What decides where tools stand. */
export interface PlacementParts extends LoadingParts {
	readonly configFile: ConfigFile;
	readonly undo: UndoStack;
}

const messageMs = 5000;

/** Does the same with several nodes: one change of the file, and one step to undo. */
export async function place(
	parts: PlacementParts,
	placing: Placing,
	nodes: readonly PlacedNode[],
): Promise<void> {
	if (nodes.length === 0) return;
	const what = changeWords(placing, nodes);
	const tools = nodes.filter((node) => node.kind === 'tool');
	const wireNames = tools.map(({ tool }) => tool.wireName);
	switch (placing) {
		case 'pin':
			return change(parts, what, (module) => nodes.map((node) => pinning(module, node)));
		case 'load':
			return remember(parts, what, loadTools(parts, wireNames));
		case 'unload':
			return remember(parts, what, unloadTools(parts, wireNames));
		case 'defer':
			return defer(parts, what, nodes);
	}
}

/** Does with tools what comes next in their cycle, all as the first of them, and says what has become of them. */
export async function cycle(parts: PlacementParts, nodes: readonly ToolNode[]): Promise<void> {
	const [first] = nodes;
	const placing = first && nextPlacing(first);
	if (!placing)
		throw new Error(l10n.t('nothing can be set for this tool: the toolset of the chat does not have it.'));
	const like = nodes.filter((node) => nextPlacing(node) === placing);
	await place(parts, placing, like);
	say(outcomeWords(placing, like));
}

/** Takes back what was done last to where tools stand. */
export async function undoLast({ undo }: Pick<PlacementParts, 'undo'>): Promise<void> {
	const what = await undo.undo();
	say(what === undefined ? l10n.t('nothing to undo.') : l10n.t('undone: {0}.', what));
}

/** Changes the configuration, as a step that can be undone; `what`: in few words. */
export async function change(
	{ configFile, undo }: Pick<PlacementParts, 'configFile' | 'undo'>,
	what: string,
	plansOf: (module: EditModule) => readonly Plan[],
): Promise<void> {
	const takeBack = await changeConfig(configFile, plansOf);
	if (takeBack) undo.push({ what, holds: () => true, undo: () => explained(what, takeBack) });
}

/** Deferring takes tools that the last used chat has loaded out of it, too; for some of them that is all there is to do. */
async function defer(parts: PlacementParts, what: string, nodes: readonly PlacedNode[]): Promise<void> {
	const wireNames = nodes.flatMap((node) => (node.kind === 'tool' ? [node.tool.wireName] : []));
	const unloaded = unloadTools(parts, wireNames);
	const placed = nodes.filter((node) => node.kind === 'server' || node.state !== 'activated');
	if (placed.length === 0) return remember(parts, what, unloaded);
	const takeBack = await changeConfig(parts.configFile, (module) =>
		placed.map((node) => deferring(module, node, parts)),
	);
	if (!takeBack) return remember(parts, what, unloaded);
	const undo = async () => {
		const reload = unloaded?.holds() ? unloaded : undefined;
		// First: once it is pinned again, it cannot be loaded.
		await reload?.undo();
		try {
			await explained(what, takeBack);
		} catch (error) {
			if (reload) unloadTools(parts, wireNames);
			throw error;
		}
	};
	parts.undo.push({ what, holds: () => true, undo });
}

function remember(
	{ undo }: Pick<PlacementParts, 'undo'>,
	what: string,
	step: ReturnType<typeof loadTools>,
): void {
	if (step) undo.push({ what, ...step });
}

function pinning({ pinServer, pinTool }: EditModule, node: PlacedNode): Plan {
	if (node.kind === 'server') return (text) => pinServer(text, node.status.name);
	const { server, name } = node.tool;
	return (text) => pinTool(text, server, name);
}

function deferring(
	{ deferServer, deferTool }: EditModule,
	node: PlacedNode,
	{ hub }: Pick<PlacementParts, 'hub'>,
): Plan {
	if (node.kind === 'server') return (text) => deferServer(text, node.status.name);
	const { server, name } = node.tool;
	const names = hub.catalog.tools.filter((tool) => tool.server === server).map((tool) => tool.name);
	return (text) => deferTool(text, server, name, names);
}

async function explained(what: string, takeBack: () => Promise<void>): Promise<void> {
	try {
		await takeBack();
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new Error(l10n.t('“{0}” cannot be undone: {1}', what, reason), { cause });
	}
}

function say(what: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${what}`, messageMs);
}
