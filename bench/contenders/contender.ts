import type { Tool } from '../../src/discovery/index.ts';

/** The best tools for a query, at most `limit`. */
export type Search = (query: string, limit: number) => readonly Tool[];

/** Awaited between two slices of work. Each slice blocks everything else. */
export type Pause = () => Promise<void>;

/** A measured way of searching tools: one of our rankings, or a library with its defaults. */
export interface Contender {
	/** Used in the names of figures. */
	readonly name: string;
	index(tools: readonly Tool[], pause: Pause): Promise<Search>;
}

/** A library for comparison. It builds its index in one go. */
export interface Peer {
	readonly name: string;
	index(tools: readonly Tool[]): Search;
}

/** The fields of a tool that peers index: what every definition has. `id` is the tool's position. */
export interface PeerDocument {
	readonly id: number;
	readonly name: string;
	readonly description: string;
}

/** The documents that peers index. */
export function documentsOf(tools: readonly Tool[]): PeerDocument[] {
	return tools.map(({ name, description = '' }, id) => ({ id, name, description }));
}

/** The tools at these positions, in this order. */
export function toolsAt(tools: readonly Tool[], places: readonly number[]): Tool[] {
	return places.map((place) => tools[place]).filter((tool) => tool !== undefined);
}
