import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PlannedServer } from '../../config/import/importPlan.ts';
import { assertNever } from '../../discovery/assertNever.ts';
import { type ImportRow, serverText } from './importRows.ts';

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
	pick.title = l10n.t('Import Servers');
	pick.placeholder = l10n.t('Which servers should be copied into the configuration?');
	pick.canSelectMany = true;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	// The buttons open files and details beside it.
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

/** The editor gives every line of such a list a box to tick. */
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
		const detail = serverText(row);
		await vscode.window.showInformationMessage(row.planned.server.name, { modal: true, detail });
		return;
	}
	const { path } = row.kind === 'server' ? row.planned.server.source : row.source;
	await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true, preserveFocus: true });
}
