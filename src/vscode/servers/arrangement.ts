import type { Memento } from 'vscode';
import { Emitter } from '../../discovery/event.ts';
import type { FaultyNode } from './problemNodes.ts';
import { filtered, type ToolFilter } from './toolFilter.ts';
import { isToolOrder, ordered, orderedServers, type ToolOrder } from './toolOrder.ts';
import type { ServerNode } from './treeNodes.ts';

const orderKey = 'toolOrder';

/** Which tools the Servers view shows, and in which order they and their servers stand. The order is kept with the workspace; a filter is for the moment. */
export class Arrangement {
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #memento: Memento;
	#order: ToolOrder;
	#filter: ToolFilter | undefined;

	constructor(memento: Memento) {
		this.#memento = memento;
		const kept = memento.get(orderKey);
		this.#order = isToolOrder(kept) ? kept : 'configured';
	}

	get order(): ToolOrder {
		return this.#order;
	}

	set order(order: ToolOrder) {
		this.#order = order;
		void this.#memento.update(orderKey, order === 'configured' ? undefined : order);
		this.#changed.fire();
	}

	get filter(): ToolFilter | undefined {
		return this.#filter;
	}

	set filter(filter: ToolFilter | undefined) {
		this.#filter = filter;
		this.#changed.fire();
	}

	/** The servers as they are to be shown, those that are off among them: a filter, which is for tools, leaves these out. */
	apply(
		servers: readonly ServerNode[],
		faulty: readonly FaultyNode[] = [],
	): readonly (ServerNode | FaultyNode)[] {
		const shown = this.#filter ? filtered(servers, this.#filter) : [...faulty, ...servers];
		return orderedServers(shown, this.#order).map((server) =>
			server.kind === 'server' ? { ...server, tools: ordered(server.tools, this.#order) } : server,
		);
	}

	dispose(): void {
		this.#changed.dispose();
	}
}
