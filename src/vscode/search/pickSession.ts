import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import { type ActionButton, type PickItem, pickItem } from './pickItem.ts';
import { type PickRow, rowId, type ToolRow } from './pickRows.ts';
import type { ToolFinder } from './toolFinder.ts';

/** Changes come in bursts while servers start; the list is drawn at most this often. */
const redrawEveryMs = 100;

/** Whether a list is another one, or the same with something changed in it. */
type Drawing = 'anew' | 'in place';

/** What a quick pick of tools is made with. */
export interface SessionParts {
	readonly hub: DiscoveryHub;
	readonly finder: ToolFinder;
	/** What Enter does with a tool. */
	readonly take: (row: ToolRow) => Promise<void>;
	/** Tells a person of an error. */
	readonly report: (error: unknown) => void;
}

/**
 * One quick pick of tools, from its opening to its closing. Enter takes the tool and closes, as any quick pick does what it is for
 * and closes; the buttons leave it open, for who wants several.
 */
export class PickSession implements vscode.Disposable {
	readonly #pick: vscode.QuickPick<PickItem>;
	readonly #finder: ToolFinder;
	readonly #take: SessionParts['take'];
	readonly #report: SessionParts['report'];
	readonly #subscriptions: { dispose(): void }[];
	#rows: readonly PickRow[] = [];
	/** Counts what was asked for: only the last answer is shown. */
	#asked = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(pick: vscode.QuickPick<PickItem>, { hub, finder, take, report }: SessionParts) {
		this.#pick = pick;
		this.#finder = finder;
		this.#take = take;
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
		if (row?.kind === 'tool') this.#take(row).catch(this.#report);
		if (row?.kind === 'ask') void vscode.commands.executeCommand(commands.ask, row.text);
	}
}

function press(row: PickRow, { action }: ActionButton): void {
	if (row.kind === 'tool') void vscode.commands.executeCommand(action.command, row.node);
}
