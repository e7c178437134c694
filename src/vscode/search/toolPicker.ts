import * as vscode from 'vscode';
import { toolCount } from '../counts.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { PickItem } from './pickItem.ts';
import { PickSession } from './pickSession.ts';
import { ToolFinder } from './toolFinder.ts';

/** The quick pick that ranks tools as one types. What it has indexed serves the next time it opens. */
export class ToolPicker {
	readonly #hub: DiscoveryHub;
	readonly #finder: ToolFinder;
	readonly #report: (error: unknown) => void;

	/** `report` tells a person of an error. */
	constructor(hub: DiscoveryHub, report: (error: unknown) => void) {
		this.#hub = hub;
		this.#finder = new ToolFinder(hub);
		this.#report = report;
	}

	/** Opens it; it disposes of itself when it closes. Throws where there is nothing to search. */
	open(): vscode.QuickPick<PickItem> {
		const { tools, servers } = this.#finder.counts;
		if (tools === 0) throw new Error('there is nothing to search: no tool is known yet.');
		const pick = vscode.window.createQuickPick<PickItem>();
		pick.title = 'Search Tools';
		pick.placeholder = `Search ${toolCount(tools)} of ${servers === 1 ? '1 server' : `${servers} servers`}`;
		// What is found is in its order. The editor sorts by label unless it is told not to, which the API has no word for yet.
		Object.assign(pick, { sortByLabel: false });
		const session = new PickSession(pick, this.#hub, this.#finder, this.#report);
		pick.onDidHide(() => {
			session.dispose();
			pick.dispose();
		});
		pick.show();
		return pick;
	}
}
