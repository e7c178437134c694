import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shownTokens, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { toolsetNameFault, saveToolset as writeToolset } from '../../config/settings/toolsets.ts';
import type { Toolset } from '../../discovery/catalog/toolset.ts';
import { sumOfTokens } from '../../discovery/session/toolTokens.ts';
import type { Services } from '../../services.ts';
import { changeConfig } from '../ui/configChange.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify } from '../ui/messages.ts';
import type { UndoableChange } from './undo.ts';

type ToolsetServices = Pick<Services, 'sessions' | 'configFile'>;

interface ToolsetItem extends vscode.QuickPickItem {
	readonly run?: () => undefined | Promise<UndoableChange | undefined>;
}

/** Names of missing tools in a row. */
const shownUnknown = 3;

/** Has the user select a toolset for the last used chat, or save the loaded tools as a new one. */
export async function selectToolset(services: ToolsetServices): Promise<UndoableChange | undefined> {
	const { sessions } = services;
	const current = sessions.currentSurface.toolset;
	const chosen = current?.name;
	const choose = (name: string | undefined) => {
		sessions.chooseToolset(sessions.currentOrNext(), name);
		return undefined;
	};
	const items: ToolsetItem[] = [
		{
			label: l10n.t('All Tools'),
			description: descriptionOf(sessions, undefined, chosen),
			run: () => choose(undefined),
		},
		...[...sessions.toolsets.values(), ...(current?.missing ? [current] : [])].map((toolset) => ({
			label: labelText(toolset.name),
			description: descriptionOf(sessions, toolset, chosen),
			detail: detailOf(sessions, toolset),
			run: () => choose(toolset.name),
		})),
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{
			label: l10n.t('Save Loaded Tools as Toolset…'),
			iconPath: new vscode.ThemeIcon('save-as'),
			run: () => saveToolset(services),
		},
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.selectToolset),
		placeHolder: l10n.t('Select which tools the chat can find and load'),
		matchOnDescription: true,
		matchOnDetail: true,
	});
	return picked?.run?.();
}

async function saveToolset({ sessions, configFile }: ToolsetServices): Promise<UndoableChange | undefined> {
	const loaded = loadedTools(sessions).length;
	if (loaded === 0) throw new Error(l10n.t('no tool is loaded, so there is nothing to save.'));
	const name = await vscode.window.showInputBox({
		title: l10n.t('Save Loaded Tools as Toolset'),
		prompt:
			loaded === 1
				? l10n.t('Name the toolset of the 1 loaded tool')
				: l10n.t('Name the toolset of the {0} loaded tools', loaded),
		placeHolder: l10n.t('writing'),
		validateInput: toolsetNameFault,
	});
	const trimmed = name?.trim();
	if (!trimmed || toolsetNameFault(trimmed) !== undefined) return undefined;
	const before = sessions.toolsets.get(trimmed);
	if (before && !(await mayReplace(trimmed))) return undefined;
	const servers = await chosenContent(sessions);
	if (!servers) return undefined;
	const uri = before?.file === undefined ? undefined : configFile.fileAt(before.file)?.place.uri;
	const plan = (text: string) =>
		writeToolset(text, trimmed, namedIn(uri, servers, configFile), before?.description);
	const made = await changeConfig(configFile, [{ uri, plan }]);
	if (!made) return undefined;
	// Not awaited: the change can be undone before the user answers.
	if (made.outcome === 'saved') void offerToSelect(trimmed, sessions);
	const what = l10n.t('save toolset {0}', labelText(trimmed));
	return { what, undo: made.undo };
}

/** Servers by their names in a file; servers of other files keep their full names. */
function namedIn<T>(
	uri: vscode.Uri | undefined,
	servers: ReadonlyMap<string, T>,
	configFile: Services['configFile'],
): ReadonlyMap<string, T> {
	const { state } = configFile;
	const file = uri ?? ('uri' in state ? state.uri : undefined);
	return new Map(
		[...servers].map(([server, its]) => {
			const place = configFile.placeOf(server);
			return [place?.uri.toString() === file?.toString() ? (place?.name ?? server) : server, its];
		}),
	);
}

