import MiniSearch from 'minisearch';
import { type Ranking, type Tool, ToolIndex } from '../src/discovery/index.ts';

/** Best tools for a query, at most `limit`. */
export type Search = (query: string, limit: number) => readonly Tool[];

/** A way of searching tools that is measured: a ranking of ours, or a library as its users first meet it. */
export interface Contender {
	/** As it stands in the names of figures. */
	readonly name: string;
	index(tools: readonly Tool[]): Search;
}

/** What the others are compared with in tables. */
export const PEER = 'minisearch';
/** The ranking whose figures carry no name of their own. */
export const OURS = 'default' satisfies Ranking;

/** Measured side by side in every run. */
export const CONTENDERS: readonly Contender[] = [
	ours('default'),
	ours('okapi'),
	ours('name-parts'),
	{ name: PEER, index: miniSearch },
];

function ours(ranking: Ranking): Contender {
	return {
		name: ranking,
		index: (tools) => {
			const index = new ToolIndex(tools, { ranking });
			return (query, limit) => index.search(query, { limit }).map(({ tool }) => tool);
		},
	};
}

/** MiniSearch out of the box: its own tokenizer and ranking, over name and description. */
function miniSearch(tools: readonly Tool[]): Search {
	const index = new MiniSearch<{ id: number; name: string; description: string }>({
		fields: ['name', 'description'],
	});
	index.addAll(tools.map(({ name, description = '' }, id) => ({ id, name, description })));
	return (query, limit) =>
		index
			.search(query)
			.slice(0, limit)
			.map(({ id }) => tools[id])
			.filter((tool) => tool !== undefined);
}
