import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import { isLoaded } from '../servers/treeNodes.ts';
import { type ActionButton, type PickItem, pickItem } from './pickItem.ts';
import { type PickRow, rowId } from './pickRows.ts';
import type { ToolFinder } from './toolFinder.ts';

/** Changes come in bursts while servers start; the list is drawn at most this often. */
const redrawEveryMs = 100;
/** How long the status bar says what Enter did. */
const messageMs = 5000;

/** Whether a list is another one, or the same with something changed in it. */
type Drawing = 'anew' | 'in place';

/**
 * One quick pick of tools, from its opening to its closing. Enter loads the tool for the last used chat and closes, as any quick
 * pick does what it is for and closes; the buttons leave it open, for who wants several. Enter never unloads: to choose a tool
 * and lose it thereby would surprise.
 */
export class PickSession implements vscode.Disposable {
	readonly #pick: vscode.QuickPick<PickItem>;
	readonly #finder: ToolFinder;
	readonly #report: (error: unknown) => void;
	readonly #subscriptions: { dispose(): void }[];
	#rows: readonly PickRow[] = [];
	/** Counts what was asked for: only the last answer is shown. */
	#asked = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(
		pick: vscode.QuickPick<PickItem>,
		hub: DiscoveryHub,
		finder: ToolFinder,
		report: (error: unknown) => void,
	) {
		this.#pick = pick;
		this.#finder = finder;
		this.#report = report;
		this.#subscriptions = [
			pick.onDidChangeValue(() => void this.#show('anew')),
			pick.onDidTriggerItemButton(({ item, button }) => press(item.row, button as ActionButton)),
			pick.onDidAccept(() => this.#accept()),
			hub.onDidChange(() => this.#schedule()),
		];
		void this.#show('anew');
		void this.#follow();
	}

	dispose(): void {
		this.#asked++;
		clearTimeout(this.#timer);
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	async #show(drawing: Drawing): Promise<void> {
		const asked = ++this.#asked;
		this.#pick.busy = true;
		try {
			const rows = await this.#finder.rows(this.#pick.value);
			if (asked === this.#asked) this.#draw(rows, drawing);
		} catch (error) {
			this.#report(error);
		} finally {
			if (asked === this.#asked) this.#pick.busy = false;
		}
	}

	#schedule(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			// A tool that is loaded or pinned stays where it is: the next one is not to slip under the pointer.
			this.#draw(this.#finder.refreshed(this.#rows), 'in place');
			void this.#follow();
		}, redrawEveryMs);
	}

	/** Searches again once tools that came, changed or went are indexed. */
	async #follow(): Promise<void> {
		const asked = this.#asked;
		try {
			if ((await this.#finder.prepare()) && asked === this.#asked) await this.#show('in place');
		} catch (error) {
			this.#report(error);
		}
	}

	#draw(rows: readonly PickRow[], drawing: Drawing): void {
		if (isDeepStrictEqual(rows, this.#rows)) return;
		this.#rows = rows;
		const active = this.#pick.activeItems[0]?.row;
		const items = rows.map(pickItem);
		this.#pick.keepScrollPosition = drawing === 'in place';
		this.#pick.items = items;
		const same = active && items.find(({ row }) => rowId(row) === rowId(active));
		if (drawing === 'in place' && same) this.#pick.activeItems = [same];
	}

	#accept(): void {
		const row = this.#pick.selectedItems[0]?.row;
		this.#pick.hide();
		if (row) void accept(row);
	}
}

function press(row: PickRow, { action }: ActionButton): void {
	if (row.kind === 'tool') void vscode.commands.executeCommand(action.command, row.node);
}

async function accept(row: PickRow): Promise<void> {
	if (row.kind === 'ask') await vscode.commands.executeCommand(commands.ask, row.text);
	if (row.kind !== 'tool') return;
	const { state } = row.node;
	if (isLoaded(state)) {
		vscode.window.setStatusBarMessage(`Discovery: ${row.label} is loaded already.`, messageMs);
	} else {
		await vscode.commands.executeCommand(commands.loadTool, row.node);
	}
}
