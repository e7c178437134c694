import * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';
import { Lazy } from '../ui/lazy.ts';
import type { ContextPage, ContextPageServices } from './contextPage.ts';

/** The commands that lead to the groups of editors, the first one first: there is one for each of the first eight, and none that takes a number. */
const groupCommands = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(
	(ordinal) => `workbench.action.focus${ordinal}EditorGroup`,
);

/** The one context page, which is loaded when it is first asked for, or when a window that showed it comes back. */
export class ContextPages implements vscode.Disposable {
	readonly #serializer: vscode.Disposable;
	readonly #page: Lazy<ContextPage>;

	constructor(services: ContextPageServices) {
		this.#page = new Lazy(async () => {
			const { ContextPage } = await import('./contextPage.ts');
			return new ContextPage(services);
		});
		this.#serializer = vscode.window.registerWebviewPanelSerializer(ids.contextPage, {
			deserializeWebviewPanel: async (panel) => (await this.#page.get()).adopt(panel),
		});
	}

	/** Opens the page, or brings it to the front; also one from before a reload of the window that has not been opened since. */
	async show(): Promise<void> {
		const page = await this.#page.get();
		const tab = page.isOpen ? undefined : leftTab();
		if (tab) await reveal(tab);
		else page.show();
	}

	dispose(): void {
		this.#serializer.dispose();
		this.#page.dispose();
	}
}

/** The page's tab without a panel: after a reload of the window, the editor makes a panel only once its tab is opened. */
function leftTab(): vscode.Tab | undefined {
	return vscode.window.tabGroups.all
		.slice(0, groupCommands.length)
		.flatMap(({ tabs }) => tabs)
		.find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(ids.contextPage));
}

async function reveal(tab: vscode.Tab): Promise<void> {
	const { group } = tab;
	const focus = groupCommands[group.viewColumn - 1];
	if (focus) await vscode.commands.executeCommand(focus);
	const index = group.tabs.indexOf(tab);
	await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index);
}
