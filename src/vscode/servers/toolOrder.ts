import { compareStrings } from '../../discovery/compareStrings.ts';
import { toolTokens } from '../../discovery/toolTokens.ts';
import type { ToolNode } from './treeNodes.ts';

/** How the tools of a server follow one another; servers stand as the configuration has them. */
export const toolOrders = ['configured', 'name', 'tokens', 'use'] as const;
export type ToolOrder = (typeof toolOrders)[number];

/** What an order is called: in the choice, and beside the view's title. */
export const orderWords: Readonly<Record<ToolOrder, { readonly label: string; readonly short: string }>> = {
	configured: { label: 'As the Server Lists Them', short: '' },
	name: { label: 'Name', short: 'by name' },
	tokens: { label: 'Tokens, Most First', short: 'by tokens' },
	use: { label: 'Use, Most Called First', short: 'by use' },
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
