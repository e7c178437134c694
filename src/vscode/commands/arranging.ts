import * as vscode from 'vscode';
import { ids } from '../ids.ts';
import type { Arrangement } from '../servers/arrangement.ts';
import { type FilterState, filterStates, toolFilter, withStateToggled } from '../servers/toolFilter.ts';
import { isToolOrder, orderWords, toolOrders } from '../servers/toolOrder.ts';

/** What the Servers view is arranged by. */
export interface ArrangingParts {
	readonly arrangement: Arrangement;
}

interface StateButton extends vscode.QuickInputButton {
	readonly state: FilterState;
}

const stateButtons: readonly StateButton[] = filterStates.map((state) => ({
	state,
	...{
		loaded: { iconPath: new vscode.ThemeIcon('pass-filled'), tooltip: 'Loaded Tools (@loaded)' },
		pinned: { iconPath: new vscode.ThemeIcon('pinned'), tooltip: 'Pinned Tools (@pinned)' },
		deferred: { iconPath: new vscode.ThemeIcon('circle-outline'), tooltip: 'Deferred Tools (@deferred)' },
		unsent: { iconPath: new vscode.ThemeIcon('warning'), tooltip: 'Loaded, but Not Sent (@unsent)' },
	}[state],
}));

/** Sorts the tools of every server: in the order that is given, or that the user picks. */
export async function sortTools({ arrangement }: ArrangingParts, order: unknown): Promise<void> {
	const chosen = isToolOrder(order) ? order : await pickOrder(arrangement);
	if (chosen) arrangement.order = chosen;
}

/** Narrows the view to tools as the user types; Escape goes back to the filter that was there before. */
export async function filterTools({ arrangement }: ArrangingParts, text: unknown): Promise<void> {
	if (typeof text === 'string') {
		arrangement.filter = toolFilter(text);
		return;
	}
	await vscode.commands.executeCommand(`${ids.serversView}.focus`);
	typeFilter(arrangement);
}

async function pickOrder(arrangement: Arrangement) {
	const items = toolOrders.map((order) => ({
		order,
		label: orderWords[order].label,
		...(order === arrangement.order && { description: 'current' }),
		iconPath: new vscode.ThemeIcon(order === arrangement.order ? 'check' : 'blank'),
	}));
	const picked = await vscode.window.showQuickPick(items, { title: 'Sort Tools By' });
	return picked?.order;
}

function typeFilter(arrangement: Arrangement): void {
	const before = arrangement.filter;
	const input = vscode.window.createInputBox();
	const show = (typed: string) => {
		arrangement.filter = toolFilter(typed);
	};
	let accepted = false;
	input.title = 'Filter Tools';
	input.placeholder = 'Words of names and descriptions, @loaded, @pinned, @deferred, @unsent';
	input.value = before?.text ?? '';
	input.buttons = stateButtons;
	input.onDidChangeValue(show);
	input.onDidTriggerButton((button) => {
		// What the code sets is not told as what is typed.
		input.value = withStateToggled(input.value, (button as StateButton).state);
		show(input.value);
	});
	input.onDidAccept(() => {
		accepted = true;
		input.hide();
	});
	input.onDidHide(() => {
		if (!accepted) arrangement.filter = before;
		input.dispose();
	});
	input.show();
}
