import * as l10n from '@vscode/l10n';
import { compareStrings } from '../../discovery/compareStrings.ts';
import { toolTokens } from '../../discovery/toolTokens.ts';
import type { ToolNode } from './treeNodes.ts';

/** How the tools of a server follow one another; servers stand as the configuration has them. */
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
		return { label: l10n.t('As the Server Lists Them'), short: '' };
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

function pastCalls({ use }: ToolNode): number {
	return use?.past?.calls ?? 0;
}

function callsHere({ use }: ToolNode): number {
	return use?.calls ?? 0;
}
