import * as l10n from '@vscode/l10n';
import { applyEdits } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/sessions.ts';
import * as configEdits from '../../config/file/edit.ts';
import { type ConfigEdits, combinedEdits, type TextChange, undoEdit } from '../../config/file/textEdit.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Services } from '../../services.ts';
import { labelText } from '../ui/labelText.ts';
import { say } from '../ui/messages.ts';
import type { PlacedNode, ToolNode } from '../ui/nodes.ts';
import { changeLabel, nextAction, outcomeLabel, type ToolAction } from './toolActions.ts';
import { loadByHand, type UndoStep } from './undo.ts';

type PlacementServices = Pick<Services, 'sessions' | 'configFile' | 'undo'>;
type LoadingServices = Pick<Services, 'sessions' | 'undo'>;

/** Does the same with several nodes: one change of the file, and one step to undo. */
export async function place(
	services: PlacementServices,
	placing: ToolAction,
	nodes: readonly PlacedNode[],
): Promise<void> {
	if (nodes.length === 0) return;
	const what = changeLabel(placing, nodes);
	const tools = nodes.filter((node) => node.kind === 'tool');
	const wireNames = tools.map(({ tool }) => tool.wireName);
	switch (placing) {
		case 'pin':
			return change(services, what, (module) => nodes.map((node) => pinning(module, node)));
		case 'load':
			return remember(services, what, loadTools(services, wireNames));
		case 'unload':
			return remember(services, what, unloadTools(services, wireNames));
		case 'defer':
			return defer(services, what, nodes);
	}
}

/** Does with tools what comes next in their cycle, all as the first of them, and says what has become of them. */
export async function cycle(services: PlacementServices, nodes: readonly ToolNode[]): Promise<void> {
	const [first] = nodes;
	const placing = first && nextAction(first);
	if (!placing)
		throw new Error(l10n.t('nothing can be set for this tool: the toolset of the chat does not have it.'));
	const like = nodes.filter((node) => nextAction(node) === placing);
	await place(services, placing, like);
	say(outcomeLabel(placing, like));
}

/** Takes back what was done last to where tools stand. */
export async function undoLast({ undo }: Pick<PlacementServices, 'undo'>): Promise<void> {
	const what = await undo.undo();
	say(what === undefined ? l10n.t('nothing to undo.') : l10n.t('undone: {0}.', what));
}

/** Changes the configuration, as a step that can be undone; `what`: in few words. */
export async function change(
	{ configFile, undo }: Pick<PlacementServices, 'configFile' | 'undo'>,
	what: string,
	plansOf: (module: EditModule) => readonly Plan[],
): Promise<void> {
	const takeBack = await changeConfig(configFile, plansOf);
	if (takeBack) undo.push({ what, holds: () => true, undo: () => explained(what, takeBack) });
}

/** Deferring takes tools that the last used chat has loaded out of it, too; for some of them that is all there is to do. */
async function defer(services: PlacementServices, what: string, nodes: readonly PlacedNode[]): Promise<void> {
	const wireNames = nodes.flatMap((node) => (node.kind === 'tool' ? [node.tool.wireName] : []));
	const unloaded = unloadTools(services, wireNames);
	const placed = nodes.filter((node) => node.kind === 'server' || node.state !== 'activated');
	if (placed.length === 0) return remember(services, what, unloaded);
	const takeBack = await changeConfig(services.configFile, (module) =>
		placed.map((node) => deferring(module, node, services)),
	);
	if (!takeBack) return remember(services, what, unloaded);
	const undo = async () => {
		const isLoading = unloaded?.holds() === true;
		// First: once it is pinned again, it cannot be loaded.
		if (isLoading) await unloaded.undo();
		try {
			await explained(what, takeBack);
		} catch (error) {
			if (isLoading) remember(services, what, unloadTools(services, wireNames));
			throw error;
		}
	};
	services.undo.push({ what, ...unloaded, holds: () => true, undo });
}

