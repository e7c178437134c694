import * as vscode from 'vscode';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { PickItem } from './pickItem.ts';
import { loadingPurpose, runningPurpose } from './pickPurpose.ts';
import { PickSession } from './pickSession.ts';
import type { SearchScope } from './searchScope.ts';
import { ToolFinder } from './toolFinder.ts';

/** The quick pick that ranks tools as one types. What it has indexed serves the next time it opens. */
export class ToolPicker {
	readonly #hub: DiscoveryHub;
	/** By what is searched. */
	readonly #finders = new Map<SearchScope, ToolFinder>();
	readonly #report: (error: unknown) => void;

	/** `report` tells a person of an error. */
	constructor(hub: DiscoveryHub, report: (error: unknown) => void) {
		this.#hub = hub;
		this.#report = report;
	}

	/** Opens it, to load tools or to run one; it disposes of itself when it closes. Throws where there is nothing to search. */
	open(why: 'loading' | 'running' = 'loading'): vscode.QuickPick<PickItem> {
		const purpose = why === 'loading' ? loadingPurpose() : runningPurpose();
		const finder = this.#finder(purpose.scope);
		const { tools, servers } = finder.counts;
		if (tools === 0) throw new Error(purpose.nothing);
		const pick = vscode.window.createQuickPick<PickItem>();
		pick.title = purpose.title;
		pick.placeholder = purpose.placeholder(tools, servers);
		// What is found is in its order. The editor sorts by label unless it is told not to, which the API has no word for yet.
		Object.assign(pick, { sortByLabel: false });
		const session = new PickSession(pick, {
			hub: this.#hub,
			finder,
			take: purpose.take,
			report: this.#report,
		});
		pick.onDidHide(() => {
			session.dispose();
			pick.dispose();
		});
		pick.show();
		return pick;
	}

	#finder(scope: SearchScope): ToolFinder {
		const finder = this.#finders.get(scope) ?? new ToolFinder(this.#hub, scope);
		this.#finders.set(scope, finder);
		return finder;
	}
}
