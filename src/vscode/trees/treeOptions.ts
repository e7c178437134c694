import * as l10n from '@vscode/l10n';
import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import { compareStrings } from '../../common/text.ts';
import { toolTokens } from '../../discovery/session/toolTokens.ts';
import { isLoaded, type ServerNode, type ToolNode } from '../ui/nodes.ts';
import type { FaultyNode } from './serverRows.ts';

const orderKey = 'toolOrder';

/** Which tools the Servers view shows, and in which order they and their servers stand. The order is kept with the workspace; a filter is for the moment. */
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

/** States that can be asked for in a filter, as `@name`. */
export const filterStates = ['loaded', 'pinned', 'deferred', 'unsent'] as const;
export type FilterState = (typeof filterStates)[number];

/** What a filter asks for. */
export interface ToolFilter {
	/** As it was typed, white space at its ends removed. */
	readonly text: string;
	/** In lower case; every one must occur. */
	readonly words: readonly string[];
	/** One of them must hold; none: any state will do. */
	readonly states: readonly FilterState[];
}

/** Reads what was typed: words, and states as `@pinned`; `undefined` where that asks for nothing. */
export function toolFilter(typed: string): ToolFilter | undefined {
	const text = typed.trim();
	const parts = text.toLowerCase().split(/\s+/);
	const states = filterStates.filter((state) => parts.includes(`@${state}`));
	const words = parts.filter((part) => part !== '' && !states.some((state) => part === `@${state}`));
	return text === '' ? undefined : { text, words, states };
}

/** What was typed with a state added, or removed where it is there. */
export function withStateToggled(typed: string, state: FilterState): string {
	const parts = typed.split(/\s+/).filter((part) => part !== '');
	const others = parts.filter((part) => part.toLowerCase() !== `@${state}`);
	return (others.length < parts.length ? others : [...parts, `@${state}`]).join(' ');
}

/** Servers with those of their tools that a filter asks for; a server without any is left out. */
export function filtered(servers: readonly ServerNode[], filter: ToolFilter): readonly ServerNode[] {
	return servers.flatMap((server) => {
		const tools = toolsFor(server, filter);
		return tools.length === 0 ? [] : [{ ...server, tools, all: server.tools }];
	});
}

/** A server that says all words of itself has all its tools shown: what they do may be said only there. */
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

/** How servers, and the tools of each, follow one another. */
export const toolOrders = ['configured', 'name', 'tokens', 'use'] as const;
export type ToolOrder = (typeof toolOrders)[number];

/** What an order is called. */
interface OrderLabel {
	/** In the choice. */
	readonly label: string;
	/** Beside the view's title. */
	readonly short: string;
}

/** What each order is called; read late, for the language is known only then. */
export const orderLabels: Readonly<Record<ToolOrder, OrderLabel>> = {
	get configured() {
		return { label: l10n.t('As the File and the Servers List Them'), short: '' };
	},
	get name() {
		return { label: l10n.t('Name'), short: l10n.t('by name') };
	},
	get tokens() {
		return { label: l10n.t('Tokens, Most First'), short: l10n.t('by tokens') };
	},
	get use() {
		return { label: l10n.t('Use, Most Called First'), short: l10n.t('by use') };
	},
};

/** Whether a value that was kept, or that a command was called with, is an order. */
export function isToolOrder(value: unknown): value is ToolOrder {
	return toolOrders.some((order) => order === value);
}

/** Tools in an order; those that it does not tell apart stay as the server lists them. */
export function ordered(tools: readonly ToolNode[], order: ToolOrder): readonly ToolNode[] {
	switch (order) {
		case 'configured':
			return tools;
		case 'name':
			return tools.toSorted((a, b) => compareStrings(a.tool.name.toLowerCase(), b.tool.name.toLowerCase()));
		case 'tokens':
			return tools.toSorted((a, b) => toolTokens(b.tool) - toolTokens(a.tool));
		case 'use':
			return tools.toSorted((a, b) => pastCalls(b) - pastCalls(a) || callsHere(b) - callsHere(a));
	}
}

/** Servers in an order, those that are off among them; what it does not tell apart stays as the configuration has it. */
export function orderedServers(
	servers: readonly (ServerNode | FaultyNode)[],
	order: ToolOrder,
): readonly (ServerNode | FaultyNode)[] {
	switch (order) {
		case 'configured':
			return servers;
		case 'name':
			return servers.toSorted((a, b) => compareStrings(nameOf(a).toLowerCase(), nameOf(b).toLowerCase()));
		case 'tokens':
			return servers.toSorted(
				(a, b) => sum(b, ({ tool }) => toolTokens(tool)) - sum(a, ({ tool }) => toolTokens(tool)),
			);
		case 'use':
			return servers.toSorted(
				(a, b) => sum(b, pastCalls) - sum(a, pastCalls) || sum(b, callsHere) - sum(a, callsHere),
			);
	}
}

function nameOf(server: ServerNode | FaultyNode): string {
	return server.kind === 'server' ? server.status.name : server.name;
}

/** Of all tools that it has; a server that is off has none. */
function sum(server: ServerNode | FaultyNode, of: (tool: ToolNode) => number): number {
	if (server.kind === 'faulty') return 0;
	const { tools, all = tools } = server;
	return all.reduce((total, tool) => total + of(tool), 0);
}

function pastCalls({ use }: ToolNode): number {
	return use?.past?.calls ?? 0;
}

function callsHere({ use }: ToolNode): number {
	return use?.calls ?? 0;
}
