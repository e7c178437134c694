import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount, toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { RunAction } from '../actions/action.ts';
import type { ServerModels } from '../core/serverModels.ts';
import { type CommandName, commands } from '../ui/ids.ts';
import { commandTitle, dialogTitle, say, showError } from '../ui/messages.ts';
import { isLoadedState } from '../ui/nodes.ts';
import { redrawEveryMs, Throttle } from '../ui/throttle.ts';
import { keepOrder } from '../ui/unsupported.ts';
import { type PickRow, type RowButton, rowId, type ToolRow } from './pickRows.ts';
import { chatScope, type SearchScope, serversScope, ToolFinder } from './toolFinder.ts';

interface ActionButton extends vscode.QuickInputButton {
	readonly action: RowButton;
}

export interface PickItem extends vscode.QuickPickItem {
	readonly row: PickRow;
	readonly buttons?: readonly ActionButton[];
}

/** `alwaysShow`: the rows are ranked already, so VS Code must not filter them. */
function pickItem(row: PickRow): PickItem {
	const { label } = row;
	if (row.kind === 'heading') return { row, label, kind: vscode.QuickPickItemKind.Separator };
	const { detail, icon } = row;
	const item = { row, label, ...(detail && { detail }), alwaysShow: true };
	if (row.kind === 'lead') return { ...item, iconPath: new vscode.ThemeIcon(icon) };
	const { description, color, actions } = row;
	const iconPath = new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined);
	return { ...item, description, iconPath, buttons: actions.map(buttonOf) };
}

function buttonOf(action: RowButton): ActionButton {
	return {
		action,
		iconPath: new vscode.ThemeIcon(action.icon),
		tooltip: commandTitle(commands[action.name]),
	};
}

/** What a picker is for. */
interface PickPurpose {
	/** The picker has its title. */
	readonly command: CommandName;
	/** `counted`: the tools and servers that are searched. */
	readonly placeholder: (...counted: readonly [tools: string, servers: string]) => string;
	readonly scope: SearchScope;
	/** What Enter does. */
	readonly take: (row: ToolRow, run: RunAction) => Promise<void>;
}

const loading: PickPurpose = {
	command: 'searchTools',
	placeholder: (...counted) => l10n.t('Search {0} of {1}. Enter loads the tool.', ...counted),
	scope: chatScope,
	// Never unloads, which nobody expects of a selection.
	take: async ({ label, node }, run) =>
		isLoadedState(node.state) ? say(l10n.t('{0} is already loaded.', label)) : run('loadTool', node),
};

const running: PickPurpose = {
	command: 'runTool',
	placeholder: (...counted) => l10n.t('Search {0} of {1}. Enter runs the tool.', ...counted),
	scope: serversScope,
	take: ({ node }, run) => run('runTool', node),
};

/** Whether rows changed because of another search, or in place. */
type Drawing = 'new' | 'in place';

interface PickerServices {
	readonly sessions: ChatSessions;
	readonly serverModels: ServerModels;
	readonly run: RunAction;
}

/** An open picker. Enter takes a tool and closes it; buttons leave it open. */
class PickSession implements vscode.Disposable {
	readonly #pick: vscode.QuickPick<PickItem>;
	readonly #finder: ToolFinder;
	readonly #take: PickPurpose['take'];
	readonly #run: RunAction;
	readonly #subscriptions: { dispose(): void }[];
	#rows: readonly PickRow[] = [];
	/** The typed text that led to the rows. */
	#rowsFor: string | undefined;
	/** Whether VS Code shows the rows of the last search, which it reports by activating a row. Until then, the selection is of the previous rows. */
	#isDrawn = false;
	/** Number of the last search. Earlier answers are dropped. */
	#searches = 0;
	#drawing: Promise<void> = Promise.resolve();
	#isOpen = true;
	/** Starting servers change the tools in bursts. */
	readonly #redraw = new Throttle(() => this.#refresh(), redrawEveryMs);

