import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { commands, ids } from '../ui/ids.ts';
import { dialogTitle } from '../ui/messages.ts';
import type { TreeOptions } from './treeOptions.ts';
import {
	type FilterState,
	filterStates,
	isToolOrder,
	orderLabel,
	toolFilter,
	toolOrders,
	withStateToggled,
} from './treeOptions.ts';

interface StateButton extends vscode.QuickInputButton {
	readonly state: FilterState;
}

function stateButtons(): readonly StateButton[] {
	const looks = {
		loaded: ['pass-filled', l10n.t('Loaded Tools (@loaded)')],
		pinned: ['pinned', l10n.t('Pinned Tools (@pinned)')],
		deferred: ['circle-outline', l10n.t('Deferred Tools (@deferred)')],
		unsent: ['warning', l10n.t('Loaded but Not Sent (@unsent)')],
	} as const satisfies Record<FilterState, readonly [icon: string, tooltip: string]>;
	return filterStates.map((state) => {
		const [icon, tooltip] = looks[state];
		return { state, iconPath: new vscode.ThemeIcon(icon), tooltip };
	});
}

/** Sorts servers and tools in the given order, or in one that the user selects. */
export async function sortTools(
	{ ui: { treeOptions } }: Pick<Services, 'ui'>,
	order: unknown,
): Promise<void> {
	const chosen = isToolOrder(order) ? order : await pickOrder(treeOptions);
	if (chosen) treeOptions.order = chosen;
}

/** Filters the view while the user types. Escape restores the previous filter. */
export async function filterTools(
	{ ui: { treeOptions } }: Pick<Services, 'ui'>,
	text: unknown,
): Promise<void> {
	if (typeof text === 'string') {
		treeOptions.filter = toolFilter(text);
		return;
	}
	await vscode.commands.executeCommand(`${ids.serversView}.focus`);
	typeFilter(treeOptions);
}

async function pickOrder(treeOptions: TreeOptions) {
	const items = toolOrders.map((order) => ({
		order,
		label: orderLabel(order).label,
		...(order === treeOptions.order && { description: l10n.t('current') }),
		iconPath: new vscode.ThemeIcon(order === treeOptions.order ? 'check' : 'blank'),
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.sortTools),
		placeHolder: l10n.t('Select the order of servers and tools'),
	});
	return picked?.order;
}

function typeFilter(treeOptions: TreeOptions): void {
	const before = treeOptions.filter;
	const input = vscode.window.createInputBox();
	const show = (typed: string) => {
		treeOptions.filter = toolFilter(typed);
	};
	let accepted = false;
	input.title = dialogTitle(commands.filterTools);
	input.placeholder = l10n.t('Filter by name or description, @loaded, @pinned, @deferred, @unsent');
	input.value = before?.text ?? '';
	input.buttons = stateButtons();
	input.onDidChangeValue(show);
	input.onDidTriggerButton((button) => {
		// VS Code fires no event when the value is set by code.
		input.value = withStateToggled(input.value, (button as StateButton).state);
		show(input.value);
	});
	input.onDidAccept(() => {
		accepted = true;
		input.hide();
	});
	input.onDidHide(() => {
		if (!accepted) treeOptions.filter = before;
		input.dispose();
	});
	input.show();
}
