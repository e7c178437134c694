import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import { reversible } from '../../common/steps.ts';
import { deferServer, deferTool, pinServer, pinTool, setDisabled } from '../../config/file/edit.ts';
import type { ConfigEdits } from '../../config/file/textEdit.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { isDisabled, isServerDisabled } from '../../discovery/catalog/policy.ts';
import { changeConfig, type PlannedChange } from '../core/configChange.ts';
import type { Configuration } from '../core/configuration.ts';
import { loadByHand, unloadedTools } from '../core/loadByHand.ts';
import type { Switches, SwitchTarget } from '../core/switches.ts';
import type { UndoableChange, UndoHistory } from '../core/undo.ts';
import { labelText } from '../ui/labelText.ts';
import { say, sayUndone } from '../ui/messages.ts';
import type { PlacedNode } from '../ui/nodes.ts';
import { changeLabel, nameOrCount, outcomeLabel, type SwitchAction } from './toolActions.ts';

type PlacementServices = {
	readonly sessions: ChatSessions;
	readonly configFile: Configuration;
	readonly undo: UndoHistory;
};

/** Pins servers and tools as one change; `undefined`: nothing changed. */
export async function pin(
	services: PlacementServices,
	nodes: readonly PlacedNode[],
): Promise<UndoableChange | undefined> {
	const plans = nodes.map((node) =>
		planFor(node, services, (text, server) =>
			node.kind === 'server' ? pinServer(text, server) : pinTool(text, server, node.tool.name),
		),
	);
	const change = await changeConfig(services.configFile, plans);
	return change && { label: changeLabel('pin', nodes), undo: change.undo };
}

export async function undoLast({ undo }: Pick<PlacementServices, 'undo'>): Promise<void> {
	const label = await undo.undo();
	if (label === undefined) say(l10n.t('nothing to undo.'));
	else sayUndone(label);
}

/** Defers in the file and unloads from the last used chat. A tool that the chat has loaded itself is deferred in the file already. */
export async function defer(
	services: PlacementServices,
	nodes: readonly PlacedNode[],
): Promise<UndoableChange | undefined> {
	const label = changeLabel('defer', nodes);
	let unloaded: UndoableChange | undefined;
	const unloading = reversible(async () => {
		const unloadedNow = unloadTools(services, nodes);
		unloaded = unloadedNow;
		return () => (unloadedNow?.canUndo?.() === true ? unloadedNow.undo() : undefined);
	});
	const placed = nodes.filter((node) => node.kind === 'server' || node.state !== 'activated');
	const plans = placed.map((node) =>
		planFor(node, services, (text, server) => {
			if (node.kind === 'server') return deferServer(text, server);
			const tools = services.sessions.catalog.tools.filter((tool) => tool.server === node.tool.server);
			return deferTool(
				text,
				server,
				node.tool.name,
				tools.map(({ name }) => name),
			);
		}),
	);
	// Undone in the other order: a tool that is pinned again is loaded for all chats, and so would not be loaded for this one.
	const change = await changeConfig(services.configFile, plans, { after: [unloading] });
	return change?.changesFiles ? { label, undo: change.undo } : unloaded && { ...unloaded, label };
}

interface SwitchPlace extends vscode.QuickPickItem {
	readonly place: 'workspace' | 'file';
}

/** Disables or enables servers and tools, in this workspace only or in the file; asks which unless `where` says so. */
export async function switchOnOrOff(
	services: { readonly configFile: Configuration; readonly switches: Switches },
	action: SwitchAction,
	nodes: readonly PlacedNode[],
	where?: SwitchPlace['place'],
): Promise<UndoableChange | undefined> {
	const { configFile, switches } = services;
	const { inForce } = configFile;
	if (!inForce) return undefined;
	const isDisabling = action === 'disable';
	const all = nodes.map(switchedOf);
	const { policy } = inForce.config;
	const isDisabledInFile = ({ server, tool }: SwitchTarget) =>
		tool === undefined ? isServerDisabled(server, policy) : isDisabled({ server, name: tool }, policy);
	// What is disabled in this workspace only is also enabled here: there is nothing to ask.
	const place =
		where ??
		(isDisabling || all.some(isDisabledInFile)
			? await askPlace(action, nodes, filesOf(all, configFile) ?? l10n.t('the Configuration'))
			: 'workspace');
	if (place === undefined) return undefined;
	const inFile = nodes.map((node) =>
		planFor(node, services, (text, server) =>
			setDisabled(text, { ...switchedOf(node), server }, isDisabling),
		),
	);
	const switching = switches.changing(
		all.map((target) => [
			target,
			place === 'file' || isDisabledInFile(target) === isDisabling ? undefined : isDisabling,
		]),
	);
	const change = await changeConfig(configFile, place === 'file' ? inFile : [], { after: [switching] });
	say(outcomeLabel(action, nodes));
	return change && { label: changeLabel(action, nodes), undo: change.undo };
}