	constructor(
		pick: vscode.QuickPick<PickItem>,
		{ sessions, run }: PickerServices,
		finder: ToolFinder,
		{ take }: PickPurpose,
	) {
		this.#pick = pick;
		this.#finder = finder;
		this.#take = take;
		this.#run = run;
		this.#subscriptions = [
			pick.onDidChangeValue(() => this.#search('new')),
			pick.onDidTriggerItemButton(({ item: { row }, button }) => {
				const { action } = button as ActionButton;
				if (row.kind === 'tool') void run(action.name, row.node);
			}),
			pick.onDidChangeActive(() => {
				this.#isDrawn = true;
			}),
			pick.onDidAccept(() => void this.#accept()),
			sessions.onDidChange(() => this.#redraw.request()),
			this.#redraw,
		];
		this.#search('new');
	}

	dispose(): void {
		this.#isOpen = false;
		this.#searches++;
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#search(drawing: Drawing): void {
		this.#drawing = this.#show(drawing);
	}

	async #show(drawing: Drawing): Promise<void> {
		const searchNumber = ++this.#searches;
		const text = this.#pick.value;
		this.#pick.busy = true;
		try {
			const rows = await this.#finder.rows(text);
			if (searchNumber !== this.#searches) return;
			this.#rowsFor = text;
			this.#draw(rows, drawing);
		} catch (error) {
			showError(error);
		} finally {
			if (searchNumber === this.#searches) this.#pick.busy = false;
		}
	}

	#refresh(): void {
		// A tool that is loaded or pinned keeps its place, so that no other slips under the pointer.
		this.#draw(this.#finder.refreshed(this.#rows), 'in place');
		if (this.#finder.isOutdated) this.#search('in place');
	}

	#draw(rows: readonly PickRow[], drawing: Drawing): void {
		if (isDeepStrictEqual(rows, this.#rows)) return;
		this.#rows = rows;
		const active = this.#pick.activeItems[0]?.row;
		const items = rows.map(pickItem);
		if (drawing === 'new') this.#isDrawn = false;
		this.#pick.keepScrollPosition = drawing === 'in place';
		this.#pick.items = items;
		const sameItem = active && items.find(({ row }) => rowId(row) === rowId(active));
		if (drawing === 'in place' && sameItem) this.#pick.activeItems = [sameItem];
	}

	async #accept(): Promise<void> {
		let row = this.#pick.selectedItems[0]?.row;
		const text = this.#pick.value;
		if (text !== this.#rowsFor || !this.#isDrawn) {
			// Enter came before the rows for the typed text were shown.
			let drawing: Promise<void>;
			do {
				drawing = this.#drawing;
				await drawing;
			} while (drawing !== this.#drawing);
			if (!this.#isOpen || text !== this.#rowsFor) return;
			row = this.#rows.find(({ kind }) => kind !== 'heading');
		}
		this.#pick.hide();
		if (row?.kind === 'tool') this.#take(row, this.#run).catch(showError);
		if (row?.kind === 'lead') void this.#run(row.action, row.words);
	}
}

/** The tool picker. It keeps its indexes. */
export class ToolPicker {
	readonly #services: PickerServices;
	readonly #finders = new Map<SearchScope, ToolFinder>();

	constructor(services: PickerServices) {
		this.#services = services;
	}

	/** Opens a picker to load or run tools. Throws without tools. */
	open(why: 'loading' | 'running' = 'loading'): vscode.QuickPick<PickItem> {
		const purpose = why === 'loading' ? loading : running;
		const finder = this.#finder(purpose.scope);
		const { tools, servers } = finder.counts;
		if (tools === 0)
			throw new Error(l10n.t('there are no tools yet. They appear after you approve their servers.'));
		const pick = vscode.window.createQuickPick<PickItem>();
		pick.title = dialogTitle(commands[purpose.command]);
		pick.placeholder = purpose.placeholder(toolCount(tools), serverCount(servers));
		keepOrder(pick);
		const session = new PickSession(pick, this.#services, finder, purpose);
		pick.onDidHide(() => {
			session.dispose();
			pick.dispose();
		});
		pick.show();
		return pick;
	}

	#finder(scope: SearchScope): ToolFinder {
		const finder = this.#finders.get(scope) ?? new ToolFinder(this.#services, scope);
		this.#finders.set(scope, finder);
		return finder;
	}
}