function remember({ undo }: Pick<PlacementServices, 'undo'>, what: string, step: UndoStep | undefined): void {
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
	{ sessions }: Pick<PlacementServices, 'sessions'>,
): Plan {
	if (node.kind === 'server') return (text) => deferServer(text, node.status.name);
	const { server, name } = node.tool;
	const names = sessions.catalog.tools.filter((tool) => tool.server === server).map((tool) => tool.name);
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

const nameLength = 80;

/** Loads tools for the last used chat; `undefined`: it has them all. */
function loadTools(
	{ sessions }: Pick<Services, 'sessions'>,
	wireNames: readonly string[],
): UndoStep | undefined {
	const chat = sessions.currentOrNext();
	const { discovery } = chat;
	const before = discovery.activatedByUse;
	const names = wireNames.filter((name) => !isActive(chat, name));
	for (const name of names) loadByHand(sessions, name);
	sayCrowded(names.map((name) => discovery.surface.get(name)).filter((tool) => isLeftOut(chat, tool)));
	if (!names.some((name) => isActive(chat, name))) return undefined;
	const gone = before.filter(({ tool }) => !isActive(chat, tool.wireName));
	sayEvicted(gone.map(({ tool }) => tool));
	return {
		holds: () => sessions.current === chat && names.some((name) => isActive(chat, name)),
		undo: () => {
			discovery.unload(discovery.activated.filter(({ wireName }) => names.includes(wireName)));
			for (const { activation } of gone) loadByHand(sessions, activation.wireName, activation);
		},
	};
}

/** Unloads tools from the last used chat; `undefined`: it has loaded none of them. */
function unloadTools(
	{ sessions, undo }: LoadingServices,
	wireNames: readonly string[],
): UndoStep | undefined {
	const chat = sessions.current;
	if (!chat) return undefined;
	const { discovery } = chat;
	const tools = wireNames.map((name) => discovery.surface.get(name)).filter((tool) => tool !== undefined);
	// Of what has been pinned meanwhile, too: it is loaded anyway, but the chat would keep it once it is pinned no more.
	const { activations } = discovery.state;
	const taken = tools
		.map(({ wireName }) => activations.find((activation) => activation.wireName === wireName))
		.filter((activation) => activation !== undefined);
	discovery.unload(tools);
	return taken.length === 0 ? undefined : undo.unloading(chat, taken);
}

/** Loads what was unloaded last, for the reason it was loaded for. */
export function undoUnload({ sessions, undo }: LoadingServices): void {
	const unload = sessions.current && undo.lastUnload(sessions.current);
	if (!unload) throw new Error(l10n.t('nothing to undo: no tool was unloaded from the last used chat.'));
	sayEvicted(loadByHand(sessions, unload.tool.wireName, unload.activation));
}

function isActive({ discovery }: ChatSession, wireName: string): boolean {
	return discovery.activated.some((tool) => tool.wireName === wireName);
}

/** Whether a tool could have been loaded and is not, because requests have no room for it. */
function isLeftOut({ discovery }: ChatSession, tool: CatalogTool | undefined): tool is CatalogTool {
	return tool !== undefined && !discovery.loadedTools.includes(tool);
}

function sayCrowded(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id, nameLength)).join(', ');
	say(l10n.t('no room for {0}. Unload others, or defer what is always loaded.', names));
}

function sayEvicted(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id, nameLength)).join(', ');
	say(l10n.t('unloaded {0} to make room.', names));
}

/** What plans changes of the file. */
type EditModule = typeof configEdits;

/** Plans a change of a text. */
type Plan = (text: string) => ConfigEdits;

/**
 * Makes several changes of the configuration as one, and resolves to what takes it back; `undefined`: the file said so already. That
 * fails where the file has been changed in that place since.
 */
async function changeConfig(
	configFile: Services['configFile'],
	plansOf: (module: EditModule) => readonly Plan[],
): Promise<(() => Promise<void>) | undefined> {
	const made: TextChange[] = [];
	await edit(configFile, (text) => {
		const edits = combinedEdits(text, plansOf(configEdits));
		if (edits?.length) made.push({ before: text, after: applyEdits(text, [...edits]) });
		return edits;
	});
	const [change] = made;
	return (
		change &&
		(() =>
			edit(configFile, (text) => {
				const edits = undoEdit(change, text);
				if (!edits) throw new Error(l10n.t('the configuration file has been changed in that place since.'));
				return edits;
			}))
	);
}

async function edit(configFile: Services['configFile'], plan: Plan): Promise<void> {
	const outcome = await configFile.edit(plan);
	if (outcome === 'unsaved') {
		void vscode.window.showInformationMessage(
			l10n.t('Discovery: the change takes effect when you save the configuration file.'),
		);
	}
}