function switchedOf(node: PlacedNode): SwitchTarget {
	return node.kind === 'server'
		? { server: node.status.name }
		: { server: node.tool.server, tool: node.tool.name };
}

/** The name of the file that all these servers are in; `undefined`: there are several. */
function filesOf(all: readonly SwitchTarget[], configFile: Configuration): string | undefined {
	const paths = new Set(all.map(({ server }) => configFile.server(server)?.file.place.uri.path));
	const [path, ...others] = paths;
	return others.length === 0 ? path?.slice(path.lastIndexOf('/') + 1) : undefined;
}

async function askPlace(
	action: SwitchAction,
	nodes: readonly PlacedNode[],
	file: string,
): Promise<SwitchPlace['place'] | undefined> {
	const items: readonly SwitchPlace[] = [
		{
			place: 'workspace',
			label: l10n.t('$(folder) In This Workspace Only'),
			description: l10n.t('only for you'),
		},
		{
			place: 'file',
			label: l10n.t('$(json) In {0}', file),
			description: l10n.t('for everyone who uses the file'),
		},
	];
	const names = nameOrCount(nodes);
	const title = action === 'disable' ? l10n.t('Disable {0}', names) : l10n.t('Enable {0}', names);
	return (await vscode.window.showQuickPick(items, { title }))?.place;
}

/** A change of the file that a server is in, with the name that the server has there. */
function planFor(
	node: PlacedNode,
	{ configFile }: Pick<PlacementServices, 'configFile'>,
	plan: (text: string, server: string) => ConfigEdits,
): PlannedChange {
	const server = node.kind === 'server' ? node.status.name : node.tool.server;
	const { file, key = server } = configFile.server(server) ?? {};
	return { uri: file?.place.uri, plan: (text) => plan(text, key) };
}

/** Loads tools for the last used chat; `undefined`: they are loaded already. */
export function loadTools(
	{ sessions }: { readonly sessions: ChatSessions },
	nodes: readonly PlacedNode[],
): UndoableChange | undefined {
	const chat = sessions.currentOrNext();
	const { discovery } = chat;
	const previousActivations = discovery.activatedByUse;
	const names = wireNamesOf(nodes).filter((name) => !isActive(chat, name));
	for (const name of names) loadByHand(sessions, name);
	const askedTools = names.flatMap((name) => discovery.surface.get(name) ?? []);
	sayCrowded(askedTools.filter((tool) => !discovery.loadedTools.includes(tool)));
	if (!names.some((name) => isActive(chat, name))) return undefined;
	const evicted = previousActivations.filter(({ tool }) => !isActive(chat, tool.wireName));
	sayEvicted(evicted.map(({ tool }) => tool));
	return {
		label: changeLabel('load', nodes),
		canUndo: () => sessions.current === chat && names.some((name) => isActive(chat, name)),
		undo: () => {
			discovery.unload(discovery.activated.filter(({ wireName }) => names.includes(wireName)));
			for (const { activation } of evicted) loadByHand(sessions, activation.wireName, activation);
		},
	};
}

/** Unloads tools from the last used chat; `undefined`: none of them was loaded. */
export function unloadTools(
	{ sessions }: { readonly sessions: ChatSessions },
	nodes: readonly PlacedNode[],
): UndoableChange | undefined {
	const chat = sessions.current;
	if (!chat) return undefined;
	const { discovery } = chat;
	const tools = wireNamesOf(nodes).flatMap((name) => discovery.surface.get(name) ?? []);
	// Also a tool that was pinned after the chat had loaded it: otherwise the chat would still have it once it is deferred.
	const { activations } = discovery;
	const unloaded = tools.flatMap(
		({ wireName }) => activations.find((activation) => activation.wireName === wireName) ?? [],
	);
	discovery.unload(tools);
	return unloaded.length === 0 ? undefined : unloadedTools(sessions, chat, unloaded);
}

function wireNamesOf(nodes: readonly PlacedNode[]): readonly string[] {
	return nodes.flatMap((node) => (node.kind === 'tool' ? [node.tool.wireName] : []));
}

function isActive({ discovery }: ChatSession, wireName: string): boolean {
	return discovery.activated.some((tool) => tool.wireName === wireName);
}

/** Names the tools that are not loaded because requests have no room for them. */
function sayCrowded(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id)).join(', ');
	say(l10n.t('no room for {0}. Unload others, or defer what is always loaded.', names));
}

function sayEvicted(tools: readonly CatalogTool[]): void {
	if (tools.length === 0) return;
	const names = tools.map(({ id }) => labelText(id)).join(', ');
	say(l10n.t('unloaded {0} to make room.', names));
}
