import type { ServerNode, ToolNode } from './treeNodes.ts';
import { isLoaded } from './treeNodes.ts';

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
