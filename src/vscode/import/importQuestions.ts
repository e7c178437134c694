import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { assertNever } from '../../common/assertNever.ts';
import type { PlannedServer } from '../../config/import/importPlan.ts';
import { type ImportPlaces, importSources } from '../../config/import/importSources.ts';
import { commands } from '../ui/ids.ts';
import { commandTitle, dialogTitle } from '../ui/messages.ts';
import { type FoundFile, readForeignFile } from './foreignFiles.ts';
import { type ImportRow, productOf, serverDetails, shownPath } from './importRows.ts';

/** Says what was found, or where it was looked for, and offers the ways on; a configuration is offered where there is none. */
export async function sayNothingToImport(
	files: readonly FoundFile[],
	places: ImportPlaces,
	hasConfiguration: boolean,
): Promise<ServerChoice> {
	const count = files.reduce((sum, { servers }) => sum + servers.length, 0);
	const create = commandTitle(commands.createConfig);
	const choose = l10n.t('Choose File…');
	const faults = files.flatMap(({ source, faults }) =>
		faults.map((fault) => `${shownPath(source.path, places)}: ${fault}`),
	);
	const looked = importSources(places).map(({ product, path }) => `${product}: ${shownPath(path, places)}`);
	const text =
		count > 0
			? l10n.t('Nothing new to import: {0} found, all in the configuration already.', serverCount(count))
			: l10n.t('No servers found in other programs.');
	const detail = [...faults, ...(count > 0 ? [] : [l10n.t('These files were looked for:'), ...looked])].join(
		'\n',
	);
	const buttons = hasConfiguration ? [choose] : [choose, create];
	const chosen = await vscode.window.showInformationMessage(text, { modal: true, detail }, ...buttons);
	if (chosen === create) await vscode.commands.executeCommand(commands.createConfig);
	return chosen === choose ? { kind: 'otherFile' } : { kind: 'cancelled' };
}

/** Has the user choose a file with servers, wherever it is; `undefined`: they did not. */
export async function chooseOtherFile({ home }: ImportPlaces): Promise<FoundFile | undefined> {
	const chosen = await vscode.window.showOpenDialog({
		title: l10n.t('Import Servers from a File'),
		openLabel: l10n.t('Import'),
		defaultUri: vscode.Uri.file(home),
		filters: { JSON: ['json', 'jsonc'], [l10n.t('All Files')]: ['*'] },
	});
	const path = chosen?.[0]?.fsPath;
	if (path === undefined) return undefined;
	return readForeignFile({ product: productOf(path), scope: 'user', path });
}

/** What the user did with the list of what can be imported. */
export type ServerChoice =
	| { readonly kind: 'import'; readonly servers: readonly PlannedServer[] }
	/** They want the servers of a file that is somewhere else. */
	| { readonly kind: 'otherFile' }
	| { readonly kind: 'cancelled' };

interface RowItem extends vscode.QuickPickItem {
	readonly row: ImportRow;
}

/** What can be done with a row besides choosing it. */
interface RowButtons {
	readonly openFile: vscode.QuickInputButton;
	readonly showDetails: vscode.QuickInputButton;
}

/** Lets the user choose among servers of other programs, those that are preselected being chosen at first. */
export function pickServers(rows: readonly ImportRow[]): Promise<ServerChoice> {
	const pick = vscode.window.createQuickPick<RowItem>();
	const buttons: RowButtons = {
		openFile: { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: l10n.t('Open File') },
		showDetails: { iconPath: new vscode.ThemeIcon('info'), tooltip: l10n.t('Show Details') },
	};
	pick.title = dialogTitle(commands.importServers);
	pick.placeholder = l10n.t('Which servers should be copied into the configuration?');
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	// The list stays open while its buttons open files and details.
	pick.ignoreFocusOut = true;
	pick.buttons = [{ iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: l10n.t('Choose File…') }];
	pick.items = rows.map((row) => itemOf(row, buttons));
	pick.selectedItems = pick.items.filter(({ row }) => row.kind === 'server' && row.selected);
	return new Promise((resolve) => {
		let choice: ServerChoice = { kind: 'cancelled' };
		const close = (made: ServerChoice) => {
			choice = made;
			pick.hide();
		};
		pick.onDidChangeSelection((items) => {
			const selectable = items.filter(isSelectable);
			if (selectable.length < items.length) pick.selectedItems = selectable;
		});
		pick.onDidTriggerButton(() => close({ kind: 'otherFile' }));
		pick.onDidTriggerItemButton(({ item, button }) => {
			void press(item.row, button === buttons.showDetails ? 'details' : 'file');
		});
		pick.onDidAccept(() => close(choiceOf(pick.selectedItems)));
		pick.onDidHide(() => {
			pick.dispose();
			resolve(choice);
		});
		pick.show();
	});
}

function choiceOf(items: readonly RowItem[]): ServerChoice {
	const servers = items.flatMap(({ row }) => (row.kind === 'server' && row.selectable ? [row.planned] : []));
	return servers.length > 0 ? { kind: 'import', servers } : { kind: 'cancelled' };
}

/** Whether a line can be ticked: the editor gives each a box, those of faults too. */
function isSelectable({ row }: RowItem): boolean {
	return row.kind === 'server' && row.selectable;
}

function itemOf(row: ImportRow, { openFile, showDetails }: RowButtons): RowItem {
	switch (row.kind) {
		case 'heading':
			return { row, label: row.label, kind: vscode.QuickPickItemKind.Separator };
		case 'fault':
			return { ...textsOf(row), row, iconPath: new vscode.ThemeIcon('warning'), buttons: [openFile] };
		case 'server': {
			const iconPath = new vscode.ThemeIcon(row.selectable ? 'server' : 'check');
			return { ...textsOf(row), row, iconPath, buttons: [showDetails, openFile] };
		}
		default:
			return assertNever(row);
	}
}

function textsOf({ label, description, detail }: Omit<vscode.QuickPickItem, 'kind'>): {
	readonly label: string;
	readonly description: string;
	readonly detail: string;
} {
	return { label, description: description ?? '', detail: detail ?? '' };
}

async function press(row: ImportRow, pressed: 'details' | 'file'): Promise<void> {
	if (row.kind === 'heading') return;
	if (pressed === 'details' && row.kind === 'server') {
		const detail = serverDetails(row);
		await vscode.window.showInformationMessage(row.planned.server.name, { modal: true, detail });
		return;
	}
	const { path } = row.kind === 'server' ? row.planned.server.source : row.source;
	await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true, preserveFocus: true });
}
