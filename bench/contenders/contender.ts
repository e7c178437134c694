import type { Tool } from '../../src/discovery/index.ts';

/** Best tools for a query, at most `limit`; none where it finds none. */
export type Search = (query: string, limit: number) => readonly Tool[];

/** Awaited between two slices of work: what was done since the last one blocked everything else. */
export type Pause = () => Promise<void>;

/** A way of searching tools that is measured: a ranking of ours, or a library as its users first meet it. */
export interface Contender {
	/** As it stands in the names of figures. */
	readonly name: string;
	index(tools: readonly Tool[], pause: Pause): Promise<Search>;
}

/** A library that others would take: it builds its index in one go. */
export interface Peer {
	readonly name: string;
	index(tools: readonly Tool[]): Search;
}

/** What a peer indexes of a tool: what every definition has. `id` is the tool's place. */
export interface PeerDocument {
	readonly id: number;
	readonly name: string;
	readonly description: string;
}

/** The documents that peers index. */
export function documentsOf(tools: readonly Tool[]): PeerDocument[] {
	return tools.map(({ name, description = '' }, id) => ({ id, name, description }));
}

/** The tools at some places, in that order. */
export function toolsAt(tools: readonly Tool[], places: readonly number[]): Tool[] {
	return places.map((place) => tools[place]).filter((tool) => tool !== undefined);
}
