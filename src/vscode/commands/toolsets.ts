import * as vscode from 'vscode';
import { toolsetNameFault, saveToolset as writeToolset } from '../../config/toolsetEdit.ts';
import { oneLine } from '../../discovery/text.ts';
import type { Toolset } from '../../discovery/toolset.ts';
import { sumOfTokens } from '../../discovery/toolTokens.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { toolCount } from '../counts.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { labelText } from '../labelText.ts';
import { shortNumber } from '../servers/treeRows.ts';

/** What toolsets are read from and written to. */
export interface ToolsetParts {
	readonly hub: DiscoveryHub;
	readonly configFile: ConfigFile;
}

interface ToolsetItem extends vscode.QuickPickItem {
	readonly run?: () => void | Promise<void>;
}

const titleLength = 80;
/** Names that the configuration has and no server, as far as a line has room. */
const shownUnknown = 3;
const messageMs = 5000;

/** Chooses the toolset of the last used chat, or makes a new one of what is loaded. */
export async function selectToolset(parts: ToolsetParts): Promise<void> {
	const { hub } = parts;
	const chosen = (hub.current?.discovery.surface ?? hub.surface()).toolset?.name;
	const choose = (name: string | undefined) => hub.chooseToolset(hub.currentOrNext(), name);
	const items: ToolsetItem[] = [
		{
			label: 'All Tools',
			description: descriptionOf(hub, undefined, chosen),
			run: () => choose(undefined),
		},
		...[...hub.toolsets.values()].map((toolset) => ({
			label: labelText(toolset.name, titleLength),
			description: descriptionOf(hub, toolset, chosen),
			detail: detailOf(hub, toolset),
			run: () => choose(toolset.name),
		})),
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{ label: '$(save-as) Save Loaded Tools as Toolset…', run: () => saveToolset(parts) },
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: 'Select Toolset of the Last Used Chat',
		matchOnDescription: true,
		matchOnDetail: true,
	});
	await picked?.run?.();
}

/** Writes what is loaded in the last used chat into the configuration, as a toolset that chats can choose. */
export async function saveToolset({ hub, configFile }: ToolsetParts): Promise<void> {
	const servers = loadedByServer(hub);
	if (servers.size === 0) throw new Error('no tool is loaded, so there is nothing to make a toolset of.');
	const name = await vscode.window.showInputBox({
		title: 'Save Loaded Tools as Toolset',
		prompt: `A name for the ${toolCount(loadedTools(hub).length)} that are loaded now.`,
		placeHolder: 'writing',
		validateInput: toolsetNameFault,
	});
	const trimmed = name?.trim();
	if (!trimmed || toolsetNameFault(trimmed) !== undefined) return;
	const before = hub.toolsets.get(trimmed);
	if (before && !(await mayReplace(trimmed))) return;
	const outcome = await configFile.edit((text) => writeToolset(text, trimmed, servers, before?.description));
	if (outcome === 'unsaved') {
		say(`the toolset “${trimmed}” is written; save the configuration file to use it.`);
	} else {
		await offerToSelect(trimmed, hub);
	}
}

function loadedTools({ current, currentSurface }: DiscoveryHub) {
	return current?.discovery.loadedTools ?? currentSurface.loaded;
}

/** All tools of a server are written as such, and are what the server has then. */
function loadedByServer(hub: DiscoveryHub): ReadonlyMap<string, true | readonly string[]> {
	const all = Map.groupBy(hub.catalog.tools, ({ server }) => server);
	const loaded = Map.groupBy(loadedTools(hub), ({ server }) => server);
	return new Map(
		[...loaded].map(([server, tools]) => [
			server,
			tools.length > 1 && tools.length === all.get(server)?.length ? true : tools.map(({ name }) => name),
		]),
	);
}

async function mayReplace(name: string): Promise<boolean> {
	const question = `Replace the toolset “${oneLine(name, titleLength)}”?`;
	const detail = 'The configuration has a toolset of this name. Its description stays.';
	const options = { modal: true, detail };
	return (await vscode.window.showWarningMessage(question, options, 'Replace')) === 'Replace';
}

async function offerToSelect(name: string, hub: DiscoveryHub): Promise<void> {
	const saved = `Discovery: the toolset “${oneLine(name, titleLength)}” is saved.`;
	const select = 'Select for the Last Used Chat';
	if ((await vscode.window.showInformationMessage(saved, select)) !== select) return;
	hub.chooseToolset(hub.currentOrNext(), name);
}

function descriptionOf(hub: DiscoveryHub, toolset: Toolset | undefined, chosen: string | undefined): string {
	const { tools } = hub.surface(toolset);
	const isChosen = toolset?.name === chosen;
	return [
		toolCount(tools.length),
		`≈${shortNumber(sumOfTokens(tools))} tokens`,
		...(isChosen ? ['chosen'] : []),
	].join(' · ');
}

function detailOf(hub: DiscoveryHub, toolset: Toolset): string {
	const unknown = hub.surface(toolset).unknownInToolset;
	const names = unknown.slice(0, shownUnknown).map((name) => labelText(name, titleLength));
	const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : '';
	return [
		...(toolset.description ? [labelText(toolset.description, 200)] : []),
		...(unknown.length > 0 ? [`Not found: ${names.join(', ')}${more}`] : []),
	].join(' — ');
}

function say(what: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${what}`, messageMs);
}