function loadedTools({ current, currentSurface }: ChatSessions) {
	return current?.discovery.loadedTools ?? currentSurface.loaded;
}

/** What a toolset has of each server: all its tools, also future ones, or these. */
type ToolsetContent = ReadonlyMap<string, true | readonly string[]>;

/** The loaded tools by server. If all tools of a server are loaded, the user says whether to include future ones; `undefined`: they cancelled. */
async function chosenContent(sessions: ChatSessions): Promise<ToolsetContent | undefined> {
	const all = Map.groupBy(sessions.catalog.tools, ({ server }) => server);
	const loaded = [...Map.groupBy(loadedTools(sessions), ({ server }) => server)];
	const isWhole = (server: string, tools: readonly unknown[]) =>
		tools.length > 1 && tools.length === all.get(server)?.length;
	const whole = loaded.filter(([server, tools]) => isWhole(server, tools)).map(([server]) => server);
	const takesWhole = whole.length > 0 ? await askForWhole(whole) : false;
	if (takesWhole === undefined) return undefined;
	return new Map(
		loaded.map(([server, tools]) => [
			server,
			takesWhole && whole.includes(server) ? true : tools.map(({ name }) => name),
		]),
	);
}

async function askForWhole(servers: readonly string[]): Promise<boolean | undefined> {
	const names = servers.map((name) => labelText(name)).join(', ');
	const items = [
		{
			label: l10n.t('Only These Tools'),
			description: l10n.t('the tools that are loaded now'),
			isWhole: false,
		},
		{
			label: l10n.t('Whole Servers'),
			description: l10n.t('all tools of {0}, also future ones', names),
			isWhole: true,
		},
	];
	const placeHolder = l10n.t('All tools of {0} are loaded. Select what the toolset contains', names);
	const options = { title: l10n.t('Save Loaded Tools as Toolset'), placeHolder };
	return (await vscode.window.showQuickPick(items, options))?.isWhole;
}

async function mayReplace(name: string): Promise<boolean> {
	const question = l10n.t('Replace the toolset “{0}”?', labelText(name));
	const detail = l10n.t('The toolset exists already. Its description is kept.');
	const replace = l10n.t('Replace');
	return (await vscode.window.showWarningMessage(question, { modal: true, detail }, replace)) === replace;
}

async function offerToSelect(name: string, sessions: ChatSessions): Promise<void> {
	const saved = l10n.t('the toolset “{0}” is saved.', labelText(name));
	const select = l10n.t('Select for the Last Used Chat');
	if ((await notify(saved, select)) !== select) return;
	sessions.chooseToolset(sessions.currentOrNext(), name);
}

function descriptionOf(
	sessions: ChatSessions,
	toolset: Toolset | undefined,
	chosen: string | undefined,
): string {
	const { tools } = sessions.surface(toolset);
	const isChosen = toolset?.name === chosen;
	return [
		toolCount(tools.length),
		shownTokens(sumOfTokens(tools)),
		...(isChosen ? [l10n.t('selected')] : []),
		...(toolset?.missing ? [l10n.t('missing from the configuration')] : []),
	].join(' · ');
}

function detailOf(sessions: ChatSessions, toolset: Toolset): string {
	// The names of a missing toolset cannot be fixed.
	const unknown = toolset.missing ? [] : sessions.surface(toolset).unknownInToolset;
	const names = unknown.slice(0, shownUnknown).map((name) => labelText(name));
	const more = unknown.length - names.length;
	const listed = names.join(', ');
	const notFound =
		more > 0 ? l10n.t('Not found: {0} and {1} more', listed, more) : l10n.t('Not found: {0}', listed);
	return [
		...(toolset.description ? [labelText(toolset.description, 200)] : []),
		...(unknown.length > 0 ? [notFound] : []),
	].join(' — ');
}
