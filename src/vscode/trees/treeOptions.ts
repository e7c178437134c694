import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import { compareStrings } from '../../common/text.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import { isLoaded, type ServerNode, type ToolNode } from '../ui/nodes.ts';
import type { FaultyNode } from './serverRows.ts';

const orderKey = 'toolOrder';

/** Filter and order of the Servers view. The order is stored per workspace; the filter ends with the window. */
export class TreeOptions {
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

	/** Servers with their tools, filtered and sorted. Servers with errors are included unless a filter is set, which is for tools. */
	arranged(
		servers: readonly ServerNode[],
		faulty: readonly FaultyNode[] = [],
	): ReadonlyMap<ServerNode | FaultyNode, readonly ToolNode[]> {
		const shown = this.#filter
			? filtered(servers, this.#filter)
			: new Map(servers.map((one) => [one, one.tools]));
		const all = this.#filter ? [...shown.keys()] : [...faulty, ...servers];
		return new Map(
			sorted(all, this.#order, ofServer).map((node) => [
				node,
				node.kind === 'server' ? sorted(shown.get(node) ?? [], this.#order, ofTool) : [],
			]),
		);
	}

	dispose(): void {
		this.#changed.dispose();
	}
}

/** States to filter by, as `@name`. */
export const filterStates = ['loaded', 'pinned', 'deferred', 'unsent'] as const;
export type FilterState = (typeof filterStates)[number];

interface ToolFilter {
	/** As typed, trimmed. */
	readonly text: string;
	/** In lower case; all must occur. */
	readonly words: readonly string[];
	/** A tool must be in one of these states; empty: in any. */
	readonly states: readonly FilterState[];
}

/** Parses words and states such as `@pinned`; `undefined`: no filter. */
export function toolFilter(typed: string): ToolFilter | undefined {
	const text = typed.trim();
	const parts = text.toLowerCase().split(/\s+/);
	const states = filterStates.filter((state) => parts.includes(`@${state}`));
	const words = parts.filter((part) => part !== '' && !states.some((state) => part === `@${state}`));
	return text === '' ? undefined : { text, words, states };
}

/** Adds a state to the typed text, or removes it. */
export function withStateToggled(typed: string, state: FilterState): string {
	const parts = typed.split(/\s+/).filter((part) => part !== '');
	const others = parts.filter((part) => part.toLowerCase() !== `@${state}`);
	return (others.length < parts.length ? others : [...parts, `@${state}`]).join(' ');
}

/** Servers with the tools that match a filter; servers without any are left out. */
function filtered(
	servers: readonly ServerNode[],
	filter: ToolFilter,
): ReadonlyMap<ServerNode, readonly ToolNode[]> {
	return new Map(
		servers
			.map((server) => [server, toolsFor(server, filter)] as const)
			.filter(([, tools]) => tools.length > 0),
	);
}

/** If the server's own texts contain all words, all its tools match: perhaps only the server says what they do. */
function toolsFor({ status, tools }: ServerNode, { words, states }: ToolFilter): readonly ToolNode[] {
	const inState = tools.filter((node) => states.length === 0 || states.some((state) => isIn(node, state)));
	if (says(words, status.name, status.title, status.description)) return inState;
	return inState.filter(({ tool }) => says(words, tool.server, tool.name, tool.title, tool.description));
}

function says(words: readonly string[], ...texts: readonly (string | undefined)[]): boolean {
	const text = texts.join('\n').toLowerCase();
	return words.every((word) => text.includes(word));
}

function isIn({ state, unsent }: ToolNode, wanted: FilterState): boolean {
	switch (wanted) {
		case 'loaded':
			return isLoaded(state);
		case 'unsent':
			return unsent !== undefined;
		case 'pinned':
		case 'deferred':
			return state === wanted;
	}
}

/** Orders of servers and their tools. */
export const toolOrders = ['configured', 'name', 'tokens', 'use'] as const;
type ToolOrder = (typeof toolOrders)[number];

interface OrderLabel {
	readonly label: string;
	/** Beside the title of the view. */
	readonly short: string;
}

export function orderLabel(order: ToolOrder): OrderLabel {
	switch (order) {
		case 'configured':
			return { label: l10n.t('Configuration Order'), short: '' };
		case 'name':
			return { label: l10n.t('Name'), short: l10n.t('by name') };
		case 'tokens':
			return { label: l10n.t('Tokens (Most First)'), short: l10n.t('by tokens') };
		case 'use':
			return { label: l10n.t('Calls (Most First)'), short: l10n.t('by calls') };
	}
}

export function isToolOrder(value: unknown): value is ToolOrder {
	return toolOrders.some((order) => order === value);
}

interface Measures<T> {
	readonly name: (item: T) => string;
	readonly tokens: (item: T) => number;
	/** Calls in all chats that are kept. */
	readonly past: (item: T) => number;
	/** Calls in the last used chat. */
	readonly here: (item: T) => number;
}

const ofTool: Measures<ToolNode> = {
	name: ({ tool }) => tool.name,
	tokens: ({ tool }) => toolTokens(tool),
	past: ({ use }) => use?.past?.calls ?? 0,
	here: ({ use }) => use?.calls ?? 0,
};

/** A server has the sum of its tools. */
const ofServer: Measures<ServerNode | FaultyNode> = {
	name: (server) => (server.kind === 'server' ? server.status.name : server.name),
	tokens: (server) => sum(server, ofTool.tokens),
	past: (server) => sum(server, ofTool.past),
	here: (server) => sum(server, ofTool.here),
};

/** Items that compare equal keep their order: that of the configuration, or of the server. */
function sorted<T>(
	items: readonly T[],
	order: ToolOrder,
	{ name, tokens, past, here }: Measures<T>,
): readonly T[] {
	switch (order) {
		case 'configured':
			return items;
		case 'name':
			return items.toSorted((a, b) => compareStrings(name(a).toLowerCase(), name(b).toLowerCase()));
		case 'tokens':
			return items.toSorted((a, b) => tokens(b) - tokens(a));
		case 'use':
			return items.toSorted((a, b) => past(b) - past(a) || here(b) - here(a));
	}
}

function sum(server: ServerNode | FaultyNode, of: (tool: ToolNode) => number): number {
	if (server.kind === 'faulty') return 0;
	return server.tools.reduce((total, tool) => total + of(tool), 0);
}
