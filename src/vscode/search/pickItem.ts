import * as vscode from 'vscode';
import { assertNever } from '../../discovery/assertNever.ts';
import type { PickRow, ToolAction } from './pickRows.ts';

/** A button beside a tool. */
export interface ActionButton extends vscode.QuickInputButton {
	readonly action: ToolAction;
}

/** A line of the quick pick with what it was made of. */
export interface PickItem extends vscode.QuickPickItem {
	readonly row: PickRow;
	readonly buttons?: readonly ActionButton[];
}

/** What VS Code draws for a row; shown whatever is typed, for the editor would filter by its own lights. */
export function pickItem(row: PickRow): PickItem {
	switch (row.kind) {
		case 'tool': {
			const { label, description, detail, icon, color } = row;
			const iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
			const buttons = row.actions.map(buttonOf);
			return { row, label, description, ...(detail && { detail }), iconPath, buttons, alwaysShow: true };
		}
		case 'ask': {
			const iconPath = new vscode.ThemeIcon('comment-discussion');
			return { row, label: row.label, detail: row.detail, iconPath, alwaysShow: true };
		}
		case 'heading':
			return { row, label: row.label, kind: vscode.QuickPickItemKind.Separator };
		default:
			return assertNever(row);
	}
}

function buttonOf(action: ToolAction): ActionButton {
	return { action, iconPath: new vscode.ThemeIcon(action.icon), tooltip: action.title };
}
