import * as l10n from '@vscode/l10n';
import { applyEdits } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/sessions.ts';
import * as configEdits from '../../config/file/edit.ts';
import { type ConfigEdits, combinedEdits, type TextChange, undoEdit } from '../../config/file/textEdit.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Activation } from '../../discovery/session/activationSet.ts';
import type { Services } from '../../services.ts';
import { labelText } from '../ui/labelText.ts';
import type { ToolNode } from '../ui/nodes.ts';
import {
	changeLabel,
	nextAction,
	outcomeLabel,
	type PlacedNode,
	type ToolAction,
	unloadLabel,
} from './toolActions.ts';
import type { UndoableChange } from './undo.ts';

type PlacementServices = Pick<Services, 'hub' | 'configFile' | 'unloads' | 'undo'>;
type LoadingServices = Pick<Services, 'hub' | 'unloads'>;

const messageMs = 5000;

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
		const reload = unloaded?.holds() ? unloaded : undefined;
		// First: once it is pinned again, it cannot be loaded.
		await reload?.undo();
		try {
			await explained(what, takeBack);
		} catch (error) {
			if (reload) unloadTools(services, wireNames);
			throw error;
		}
	};
	services.undo.push({ what, holds: () => true, undo });
}

function remember(
	{ undo }: Pick<PlacementServices, 'undo'>,
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
	{ hub }: Pick<PlacementServices, 'hub'>,
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

/** How loading or unloading is taken back: in its own chat, and only while that is the one that views show. */
type LoadingStep = Omit<UndoableChange, 'what'>;

const loadingMessageMs = 5000;
const nameLength = 80;

/** Loads tools for the last used chat; `undefined`: it has them all. */
function loadTools({ hub }: LoadingServices, wireNames: readonly string[]): LoadingStep | undefined {
	const chat = hub.currentOrNext();
	const { discovery } = chat;
	const before = discovery.activatedByUse;
	const names = wireNames.filter((name) => !isActive(chat, name));
	for (const name of names) loadTool({ hub }, name);
	sayCrowded(names.map((name) => discovery.surface.get(name)).filter((tool) => isLeftOut(chat, tool)));
	if (!names.some((name) => isActive(chat, name))) return undefined;
	const gone = before.filter(({ tool }) => !isActive(chat, tool.wireName));
	sayEvicted(gone.map(({ tool }) => tool));
	return {
		holds: () => hub.current === chat && names.some((name) => isActive(chat, name)),
		undo: () => {
			discovery.unload(discovery.activated.filter(({ wireName }) => names.includes(wireName)));
			for (const { activation } of gone) loadTool({ hub }, activation.wireName, activation);
		},
	};
}

/** Unloads tools from the last used chat; `undefined`: it has loaded none of them. */
function unloadTools(
	{ hub, unloads }: LoadingServices,
	wireNames: readonly string[],
): LoadingStep | undefined {
	const chat = hub.current;
	if (!chat) return undefined;
	const taken = wireNames
		.map((name) => chat.discovery.surface.get(name))
		.filter((tool) => tool !== undefined)
		.map((tool) => unloads.unload(chat, tool))
		.filter((activation) => activation !== undefined);
	return taken.length === 0 ? undefined : unloadingStep({ hub, unloads }, chat, taken);
}

/** How the taking of tools out of a chat is taken back. */
function unloadingStep(
	{ hub, unloads }: LoadingServices,
	chat: ChatSession,
	taken: readonly Activation[],
): LoadingStep {
	const pending = () => taken.filter((activation) => unloads.isPending(chat, activation));
	return {
		holds: () => hub.current === chat && pending().length > 0,
		undo: () => {
			for (const activation of pending()) loadTool({ hub }, activation.wireName, activation);
		},
	};
}

/** Makes what a chat's own command has just taken out of it a step that can be undone, as if a view had done it. */
export function rememberUnloaded(
	services: PlacementServices,
	chat: ChatSession,
	taken: readonly Activation[],
): void {
	if (taken.length === 0) return;
	services.unloads.remember(chat, taken);
	const { surface } = chat.discovery;
	const what = unloadLabel(taken.map(({ wireName }) => surface.get(wireName)?.id ?? wireName));
	services.undo.push({ what, ...unloadingStep(services, chat, taken) });
}

/** Loads what was unloaded last, for the reason it was loaded for. */
export function undoUnload({ hub, unloads }: LoadingServices): void {
	const unload = hub.current && unloads.last(hub.current);
	if (!unload) throw new Error(l10n.t('nothing to undo: no tool was unloaded from the last used chat.'));
	sayEvicted(loadTool({ hub }, unload.tool.wireName, unload.activation));
}

/** Loads one tool, and returns what made room for it. `why`: what is to be said of why, where the user has not just asked for it. */
function loadTool(
	{ hub }: Pick<LoadingServices, 'hub'>,
	wireName: string,
	why: Pick<Activation, 'reason' | 'words'> = { reason: 'user' },
): readonly CatalogTool[] {
	const { discovery } = hub.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (!tool) return [];
	const before = discovery.activated;
	discovery.load([tool], why.reason, why.words);
	if (!discovery.loadedTools.includes(tool)) {
		// The last turn fills the set. For what a person asks for by hand, as with `/load`, what others loaded may make room.
		discovery.beginByHand();
		discovery.load([tool], why.reason, why.words);
	}
	return before.filter((other) => !discovery.loadedTools.includes(other));
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
	const message = l10n.t('Discovery: no room for {0}. Unload others, or defer what is always loaded.', names);
	vscode.window.setStatusBarMessage(message, loadingMessageMs);
}

function sayEvicted(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id, nameLength)).join(', ');
	vscode.window.setStatusBarMessage(l10n.t('Discovery: unloaded {0} to make room.', names), loadingMessageMs);
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
