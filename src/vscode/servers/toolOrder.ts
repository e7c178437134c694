import * as l10n from '@vscode/l10n';
import { compareStrings } from '../../discovery/compareStrings.ts';
import { toolTokens } from '../../discovery/toolTokens.ts';
import type { FaultyNode } from './problemNodes.ts';
import type { ServerNode, ToolNode } from './treeNodes.ts';

/** How servers, and the tools of each, follow one another. */
export const toolOrders = ['configured', 'name', 'tokens', 'use'] as const;
export type ToolOrder = (typeof toolOrders)[number];

/** What an order is called. */
interface OrderWords {
	/** In the choice. */
	readonly label: string;
	/** Beside the view's title. */
	readonly short: string;
}

/** What each order is called; read late, for the language is known only then. */
export const orderWords: Readonly<Record<ToolOrder, OrderWords>> = {
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
